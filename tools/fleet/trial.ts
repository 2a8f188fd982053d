/**
 * `npm run fleet`: a fleet on this machine, for a look at it. Without PGHOST, nothing of it stays.
 *
 *     npm run fleet
 *     npm run fleet -- --organizations 30 --workers 3
 *
 * It starts PostgreSQL from this machine's package, or uses PGHOST and a database without a fleet; an embedded control plane for each organization; and
 * workers. Then two nights: the first one applies every organization, the second one finds nothing to do.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import pg from "pg";
import { startControlPlane } from "pulumi-voiceplane/control-plane";
import { spreadDays } from "../../examples/fleet/spread.ts";
import { tokenVariable } from "../../examples/fleet/tokens.ts";
import { connectionOf, startPostgres } from "./postgres-server.ts";

const here = join(import.meta.dirname, "../../examples/fleet");
const schema = "voiceplane_fleet";
const { values } = parseArgs({
  options: { organizations: { type: "string", default: "12" }, workers: { type: "string", default: "2" } },
});
const [organizationCount, workerCount] = [Number(values.organizations), Number(values.workers)];

const folder = join(here, ".voiceplane", "trial");
const cleanups: (() => unknown)[] = [];
const children = new Set<ChildProcess>();
let stopped = false;

function step(text: string): void {
  console.log(`\n== ${text}`);
}

/** Runs one of the commands of package.json. */
async function run(env: NodeJS.ProcessEnv, ...args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, ["commands.ts", ...args], { cwd: here, env, stdio: "inherit" });
  children.add(child);
  const [code] = (await once(child, "close")) as [number | null];
  children.delete(child);
  if (stopped) throw new Error("stopped");
  if (code !== 0) throw new Error(`npm run ${args.join(" ")} failed`);
}

async function startWorker(env: NodeJS.ProcessEnv, metricsPort: number): Promise<void> {
  const child = spawn(process.execPath, ["worker.ts"], {
    cwd: here,
    env: { ...env, FLEET_METRICS: `127.0.0.1:${metricsPort}` },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  cleanups.push(() => {
    child.kill("SIGTERM");
    return ended;
  });
  for await (const line of createInterface(child.stdout)) {
    console.log(line);
    if (line.endsWith("is ready")) break;
  }
  child.stdout.resume();
}

/** A database and its owner, as in setup.sql. Returns what the fleet connects with. */
async function createDatabase(superuser: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const password = randomBytes(16).toString("hex");
  const client = new pg.Client(connectionOf(superuser, "postgres"));
  await client.connect();
  await client.query(`create role fleet login password '${password}'`);
  await client.query("create database fleet owner fleet");
  await client.end();
  return { ...superuser, PGUSER: "fleet", PGPASSWORD: password, PGDATABASE: "fleet" };
}

async function postgresEnv(): Promise<Record<string, string>> {
  if (process.env.PGHOST) {
    console.log(`PGHOST is set: ${process.env.PGHOST}`);
    await inDatabase(requireNoFleet);
    return {};
  }
  const postgres = await startPostgres();
  cleanups.push(() => postgres.stop());
  console.log(`started on port ${postgres.env.PGPORT}`);
  return createDatabase(postgres.env);
}

const database = process.env.PGDATABASE ?? "fleet";

async function inDatabase(action: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ database });
  await client.connect();
  await action(client).finally(() => client.end());
}

/** The workers of a trial would take jobs of a real fleet in the same database, and its workers those of the trial. */
async function requireNoFleet(client: pg.Client): Promise<void> {
  // The second schema is that of earlier versions.
  const { rowCount } = await client.query(
    `select from pg_namespace where nspname in ('${schema}', 'fleet')
      and obj_description(oid, 'pg_namespace') is distinct from 'trial'`,
  );
  if (rowCount !== 0) throw new Error(`the database ${database} has a fleet: set PGDATABASE to one of the trial's own`);
}

const organizationFile = (name: string): string => `retention:
  recordings: { days: 90 }
  conversations: { days: 365 }
trunks:
  carrier: { id: b0000000-0000-4000-8000-000000000001, outboundAuth: cleared }
webhooks:
  crm: { id: c0000000-0000-4000-8000-000000000001, onCreate: rotate, rotateAfter: ${spreadDays(name, 90)}d }
`;

/** Writes the files of an organization. Returns the variable of its token, and the token. */
async function createOrganization(name: string): Promise<[string, string]> {
  const controlPlane = await startControlPlane();
  cleanups.push(() => controlPlane.close());
  writeFileSync(join(folder, "organizations", `${name}.yaml`), organizationFile(name));
  writeFileSync(
    join(folder, "stacks", `Pulumi.${name}.yaml`),
    `config:
  voiceplane:organizationFile: ../organizations/${name}.yaml
  voiceplane:baseUrl: ${controlPlane.url}
  voiceplane:account: ${name}
`,
  );
  return [tokenVariable(name), controlPlane.tokens.full];
}

async function main(): Promise<void> {
  if (!(organizationCount >= 1 && workerCount >= 1))
    throw new Error("--organizations and --workers take numbers above 0");
  if (process.env.VOICEPLANE_BASE_URL !== undefined) {
    throw new Error(
      "this is a trial: for the organizations of VOICEPLANE_BASE_URL, see README.md (setup, worker, night)",
    );
  }
  step("PostgreSQL");
  const postgres = await postgresEnv();

  step(`${organizationCount} organizations, each with an embedded control plane`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "organizations"), { recursive: true });
  cpSync(join(here, "stacks"), join(folder, "stacks"), { recursive: true });
  cleanups.push(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  // On a server that stays, a second trial needs other names.
  const prefix = process.env.PGHOST ? `trial-${randomBytes(3).toString("hex")}` : "customer";
  const numbers = Array.from({ length: organizationCount }, (_, index) => String(index + 1).padStart(3, "0"));
  const names = numbers.map((number) => `${prefix}-${number}`);
  const tokens = await Promise.all(names.map(createOrganization));
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    ...postgres,
    ...Object.fromEntries(tokens),
    FLEET_FOLDER: folder,
    FLEET_POLL_SECONDS: "0.5",
    // The first night of these organizations deletes data, cuts trunks and rotates secrets, in all of them.
    FLEET_BUDGET: "off",
    PULUMI_HOME: join(folder, "pulumi-home"),
    PULUMI_CONFIG_PASSPHRASE: randomBytes(16).toString("hex"),
    PATH: [process.env.PATH, join(here, "node_modules", ".bin")].join(delimiter),
  };
  await run(env, "setup");
  if (process.env.PGHOST) await inDatabase((client) => client.query(`comment on schema ${schema} is 'trial'`));
  await run(env, "adopt", ...names, "--base-url", "of its file");

  step(`${workerCount} workers`);
  await Promise.all(Array.from({ length: workerCount }, (_, index) => startWorker(env, 9464 + index)));

  step("the first night");
  await run(env, "night");
  step("the second night: nothing has changed, nothing is due, and no process of Pulumi's starts");
  await run(env, "night", "--all");
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.on(signal, () => {
    stopped = true;
    for (const child of children) child.kill(signal);
  });
}
try {
  await main();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  for (const cleanup of cleanups.reverse()) await cleanup();
}
