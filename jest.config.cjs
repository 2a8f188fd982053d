/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  // One worker is the default on two processors; the end-to-end tests mostly wait for other processes.
  maxWorkers: 2,
  testMatch: ["**/*.test.ts"],
  globalSetup: "<rootDir>/tools/test/jest-setup.mjs",
  globalTeardown: "<rootDir>/tools/test/jest-teardown.mjs",
  // Not in the temporary folder, which is another one for each run.
  cacheDirectory: "<rootDir>/node_modules/.cache/jest",
  transform: {
    "^.+\\.ts$": [
      "@swc/jest",
      { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } },
    ],
  },
  // Source imports name the compiled file ("./client.js"), as Node's resolver wants; the tests run the sources.
  moduleNameMapper: { "^(\\.{1,2}/.*)\\.js$": "$1" },
  modulePathIgnorePatterns: ["<rootDir>/dist", "<rootDir>/\\.voiceplane"],
};
