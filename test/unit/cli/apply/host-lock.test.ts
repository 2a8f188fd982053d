import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { takeHostLock, type HostLock } from "../../../../src/cli/apply/host-lock";
import { idOf, processesHere, type Processes } from "../../../../src/cli/engine/processes";
import { testOnLinux } from "../../../support/machine";
import { temporaryFolder } from "../../../support/project-folder";

const here = processesHere();
const place = () => join(temporaryFolder(), "acme.lock");

async function taken(file: string, processes: Processes = here): Promise<HostLock> {
  const lock = await takeHostLock(file, processes);
  if ("heldBy" in lock) throw new Error(`held by ${lock.heldBy}`);
  return lock;
}

/** This process under another id. */
const as = (pid: number, alive: readonly number[]): Processes => ({
  ...here,
  find: (asked) =>
    asked === process.pid
      ? { pid, start: "1", space: here.space }
      : alive.includes(asked)
        ? { pid: asked, start: "1", space: here.space }
        : undefined,
});

test("one holds it at a time, and it leaves no file", async () => {
  const file = place();
  const lock = await taken(file);
  expect(await takeHostLock(file, here)).toEqual({ heldBy: process.pid });
  lock.release();
  expect(readdirSync(join(file, ".."))).toEqual([]);
  (await taken(file)).release();
});

test("after a death it can be taken, but not while the CLI of the dead apply lives", async () => {
  const file = place();
  (await taken(file, as(71, []))).addOwner({ pid: 72, start: "1", space: here.space });
  expect(await takeHostLock(file, as(73, [72]))).toEqual({ heldBy: 72 });
  expect(readFileSync(file, "utf8")).toContain('"pid":71');
  await taken(file, as(73, []));
  expect(await takeHostLock(file, as(74, [73]))).toEqual({ heldBy: 73 });
});

test("an owner of an earlier boot, one whose id a later process has, and a broken file hold nothing", async () => {
  const file = place();
  const own = idOf(here, process.pid);
  for (const owners of [[{ ...own, space: "before" }], [{ ...own, start: "before" }]]) {
    writeFileSync(file, JSON.stringify({ owners }));
    (await taken(file)).release();
  }
  writeFileSync(file, "{");
  (await taken(file)).release();
  expect(existsSync(file)).toBe(false);
});

testOnLinux(
  "whoever takes the lock of a dead apply knows its processes as those of this machine, until it releases it",
  async () => {
    const file = place();
    const before = [7, 8].map((pid) => ({ pid, start: "1", space: "an earlier boot" }));
    writeFileSync(file, JSON.stringify({ owners: before }));
    expect((await taken(file, as(73, []))).left).toEqual(before);
    // The next one died too.
    const next = await taken(file, as(74, []));
    expect(next.left).toEqual([{ pid: 73, start: "1", space: here.space }, ...before]);
    next.release();
    expect((await taken(file)).left).toEqual([]);
  },
);

test("the wait for another one that takes it does not hold the process", async () => {
  const file = place();
  writeFileSync(file, JSON.stringify({ owners: [{ pid: 2 ** 22 + 1, start: "1", space: here.space }] }));
  writeFileSync(`${file}.taking`, "");
  // In this process, as by another job of a queue's worker.
  setImmediate(() => {
    rmSync(`${file}.taking`);
  });
  (await taken(file)).release();
});

test("of several processes that find a stale lock at once, one takes it, each time", async () => {
  const file = place();
  const script = `
    const { takeHostLock } = require(process.argv[1]);
    const { processesHere } = require(process.argv[2]);
    let lock;
    process.stdin.on("data", async (asked) => {
      if (String(asked) === "release\\n") {
        lock.release?.();
        return process.stdout.write("released\\n");
      }
      lock = await takeHostLock(process.argv[3], processesHere());
      process.stdout.write("heldBy" in lock ? "held\\n" : "taken\\n");
    });
    process.stdout.write("ready\\n");`;
  const dist = join(__dirname, "../../../../dist/cli");
  const children = Array.from({ length: 5 }, () =>
    spawn(process.execPath, ["-e", script, join(dist, "apply/host-lock.js"), join(dist, "engine/processes.js"), file], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const said = async (child: (typeof children)[number]) => String(((await once(child.stdout, "data")) as [Buffer])[0]);
  const asked = (words: string) => {
    const answers = Promise.all(children.map(said));
    for (const child of children) child.stdin.write(words);
    return answers;
  };
  try {
    expect(await Promise.all(children.map(said))).toEqual(Array(5).fill("ready\n"));
    for (let round = 0; round < 100; round++) {
      writeFileSync(file, JSON.stringify({ owners: [{ pid: 2 ** 22 + 1, start: "1", space: here.space }] }));
      const answers = await asked("take\n");
      expect(answers.sort()).toEqual(["held\n", "held\n", "held\n", "held\n", "taken\n"]);
      await asked("release\n");
    }
  } finally {
    for (const child of children) child.kill();
  }
}, 120_000);
