/** The state in PostgreSQL, where its programs are installed: an update, a kill, and the update after it. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import { chownSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterTest } from "../../support/after-test";
import { ids } from "../../support/engine/organization";
import { project, type ResourceState } from "../../support/engine/project";
import { crm } from "../../support/engine/yaml-program";
import { rotationsOf } from "../../support/faults/aftermath";
import { die, endAfterTest } from "../../support/faults/deaths";
import { until } from "../../support/processes";

const versions = "/usr/lib/postgresql";

function programsFolder(): string | undefined {
  const { status, stdout } = spawnSync("pg_config", ["--bindir"], { encoding: "utf8" });
  if (status === 0) return stdout.trim();
  try {
    return join(versions, readdirSync(versions).sort().at(-1) ?? "", "bin");
  } catch {
    return undefined;
  }
}

const bin = programsFolder();

/** It refuses to run as root. */
function user(): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) => Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
  return { uid: idOf("-u"), gid: idOf("-g") };
}

/** A server with one empty database, which listens on a socket in its folder alone. */
async function database(): Promise<Record<string, string>> {
  const owner = user();
  // The folders of the tests are of their user alone, and a socket's path is short.
  const socket = mkdtempSync("/tmp/voiceplane-postgres-");
  const data = join(socket, "data");
  if (owner.uid !== undefined) chownSync(socket, owner.uid, owner.gid ?? owner.uid);
  const options = { ...owner, cwd: socket, stdio: "ignore", env: { PATH: process.env.PATH, LC_ALL: "C" } } as const;
  const program = (name: string) => join(bin ?? "", name);
  execFileSync(program("initdb"), ["-D", data, "-A", "trust", "-U", "pulumi", "--no-sync"], options);
  const server = spawn(program("postgres"), ["-D", data, "-k", socket, "-c", "listen_addresses="], options);
  afterTest(async () => {
    server.kill("SIGQUIT");
    await until(() => server.exitCode !== null || server.signalCode !== null);
    rmSync(socket, { recursive: true, force: true });
  });
  const access = { PGHOST: socket, PGUSER: "pulumi" };
  const env = { ...options.env, ...access };
  await until(() => spawnSync(program("createdb"), ["voice"], { ...options, env }).status === 0);
  return { ...access, PULUMI_BACKEND_URL: "postgres:///voice?sslmode=disable" };
}

const program = (n: number) => ({ resources: { crm: crm({ triggers: { n } }) } });

const title =
  "with its state in PostgreSQL, a rotation that was killed is sent once more and said, and its secret is in the state";

async function survives(): Promise<void> {
  const stack = endAfterTest(await project({ env: await database() }));
  stack.yaml(program(1));
  await stack.up();
  stack.yaml(program(2));
  await die(stack, "machine");
  expect(rotationsOf(stack)[ids.crm]).toBe(2);
  expect(await stack.up({ fails: true })).toContain("the stack is currently locked by 1 lock");
  await stack.run(["cancel", "--yes", "--stack", "dev"]);

  expect(await stack.up()).toContain("it is unknown whether its last rotation was carried out");
  expect(rotationsOf(stack)[ids.crm]).toBe(3);
  expect(await stack.up()).toContain("unchanged");
  const exported = await stack.run(["stack", "export", "--show-secrets", "--stack", "dev"]);
  const { deployment } = JSON.parse(exported) as { deployment: { resources: ResourceState[] } };
  const { secret } = deployment.resources.find(({ urn }) => urn.endsWith("::crm"))?.outputs ?? {};
  const text = JSON.parse((secret as { plaintext: string }).plaintext) as string;
  const { webhooks } = stack.organization.control.state();
  expect(webhooks.find(({ id }) => id === ids.crm)?.signing_secret_sha256).toBe(hash("sha256", text));
}

if (bin === undefined) test.skip(`${title}: NOT CHECKED, PostgreSQL is not installed`, survives);
else test(title, survives);
