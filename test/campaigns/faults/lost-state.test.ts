/** A state that is missing or cannot be opened: what the commands print is followed, with the real engine. */
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { applied, organizationProject, resultOf, startApply, webhook } from "../../support/engine/apply";
import { installedPackage } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import type { Project } from "../../support/engine/project";
import { expectCurrentSecret, locksOf, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { createDatabase, databaseOf, withClient } from "../../support/fleet/database";
import { ended } from "../../support/processes";
import { connectionOf } from "../../../tools/fleet/postgres-server";

const state = ".state/.pulumi/stacks/test/dev.json";

/** What doctor, status and apply say of a stack that none of them can read: the same. */
async function said(stack: Project): Promise<string> {
  const cli = join(installedPackage(), "dist/cli/index.js");
  const outputs = await Promise.all(
    ["doctor", "status"].map(async (command) => {
      const args = [cli, command, "--stack", "dev"];
      const { code, stdout, stderr } = await ended(
        spawn(process.execPath, args, { cwd: stack.folder, env: stack.environment, stdio: ["ignore", "pipe", "pipe"] }),
      );
      expect({ command, code }).toEqual({ command, code: 1 });
      return stdout + stderr;
    }),
  );
  const { outcome, reason } = await applied(stack);
  expect(outcome).toBe("failed");
  for (const output of outputs) expect(output).toContain(reason);
  return reason;
}

/** Whether the engine keeps the state as it is until it has written it in another format. Of those tried, 3.259 does not, and 3.274 does. */
async function keepsOldFile(stack: Project): Promise<boolean> {
  const [, minor] = /v3\.(\d+)\./.exec(await stack.run(["version"])) ?? [];
  return Number(minor) >= 274;
}

const commandIn = (text: string): string => /run `(.*?)`/.exec(text)?.[1] ?? "";

const follow = (stack: Project, text: string) =>
  execFileSync("sh", ["-c", commandIn(text)], { cwd: stack.folder, env: stack.environment, encoding: "utf8" });

test("a run that is killed while it packs the state leaves the backup, and the command that everyone prints brings it back", async () => {
  const stack = await organizationProject(webhook("0"));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });

  // No file can have this name, as on a full disk. The engine then tries for half a minute.
  mkdirSync(join(stack.folder, `${state}.zst/in the way`), { recursive: true });
  const packing = { flags: ["--no-skip"], env: { PULUMI_DIY_BACKEND_ZSTD: "1" } };
  if (await keepsOldFile(stack)) {
    expect(await applied(stack, packing)).toMatchObject({ outcome: "failed", rotations: 0 });
    rmSync(join(stack.folder, `${state}.zst`), { recursive: true });
    expect(await stack.run(["stack", "ls"])).toContain("dev");
    expect(await applied(stack)).toMatchObject({ outcome: "unchanged", rotations: 0, uncertain: 0 });
    return;
  }
  const run = startApply(stack, packing);
  await stack.until(() => !existsSync(join(stack.folder, state)));
  run.child.kill("SIGKILL");
  for (const { pid, command } of processesOf(stack)) if (/^pulumi up\b/.test(command)) process.kill(pid, "SIGKILL");
  await run.finished;
  await stack.until(() => processesOf(stack).length === 0);
  rmSync(join(stack.folder, `${state}.zst`), { recursive: true });
  expect(await stack.run(["stack", "ls"])).not.toContain("dev");
  expect(locksOf(stack)).toHaveLength(1);

  const text = await said(stack);
  expect(text).toContain(`${state}.bak is left`);
  follow(stack, text);
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", requests: 0, rotations: 0, uncertain: 0 });
  expect(rotationsOf(stack)[ids.crm]).toBe(1);
  expectCurrentSecret(stack, "org-crm");
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
});

test("attributes that a killed run left empty stop every command, until the printed command removes them", async () => {
  const stack = await organizationProject(webhook("0"));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
  stack.write(`${state}.attrs`, "");
  utimesSync(join(stack.folder, `${state}.attrs`), 1, 1);
  // The run is not skipped: something else has changed.
  stack.write("organization.yaml", `${webhook("0")}# a remark\n`);
  expect(await stack.run(["stack", "ls"], { fails: true })).toContain("error: EOF");

  const text = await said(stack);
  expect(commandIn(text)).toBe(`rm ${join(stack.folder, `${state}.attrs`)}`);
  follow(stack, text);
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", requests: 0 });
});

test("a state in PostgreSQL that is missing comes back by the printed command", async () => {
  const database = await databaseOf();
  await createDatabase(database);
  const { PGDATABASE: name = "" } = database;
  const env = { ...database, PULUMI_BACKEND_URL: `postgres:///${name}`, PULUMI_DIY_BACKEND_PARALLEL: "1" };
  const stack = await organizationProject(webhook("0"), { env });
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
  const query = (sql: string) => withClient(connectionOf(env, name), (client) => client.query(sql));
  const { rowCount } = await query(`delete from pulumi_state where key = '${name}/.pulumi/stacks/test/dev.json'`);
  expect(rowCount).toBe(1);

  const text = await said(stack);
  expect(text).toContain(`${join(stack.folder, ".voiceplane/apply/dev.json")} is left`);
  expect(commandIn(text)).toMatch(new RegExp(`^psql -d ${name} -c "insert into .*"$`));
  // The programs of an npm package have no psql.
  if ((process.env.PATH ?? "").split(":").some((folder) => existsSync(join(folder, "psql")))) follow(stack, text);
  else await query(/"(.*)"/.exec(commandIn(text))?.[1] ?? "");
  expect(await applied(stack)).toMatchObject({ outcome: "unchanged", requests: 0, rotations: 0, uncertain: 0 });
  expect(rotationsOf(stack)[ids.crm]).toBe(1);
});

test("a file backend without attributes is used like any other, also with a state that has them", async () => {
  const stack = await organizationProject(webhook("0"));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
  const attributes = () =>
    readdirSync(join(stack.folder, ".state"), { recursive: true, encoding: "utf8" }).filter((each) =>
      each.endsWith(".attrs"),
    );
  const before = attributes();
  expect(before).not.toEqual([]);

  const env = { PULUMI_BACKEND_URL: `${stack.environment.PULUMI_BACKEND_URL ?? ""}?metadata=skip` };
  const on = { env };
  expect(await applied(stack, { ...on, flags: ["--no-skip"] })).toMatchObject({ outcome: "unchanged", requests: 0 });
  stack.write("organization.yaml", webhook("1"));
  const run = startApply(stack, on);
  await stack.until(() => locksOf(stack).length > 0);
  expect(await stack.run(["up", "--yes", "--skip-preview", "--stack", "dev"], { ...on, fails: true })).toContain(
    "the stack is currently locked by 1 lock(s)",
  );
  expect(await resultOf(run)).toMatchObject({ outcome: "applied", rotations: 1 });
  await stack.run(["stack", "rename", "prod", "--stack", "dev"], on);
  await stack.run(["stack", "export", "--stack", "prod", "--file", "exported.json"], on);
  await stack.run(["stack", "import", "--stack", "prod", "--file", "exported.json"], on);
  expect(await stack.run(["stack", "ls"], on)).toMatch(/^prod\b/m);
  expect(await stack.run(["stack", "history", "--stack", "prod"], on)).toContain("Status: succeeded");
  expect(await applied(stack, { ...on, stack: "prod" })).toMatchObject({ outcome: "unchanged", requests: 0 });
  expect(rotationsOf(stack)[ids.crm]).toBe(2);
  expect(attributes().filter((name) => !before.includes(name))).toEqual([]);
});
