/**
 * Changes the code in small ways, one at a time, and says which no test notices:
 *
 *     npm run test:mutation -- --mutate src/lifecycle/schedule.ts
 *     MUTATION_TESTS="lifecycle/schedule lifecycle/settings" npm run test:mutation -- --mutate src/lifecycle/schedule.ts
 *
 * The second one tries these tests alone, a tenth of the time. Then try those that survive, `--mutate FILE:LINE:COLUMN-LINE:COLUMN`, with all.
 */
export default {
  mutate: ["src/{schema,lifecycle,resources}/**/*.ts", "src/client/{retry,answer}.ts"],
  testRunner: "jest",
  jest: { configFile: "tools/mutation/jest.config.cjs", enableFindRelatedTests: true },
  coverageAnalysis: "perTest",
  // A copy of the sources, without what the tests of these files do not read.
  ignorePatterns: [".voiceplane", "bench", "dist", "examples", "test/campaigns/engine", "test/campaigns/pipelines"],
  tempDirName: ".voiceplane/mutation",
  reporters: ["clear-text", "progress", "json"],
  jsonReporter: { fileName: ".voiceplane/mutation.json" },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  allowEmpty: false,
  concurrency: 2,
  // Much longer than a test takes: on a busy machine, a timeout would count as a noticed change.
  timeoutMS: 20_000,
};
