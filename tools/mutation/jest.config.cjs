const path = require("node:path");
const config = require("../../jest.config.cjs");

// Without the global setup, what the tests remember would be in the developer's own home.
process.env.HOME = path.join(__dirname, "home");

/** Tests by their names below test/unit, which are tried alone: "resources/schedule resources/clocks". */
const chosen = process.env.MUTATION_TESTS?.split(" ");

/** The fast tests of the mutated files, which need no engine, browser or package. */
module.exports = {
  ...config,
  rootDir: "../..",
  // jest finds the tests of a mutated file only through roots that hold every file between the two.
  roots: ["<rootDir>/src", "<rootDir>/test/support", "<rootDir>/test/unit/client", "<rootDir>/test/unit/resources"],
  ...(chosen && {
    roots: ["<rootDir>/src", "<rootDir>/test/support", "<rootDir>/test/unit"],
    testMatch: chosen.map((name) => `<rootDir>/test/unit/${name}.test.ts`),
  }),
  // It derives a key from a passphrase for each state, which takes longer than all others, and reads what the copy has not.
  testPathIgnorePatterns: ["/node_modules/", "recorded-states"],
  globalSetup: undefined,
  globalTeardown: undefined,
  testSequencer: undefined,
};
