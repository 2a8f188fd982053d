/** Homes as jobs' containers have them: the CLI takes the user database's, whatever HOME says. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { yamlProject, type Project } from "../../support/engine/project";
import { asStranger, testWithUsers, withPasswd } from "../../support/machine";
import { ended, type Finished } from "../../support/processes";

const cli = join(installedPackage(), "dist/cli/index.js");
const unknown = { HOME: undefined, USER: undefined, PULUMI_HOME: undefined, PULUMI_BACKEND_URL: undefined };

async function ran(
  stack: Project,
  [unshare, args]: ReturnType<typeof asStranger | typeof withPasswd>,
  env: NodeJS.ProcessEnv,
): Promise<Finished> {
  const child = spawn(unshare, args, {
    cwd: stack.folder,
    env: { ...stack.environment, TMPDIR: stack.folder, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return ended(child);
}

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
