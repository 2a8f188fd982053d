/** Preloaded into every Node process of a run: its clock is ahead by the days that a file holds, whenever it is asked. */
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
