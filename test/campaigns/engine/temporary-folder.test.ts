/** A temporary folder in which nothing can be written: each command names it. */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { yamlProject } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";
import { testWithUsers, withFullFolder } from "../../support/machine";
import { ended } from "../../support/processes";

test("where it cannot be made or written to, apply and preview say which variable to set", async () => {
  const stack = await yamlProject({});
  stack.write("file", "");
  const folder = join(stack.folder, "file/tmp");
  const reason = `the temporary folder ${folder} cannot be used (ENOTDIR): set TMPDIR to a folder with room for this user`;
  for (const args of [["preview"], ["apply", "--yes"]]) {
    const run = await voiceplane(stack, [...args, "--stack", "dev"], { TMPDIR: folder });
    expect(run).toMatchObject({ code: 1, stdout: "", stderr: `voiceplane: ${reason}\n` });
  }
});

testWithUsers("where it is full, apply and preview say so", async () => {
  const stack = await yamlProject({});
  const folder = join(stack.folder, "full");
  mkdirSync(folder);
  const cli = join(installedPackage(), "dist/cli/index.js");
  const ran = async (command: string, ...options: readonly string[]) => {
    const [unshare, args] = withFullFolder(folder, process.execPath, cli, command, "--stack", "dev", ...options);
    const env = { ...stack.environment, TMPDIR: folder };
    return ended(spawn(unshare, args, { cwd: stack.folder, env, stdio: ["ignore", "pipe", "pipe"] }));
  };
  for (const [command, ...options] of [["preview"], ["apply", "--yes"]] as const) {
    const { code, stderr } = await ran(command, ...options);
    expect([command, code]).toEqual([command, 1]);
    expect(stderr).toContain(`pulumi printed nothing: check that the temporary folder ${folder} has room`);
  }
});
