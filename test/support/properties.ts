/** fast-check with new values in each run, and characters of its own. A failure prints its seed, which SOAK_SEED fixes to see it again. */
import fc from "fast-check";

const { SOAK_SEED } = process.env;

if (SOAK_SEED !== undefined) fc.configureGlobal({ seed: Number(SOAK_SEED) });

const halves = { first: 0xd800, count: 0x800 };

/**
 * Any code point, except for the halves of surrogate pairs: the unit `"binary"` of fast-check, without its map of all 1.1 million characters, which
 * takes most of a second in each file.
 */
export const anyCharacter = fc.nat({ max: 0x10ffff - halves.count }).map(
  (index) => String.fromCodePoint(index < halves.first ? index : index + halves.count),
  // The reverse function lets fast-check mix in whole texts of its own, such as `__proto__`.
  (text) => {
    if (typeof text !== "string" || text.length !== 1) throw new Error("not one character");
    return text.charCodeAt(0);
  },
);

export default fc;
