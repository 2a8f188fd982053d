const config = require("../../jest.config.cjs");

/** The fast tests of the files that are mutated: no engine, no browser, no package. */
module.exports = {
  ...config,
  rootDir: "../..",
  roots: ["<rootDir>/test/client", "<rootDir>/test/resources"],
  globalSetup: undefined,
  globalTeardown: undefined,
  testSequencer: undefined,
};
