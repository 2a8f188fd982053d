/**
 * Preloaded into every Node process of a run. Its clock is ahead by the number of days in a file, which it reads on
 * each call.
 */
const { readFileSync } = require("node:fs");

const RealDate = Date;
const now = () => RealDate.now() + Number(readFileSync(process.env.CLOCK_FILE, "utf8")) * 86_400_000;

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(now());
    else super(...parts);
  }

  static now() {
    return now();
  }
};
