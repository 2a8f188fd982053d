import { evaluate } from "../../support/tools.js";

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};
const count = (report: object) => evaluate("test/jest.mjs", `tools.countTests(${JSON.stringify(report)})`);

test("tests are counted as jest counts them", async () => {
  const report = { ...none, numPassedTests: 12, numFailedTests: 2 };
  expect(await count(report)).toEqual({ passed: 12, failed: 2, skipped: 0 });
});

test("a test file that cannot be loaded counts as a failed test", async () => {
  const report = { ...none, numPassedTests: 12, numRuntimeErrorTestSuites: 1 };
  expect(await count(report)).toEqual({ passed: 12, failed: 1, skipped: 0 });
});

test("a run without any test counts as failed, even if some are skipped", async () => {
  expect(await count(none)).toEqual({ passed: 0, failed: 1, skipped: 0 });
  expect(await count({ ...none, numPendingTests: 3 })).toEqual({ passed: 0, failed: 1, skipped: 3 });
});

test("skipped tests and todo tests are counted as skipped", async () => {
  const report = { ...none, numPassedTests: 12, numPendingTests: 3, numTodoTests: 1 };
  expect(await count(report)).toEqual({ passed: 12, failed: 0, skipped: 4 });
});
