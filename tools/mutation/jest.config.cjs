const path = require("node:path");
const config = require("../../jest.config.cjs");

// Without the global setup, what the tests remember would be in the developer's own home.
process.env.HOME = path.join(__dirname, "home");

/** The names of tests below test/unit, if they alone are to run: "lifecycle/schedule lifecycle/settings". */
const chosen = process.env.MUTATION_TESTS?.split(" ");

/** The fast tests of the mutated files, which need no engine, browser or package. */
module.exports = {
  ...config,
  rootDir: "../..",
  // jest finds the tests of a mutated file only through roots that hold every file between the two.
  roots: [
    ...["<rootDir>/src", "<rootDir>/test/support"],
    ...["client", "lifecycle", "resources", "schema"].map((name) => `<rootDir>/test/unit/${name}`),
  ],
  ...(chosen && {
    roots: ["<rootDir>/src", "<rootDir>/test/support", "<rootDir>/test/unit"],
    testMatch: chosen.map((name) => `<rootDir>/test/unit/${name}.test.ts`),
  }),
  // This test takes longer than all others, because it derives a key from each passphrase. It also reads files that the copy does not have.
  testPathIgnorePatterns: ["/node_modules/", "recorded-states"],
  globalSetup: undefined,
  globalTeardown: undefined,
  testSequencer: undefined,
};
