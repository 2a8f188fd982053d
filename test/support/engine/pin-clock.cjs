/** Preloaded into every Node process of a run. Each starts at the same instant, and its clock runs on from there. */
const RealDate = Date;
const shiftMs = RealDate.parse(process.env.TEST_CLOCK) - RealDate.now();

globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + shiftMs);
    else super(...parts);
  }

  static now() {
    return RealDate.now() + shiftMs;
  }
};
