/** @type {import("jest").Config} */
module.exports = {
  testEnvironment: "node",
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
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
