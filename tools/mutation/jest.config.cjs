const config = require("../../jest.config.cjs");

/** The fast tests of the mutated files, which need no engine, browser or package. */
module.exports = {
  ...config,
  rootDir: "../..",
  roots: ["<rootDir>/test/client", "<rootDir>/test/resources"],
  globalSetup: undefined,
  globalTeardown: undefined,
  testSequencer: undefined,
};
