import { locksIn } from "../../../src/cli/commands/apply/locks";

const locked = (...lines: string[]) =>
  `error: the stack is currently locked by ${lines.length} lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n${lines.map((line) => `  file:///state/.pulumi/locks/${line}\n`).join("")}`;

const root = { holder: "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z", at: Date.UTC(2026, 10, 22, 11, 23, 5) };
/** Nobody may remove it by its age. */
const unknown = { holder: "an unknown run", at: undefined };

test.each([
  ["with its age", locked("a.json: created by root@worker-1 (pid 42) at 2026-11-22T11:23:05Z"), [root]],
  ["without details", locked("a.json: created by root@worker-1 (pid 42) at yesterday", "b.json"), [unknown, unknown]],
  ["of a service", "error: [409] Conflict: Another update is currently in progress.", [unknown]],
  ["in another error", "error: no stack named dev", []],
])("the locks of a stack: %s", (_what, error, locks) => {
  expect(locksIn(error)).toEqual(locks);
});
