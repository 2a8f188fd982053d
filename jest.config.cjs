const { availableParallelism } = require("node:os");

const esModules = "(commander|@commander-js|string-width|get-east-asian-width|strip-ansi|ansi-regex)";

/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  // More than processors on a small machine: some tests wait for what faults take.
  maxWorkers: Math.max(3, availableParallelism() - 1),
  // A busy machine takes its time; only a test that hangs waits for this.
  testTimeout: 30_000,
  testSequencer: "<rootDir>/tools/test/sequencer.cjs",
  testMatch: ["**/*.test.ts"],
  globalSetup: "<rootDir>/test/support/jest-setup.ts",
  globalTeardown: "<rootDir>/test/support/jest-teardown.ts",
  // Not in the temporary folder, which is another one for each run.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
  // ES modules, which Jest cannot require.
  transformIgnorePatterns: [`/node_modules/(?!${esModules}/)`],
  transform: {
    [`^.+\\.ts$|/node_modules/${esModules}/.+\\.js$`]: [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // Source imports name the compiled file ("./client.js"), as Node's resolver wants; the tests run the sources.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/\\.voiceplane"],
};
