import { locksIn } from "../../../../src/cli/pulumi/locks";

const locked = (...lines: string[]) =>
  `error: the stack is currently locked by ${lines.length} lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n${lines.map((line) => `  file:///state/.pulumi/locks/${line}\n`).join("")}`;

test("the locks of a stack are named with their age", () => {
  expect(locksIn(locked("a.json: created by root@worker-1 (pid 42) at 2026-11-22T11:23:05Z"))).toEqual([
    { holder: "root@worker-1 (pid 42) since 2026-11-22T11:23:05.000Z", at: Date.parse("2026-11-22T11:23:05Z") },
  ]);
});

test("the age of a lock without details is not known, so nobody may remove it by age", () => {
  const unknown = { holder: "an unknown run", at: undefined };
  expect(locksIn(locked("a.json: created by root@worker-1 (pid 42) at yesterday", "b.json"))).toEqual([
    unknown,
    unknown,
  ]);
  expect(locksIn("error: [409] Conflict: Another update is currently in progress.")).toEqual([unknown]);
});

test("another error has none", () => {
  expect(locksIn("error: no stack named dev")).toEqual([]);
});
