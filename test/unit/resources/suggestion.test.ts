import { suggestion } from "../../../src/resources/suggestion";

const known = ["init", "validate", "doctor", "report", "status", "serve", "completion", "help", "--help", "--version"];

test.each([
  ["sevre", ": did you mean serve?"],
  ["reprot", ": did you mean report?"],
  ["doctr", ": did you mean doctor?"],
  ["valdate", ": did you mean validate?"],
  ["--verison", ": did you mean --version?"],
  ["doc", ": did you mean doctor?"],
  ["int", ": did you mean init?"],
  ["apply", ""],
  ["toString", ""],
  ["", ""],
  ["--", ""],
])("%j%s", (word, expected) => {
  expect(suggestion(word, known)).toBe(expected);
});
