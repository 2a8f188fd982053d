/** Machines as jobs' containers have them: homes, temporary folders and proxies that are not what a command expects. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { start } from "../../support/engine/command";
import { organizationProject, yamlProject, type Project } from "../../support/engine/project";
import { asStranger, testWithUsers, withFullFolder, withPasswd } from "../../support/machine";
import type { Finished } from "../../support/processes";
import { cli } from "../../support/engine/installation";

const unknown = { HOME: undefined, USER: undefined, PULUMI_HOME: undefined, PULUMI_BACKEND_URL: undefined };

const ran = (
  { folder, environment }: Project,
  [unshare, args]: ReturnType<typeof asStranger | typeof withFullFolder | typeof withPasswd>,
  env: NodeJS.ProcessEnv,
): Promise<Finished> => start(unshare, args, { cwd: folder, env: { ...environment, TMPDIR: folder, ...env } }).finished;

// The CLI takes the user database's, whatever HOME says.
testWithUsers("apply finds the login in the home of the user database, not in HOME", async () => {
  const stack = await yamlProject({});
  stack.write("passwd", `root:x:0:0:root:${stack.folder}/own:/bin/sh\n`);
  const passwd = join(stack.folder, "passwd");
  const env = { ...unknown, HOME: join(stack.folder, "another") };
  const login = await ran(stack, withPasswd(passwd, "pulumi", "login", `file://${stack.folder}/.state`), env);
  expect(login).toMatchObject({ code: 0 });
  const command = [process.execPath, cli, "apply", "--yes", "--stack", "dev", "--format", "summary"] as const;
  expect(await ran(stack, withPasswd(passwd, ...command), env)).toMatchObject({
    code: 0,
    stdout: "update: no changes\n",
  });
});

testWithUsers("without any home, each command names the cause, and none shows a stack trace", async () => {
  const stack = await yamlProject({});
  const needed = "user: Current requires cgo or $USER, $HOME set in environment";
  for (const args of [["apply", "--yes"], ["doctor"], ["status"], ["preview"]]) {
    const command = asStranger(process.execPath, cli, ...args, "--stack", "dev");
    const { code, stdout, stderr } = await ran(stack, command, unknown);
    expect([args, code === 0, (stdout + stderr).includes(needed)]).toEqual([args, false, true]);
    expect(stdout + stderr).not.toMatch(/^\s+at /m);
  }
  const named = { ...unknown, PULUMI_BACKEND_URL: `file://${stack.folder}/.state` };
  const apply = asStranger(process.execPath, cli, "apply", "--yes", "--stack", "dev");
  expect(await ran(stack, apply, named)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("$HOME set in environment") as string,
  });
});

test("where no temporary folder can be made or written to, apply and preview say which variable to set", async () => {
  const stack = await yamlProject({});
  stack.write("file", "");
  const folder = join(stack.folder, "file/tmp");
  const reason = `the temporary folder ${folder} cannot be used (ENOTDIR): set TMPDIR to a folder with room for this user`;
  for (const args of [["preview"], ["apply", "--yes"]]) {
    const run = await stack.voiceplane(args, { TMPDIR: folder });
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: `voiceplane: ${reason}\n` });
  }
});

testWithUsers("where it is full, apply and preview say so", async () => {
  const stack = await yamlProject({});
  const folder = join(stack.folder, "full");
  mkdirSync(folder);
  for (const [command, ...options] of [["preview"], ["apply", "--yes"]] as const) {
    const beside = withFullFolder(folder, process.execPath, cli, command, "--stack", "dev", ...options);
    const { code, stderr } = await ran(stack, beside, { TMPDIR: folder });
    expect([command, code]).toEqual([command, 1]);
    expect(stderr).toContain(`pulumi printed nothing: check that the temporary folder ${folder} has room`);
  }
});

// As where `http_proxy` is set without NO_PROXY.
test("apply and preview reach the engine and the control plane of this machine past a proxy that does not answer, and plain pulumi does not", async () => {
  const proxy = { http_proxy: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" };
  const file = "retention:\n  recordings: { days: 90, onCreate: overwrite }\n";
  const stack = await organizationProject(file, { env: proxy });
  const preview = await stack.voiceplane(["preview"]);
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining("recordings") as string });
  const intranet = { no_grpc_proxy: "intranet" };
  expect(await stack.voiceplane(["apply", "--yes"], intranet)).toMatchObject({ code: 0 });
  // As the page of messages says.
  expect(await stack.up({ fails: true })).toContain("No connection established");
  expect(await stack.run(["preview", "--stack", "dev"], { env: { no_proxy: "127.0.0.1" } })).toContain("3 unchanged");
});
