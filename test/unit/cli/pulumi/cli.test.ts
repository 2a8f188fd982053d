import processes from "node:child_process";
import { existsSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { firstError, queryPulumi, runPulumi } from "../../../../src/cli/pulumi/cli";
import { programs, temporaryFolder, write } from "../../../support/folders";
import { testOnLinux } from "../../../support/machine";
import { until } from "../../../support/processes";

/** The files of the folder that this process has open, also those whose name is gone (Linux only). */
function openIn(folder: string): string[] {
  return readdirSync("/proc/self/fd").flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`);
      return target.startsWith(folder) ? [target] : [];
    } catch {
      return []; // The one of this listing.
    }
  });
}

testOnLinux(
  "where the second file for the output cannot be made, the first one is closed and no process starts",
  async () => {
    const files = temporaryFolder();
    writeFileSync(join(files, "stderr"), "");
    const run = runPulumi(["version"], { folder: files, env: { PATH: "/nowhere" }, files, signals: [] });
    await expect(run).rejects.toThrow(/^EEXIST: file already exists/);
    expect(openIn(files)).toEqual([]);
  },
);

test.each<[NodeJS.Platform, string]>([
  ["linux", "INT\nINT\n"],
  ["win32", "INT\n"],
])("on %s, an interrupted CLI gets what does not end a rotation: %j", async (platform, received) => {
  const folder = temporaryFolder();
  const [first, second] = [new AbortController(), new AbortController()];
  const script = `trap 'echo INT >> signals' INT
touch started signals
until [ -f go ]; do sleep 0.02; done
touch went
until [ -f end ]; do sleep 0.02; done`;
  programs({ pulumi: script }, folder);
  const env = { PATH: `${folder}:/usr/bin:/bin` };
  const signals = [first.signal, second.signal];
  const running = runPulumi(["up"], { folder, env, files: temporaryFolder(), signals, platform });
  const there = (name: string) => until(() => existsSync(join(folder, name)));
  await there("started");
  first.abort();
  writeFileSync(join(folder, "go"), "");
  await there("went");
  second.abort();
  await until(() => readFileSync(join(folder, "signals"), "utf8") === received);
  writeFileSync(join(folder, "end"), "");
  expect(await running).toMatchObject({ code: 0 });
});

test("the first error is the CLI's own, or that of npm's package that could not download it", () => {
  expect(firstError("warning: old\nerror: no stack selected\n")).toBe("no stack selected");
  expect(firstError("Downloading pulumi v3.259.0...\npulumi: fetch failed\n")).toBe("pulumi: fetch failed");
});

test("the first pulumi on PATH runs; npm's package, which passes no signal on, is replaced by what it has downloaded", async () => {
  const folder = temporaryFolder();
  const add = (place: string, says: string) => programs({ pulumi: `echo ${says}` }, join(folder, place));
  const PULUMI_HOME = join(folder, "home");
  const used = async (...folders: string[]) => {
    const PATH = [...folders.map((each) => join(folder, each)), "/usr/bin", "/bin"].join(":");
    const run = await runPulumi(["up"], { folder, env: { PATH, PULUMI_HOME }, files: temporaryFolder(), signals: [] });
    return run.stdout.trim();
  };
  write(folder, { "node_modules/pulumi/package.json": '{ "version": "3.259.0" }' });
  add("node_modules/.bin", "the package");
  add("installed", "installed");
  expect(await used("node_modules/.bin", "installed")).toBe("the package");
  add("home/versions/3.259.0/bin", "downloaded");
  expect(await used("node_modules/.bin", "installed")).toBe("downloaded");
  expect(await used("installed", "node_modules/.bin")).toBe("installed");
});

test("a folder of PATH that cannot be searched is skipped, as a shell skips it", async () => {
  const folder = programs({ pulumi: "echo found" });
  symlinkSync("loop", join(folder, "loop"));
  const env = { PATH: [join(folder, "loop"), folder].join(":") };
  expect(await queryPulumi(env)(["version"], folder)).toEqual({ kind: "done", stdout: "found\n" });
});

test("a relative folder of PATH is one of the current folder, also for a project in another folder", async () => {
  const folder = programs({ pulumi: "echo found" });
  const env = { PATH: relative(process.cwd(), folder) };
  expect(await queryPulumi(env)(["version"], temporaryFolder())).toEqual({ kind: "done", stdout: "found\n" });
});

test("on Windows, the folders are found under any spelling of PATH, and no window opens", async () => {
  const folder = temporaryFolder();
  write(folder, { "node_modules/pulumi/package.json": '{ "version": "3.259.0" }' });
  programs({ pulumi: "echo downloaded" }, join(folder, "home/versions/3.259.0/bin"));
  const env = { Path: join(folder, "node_modules/.bin"), PULUMI_HOME: join(folder, "home") };
  const [started, asked] = [jest.spyOn(processes, "spawn"), jest.spyOn(processes, "execFile")];
  try {
    const run = await runPulumi(["up"], { folder, env, files: temporaryFolder(), signals: [] });
    expect(run.stdout).toBe("downloaded\n");
    expect(await queryPulumi(env)(["version"], folder)).toEqual({ kind: "done", stdout: "downloaded\n" });
    expect(started.mock.calls[0]?.[2]).toMatchObject({ windowsHide: true });
    expect(asked.mock.calls[0]?.[2]).toMatchObject({ windowsHide: true });
  } finally {
    started.mockRestore();
    asked.mockRestore();
  }
});

test("a query never asks for input, and does not check for updates", async () => {
  const folder = programs({ pulumi: 'read line && exit 9; echo "$* $PULUMI_SKIP_UPDATE_CHECK $PWD"' });
  const answer = await queryPulumi({ PATH: folder })(["version"], folder);
  expect(answer).toEqual({ kind: "done", stdout: `version --non-interactive 1 ${folder}\n` });
});

test.each<[string, NodeJS.ProcessEnv, string[]]>([
  ["no list", { https_proxy: "http://p:1" }, ["", "", ""]],
  ["one list", { http_proxy: "http://p:1", NO_PROXY: "corp" }, ["corp,", "corp,", "corp,"]],
  ["three lists", { NO_PROXY: "a", no_proxy: "b", no_grpc_proxy: "c" }, ["a,", "b,", "c,"]],
])("the CLI reaches this machine without a proxy, with %s of the user's", async (_what, env, lists) => {
  const folder = programs({ pulumi: 'echo "$NO_PROXY|$no_proxy|$no_grpc_proxy"' });
  const answer = await queryPulumi({ PATH: folder, ...env })(["version"], folder);
  const all = lists.map((list) => `${list}localhost,127.0.0.1,::1`);
  expect(answer).toEqual({ kind: "done", stdout: `${all.join("|")}\n` });
});
