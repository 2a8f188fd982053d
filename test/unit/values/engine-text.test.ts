/** Texts of servers and errors, made fit to be sent to the engine. */
import { engineText } from "../../../src/values/text.js";
import fc, { anyCharacter } from "../../support/properties";

test("a text for the engine has whole characters, and shows those that control a terminal or hide text", () => {
  expect(engineText("half \ud83d, ESC \u001b[2J, CR \r, NUL \0, C1 \u009b, bidi \u202e, BOM \ufeff")).toBe(
    "half \ufffd, ESC \\u{1b}[2J, CR \\u{d}, NUL \\u{0}, C1 \\u{9b}, bidi \\u{202e}, BOM \\u{feff}",
  );
});

test("a text for the engine keeps its lines and joined characters, and is cut between characters", () => {
  const family = "\u{1f468}\u200d\u{1f469}\u200d\u{1f467}";
  expect(engineText(`one\n\ttwo ${family} Zo\u00eb`)).toBe(`one\n\ttwo ${family} Zo\u00eb`);
  expect(engineText(`${"x".repeat(7999)}\u{1f600} and more`)).toBe(`${"x".repeat(7999)}…`);
});

test("a text for the engine is well-formed, bounded and printable whatever it is made of", () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 9_000, size: "max" }), fc.string(), (text, more) => {
      const shown = engineText(`${text.slice(1)}${more}`);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(8001);
      expect(shown).not.toMatch(/(?![\n\t])\p{Cc}/u);
      encodeURI(shown);
    }),
    { numRuns: 20 },
  );
});
