import path from "node:path";
import { evaluate } from "../../support/tools.js";

// The event logs are the real engine's, of a stack with one component and three resources, without debug messages and
// the resources' states.
const log = (name: string) => JSON.stringify(path.join(__dirname, "event-logs", `${name}.jsonl`));
const doneLine = (name: string) =>
  evaluate("start/outcome.mjs", `tools.readOutcome(${log(name)}).then(tools.doneLine, (error) => error.message)`);

test.each([
  ["a first up", "created", "done: 4 created, 0 updated, 0 unchanged"],
  ["an up without any change", "same", "done: 0 created, 0 updated, 4 unchanged"],
  ["an up that updates one resource", "updated", "done: 0 created, 1 updated, 3 unchanged"],
  ["an up that replaces one resource", "replaced", "done: 0 created, 1 updated, 3 unchanged"],
  ["an up that deletes one resource", "deleted", "done: 0 created, 0 updated, 3 unchanged, 1 deleted"],
])("%s counts neither the stack nor providers", async (_what, name, expected) => {
  expect(await doneLine(name)).toBe(expected);
});

test("a failed up is an error", async () => {
  expect(await doneLine("failed")).toBe("the engine reports: failed");
});

test("a truncated log is an error", async () => {
  const none = JSON.stringify("/dev/null");
  const outcome = await evaluate("start/outcome.mjs", `tools.readOutcome(${none}).catch((error) => error.message)`);
  expect(outcome).toBe("the engine reports: no result");
});
