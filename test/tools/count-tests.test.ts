import { evaluate } from "./support.js";

const count = (report: object) => evaluate("test/jest.mjs", `tools.countTests(${JSON.stringify(report)})`);

test("tests are counted as jest counts them", async () => {
  const report = { numPassedTests: 12, numFailedTests: 2, numRuntimeErrorTestSuites: 0 };
  expect(await count(report)).toEqual({ passed: 12, failed: 2 });
});

test("a test file that cannot be loaded counts as a failed test", async () => {
  const report = { numPassedTests: 12, numFailedTests: 0, numRuntimeErrorTestSuites: 1 };
  expect(await count(report)).toEqual({ passed: 12, failed: 1 });
});

test("a run without any test counts as a failed one", async () => {
  const report = { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  expect(await count(report)).toEqual({ passed: 0, failed: 1 });
});
