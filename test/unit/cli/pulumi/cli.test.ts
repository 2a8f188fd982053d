/** Which CLI is started, how, and what is read of what it prints. */
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { cliOf, failureOf, firstError, jsonIn, pulumiIn, selectedStack } from "../../../../src/cli/pulumi/cli";
import { programs, temporaryFolder, write } from "../../../support/folders";
import { until } from "../../../support/processes";

const done = { code: 0 };

test("each signal of this process reaches the CLI as one SIGINT, and nothing follows when it has ended", async () => {
  const script = `trap 'echo INT >> signals' INT
touch started signals
until [ "$(wc -l < signals)" -eq 2 ]; do sleep 0.02; done; touch ended`;
  const folder = programs({ pulumi: script });
  const signals = () => readFileSync(join(folder, "signals"), "utf8");
  const running = pulumiIn(folder, { PATH: `${folder}:/usr/bin:/bin` })(["up"]);
  await until(() => existsSync(join(folder, "started")));
  process.emit("SIGTERM");
  await until(() => signals() === "INT\n");
  process.emit("SIGINT");
  await expect(running).rejects.toThrow("interrupted; nothing was sent");
  expect(existsSync(join(folder, "ended"))).toBe(true);
  expect(process.listenerCount("SIGTERM")).toBe(0);
});

test("the first pulumi on PATH runs; npm's package, which passes no signal on, is replaced by what it has downloaded", async () => {
  const folder = temporaryFolder();
  const add = (place: string, says: string) => programs({ pulumi: `echo ${says}` }, join(folder, place));
  const PULUMI_HOME = join(folder, "home");
  const used = async (...folders: string[]) => {
    const PATH = [...folders.map((each) => join(folder, each)), "/usr/bin", "/bin"].join(":");
    const run = await pulumiIn(folder, { PATH, PULUMI_HOME })(["up"]);
    expect(run.cli).toBe(cliOf({ PATH, PULUMI_HOME }));
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

test("a folder of PATH that cannot be searched is skipped, and a relative one is of the current folder", async () => {
  const folder = programs({ pulumi: "echo found" });
  symlinkSync("loop", join(folder, "loop"));
  for (const PATH of [[join(folder, "loop"), folder].join(":"), relative(process.cwd(), folder)])
    expect(await pulumiIn(temporaryFolder(), { PATH })(["version"])).toMatchObject({ ...done, stdout: "found\n" });
});

test("a machine without the CLI, and a file that cannot be started, are named", async () => {
  await expect(pulumiIn("/", { PATH: "/nowhere" })(["version"])).rejects.toThrow(/^there is no pulumi on PATH$/);
  const folder = temporaryFolder();
  writeFileSync(join(folder, "pulumi"), "");
  await expect(pulumiIn("/", { PATH: folder })(["version"])).rejects.toThrow(
    `${folder}/pulumi cannot be started (EACCES)`,
  );
});

test("a question never asks for input, and does not check for updates", async () => {
  const folder = programs({ pulumi: 'read line && exit 9; echo "$* $PULUMI_SKIP_UPDATE_CHECK $PWD"' });
  expect(await pulumiIn(folder, { PATH: folder })(["version"])).toMatchObject({
    stdout: `version --non-interactive --color never 1 ${folder}\n`,
  });
});

test.each<[string, NodeJS.ProcessEnv, string]>([
  ["no list", { https_proxy: "http://p:1" }, ""],
  ["one list", { http_proxy: "http://p:1", NO_PROXY: "corp" }, "corp,"],
  ["two lists", { NO_PROXY: "a", no_grpc_proxy: "c" }, "a,c,"],
])("the CLI reaches this machine without a proxy, with %s of the user's", async (_what, env, own) => {
  const folder = programs({ pulumi: 'echo "$NO_PROXY|$no_proxy|$no_grpc_proxy"' });
  const { stdout } = await pulumiIn(folder, { PATH: folder, ...env })(["version"]);
  expect(stdout.trim().split("|")).toEqual(Array(3).fill(`${own}localhost,127.0.0.1,::1`));
});

test("what npm's package prints of its download is not read, and the first error is the CLI's own", async () => {
  expect(jsonIn('Downloading pulumi v3.259.0...\ndone\n{\n  "a": [1]\n}\n')).toEqual({ a: [1] });
  expect([jsonIn("hello"), jsonIn('{"a":')]).toEqual([undefined, undefined]);
  const folder = programs({ pulumi: "echo Downloading; echo dev" });
  expect(await selectedStack(pulumiIn(folder, { PATH: folder }))).toBe("dev");
  expect(firstError("warning: old\nerror: no stack selected\n")).toBe("no stack selected");
  expect(firstError("Downloading pulumi v3.259.0...\npulumi: fetch failed\n")).toBe("pulumi: fetch failed");
  const failed = { ...done, stdout: "", stderr: "error: no stack selected\n", cli: "/usr/bin/pulumi" };
  expect(failureOf(failed)).toBe("/usr/bin/pulumi: no stack selected");
  expect(failureOf({ ...failed, code: 3, stderr: "" })).toBe("/usr/bin/pulumi: exit code 3");
});
