import { evaluate } from "../../support/tools.js";

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

test.each([
  ["tests are counted as jest counts them", { numPassedTests: 12, numFailedTests: 2 }, [12, 2, 0]],
  ["a file that cannot be loaded is a failed test", { numPassedTests: 12, numRuntimeErrorTestSuites: 1 }, [12, 1, 0]],
  ["a run without any test counts as failed", {}, [0, 1, 0]],
  ["even if some are skipped", { numPendingTests: 3 }, [0, 1, 3]],
  ["todo tests are skipped", { numPassedTests: 12, numPendingTests: 3, numTodoTests: 1 }, [12, 0, 4]],
])("%s", async (_title, report, [passed, failed, skipped]) => {
  const counted = await evaluate("test/jest.mjs", `tools.countTests(${JSON.stringify({ ...none, ...report })})`);
  expect(counted).toEqual({ passed, failed, skipped });
});
