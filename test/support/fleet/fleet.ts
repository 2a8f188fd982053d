/** A fleet as a user has it: a folder of organizations, workers as processes, and control planes. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, delimiter, join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import pg from "pg";
import { connectionOf } from "../../../tools/fleet/postgres-server";
import type { Row } from "../../../examples/fleet/summary";
import { compileCache, engineFolder, engineMemory, sharedInstallation } from "../engine/installation";
import { organization, type TestOrganization } from "../engine/organization";
import { until } from "../processes";
import { createDatabase, databaseOf, keepPrepared, withClient } from "./database";

const example = resolve(__dirname, "../../../examples/fleet");

/** Of all processes, the engine's too. A file says how many days it is ahead. */
const clock = join(__dirname, "../faults/movable-clock.cjs");

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** A process of Pulumi's CLI. */
export interface Cli {
  readonly pid: number;
  /** The worker, while it lives. */
  readonly parent: number;
}

export interface Worker {
  readonly pid: number;
  /** Everything that it has printed. */
  output(): string;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const open = new Set<Fleet>();

afterEach(async () => {
  for (const fleet of open) await fleet.close();
  open.clear();
});

/** @param database the name of the role and of its database */
export async function newFleet(env: NodeJS.ProcessEnv = {}, database?: string): Promise<Fleet> {
  const fleet = new Fleet(await databaseOf(database), env);
  open.add(fleet);
  return fleet;
}

export class Fleet {
  readonly folder = mkdtempSync(join(sharedInstallation(), "fleet-"));
  readonly database: Readonly<Record<string, string>>;
  readonly planes = new Map<string, TestOrganization>();
  readonly #env: NodeJS.ProcessEnv;
  readonly #workers = new Set<ChildProcess>();
  /** Whether the database is a copy of a prepared one, once it is there. */
  #created: Promise<boolean> | undefined;
  /** The connection of rows(), which tests ask again and again. */
  #watching: Promise<pg.Client> | undefined;

  constructor(database: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv) {
    this.database = database;
    mkdirSync(join(this.folder, "organizations"));
    mkdirSync(join(this.folder, "bin"));
    mkdirSync(join(this.folder, "tmp"));
    cpSync(join(example, "stacks"), join(this.folder, "stacks"), { recursive: true });
    // A program in TypeScript is started by name; this one notes each start, then becomes the real one.
    const recorder = `#!/bin/sh\necho "$*" >> "${this.#calls}"\nexec "${join(engineFolder(), "pulumi")}" "$@"\n`;
    writeFileSync(join(this.folder, "bin/pulumi"), recorder, { mode: 0o755 });
    writeFileSync(this.#calls, "");
    this.setDays(0);
    this.#env = {
      PATH: [join(this.folder, "bin"), engineFolder(), dirname(process.execPath), process.env.PATH].join(delimiter),
      HOME: this.folder,
      // Workers that are killed leave files.
      TMPDIR: join(this.folder, "tmp"),
      PULUMI_HOME: join(this.folder, ".home"),
      PULUMI_CONFIG_PASSPHRASE: "a passphrase for tests",
      NODE_OPTIONS: `--require "${clock}"`,
      CLOCK_FILE: join(this.folder, "days"),
      NODE_COMPILE_CACHE: compileCache(sharedInstallation()),
      ...engineMemory,
      ...database,
      FLEET_FOLDER: this.folder,
      FLEET_METRICS: "off",
      // Without previews. Tests of the budget set another one.
      FLEET_BUDGET: "off",
      FLEET_POLL_SECONDS: "0.5",
      FLEET_HEARTBEAT_SECONDS: "10",
      FLEET_SUPERVISE_SECONDS: "1",
      FLEET_DEFER_SECONDS: "2",
      FLEET_RETRY_SECONDS: "1",
      FLEET_FULL_PASS_DAYS: "1000",
      // Nights begin when a test says so, whatever it makes of the clocks.
      FLEET_CRON: "0 0 29 2 *",
      ...env,
    };
  }

  /** Replaces Pulumi's CLI by a script, for what happens around it. Its calls are still noted. */
  replaceCli(script: string): void {
    writeFileSync(join(this.folder, "bin/pulumi"), `#!/bin/sh\necho "$*" >> "${this.#calls}"\n${script}\n`);
  }

  get #calls(): string {
    return join(this.folder, "calls.txt");
  }

  /** The arguments of each start of Pulumi's CLI since the last call. */
  calls(): string[] {
    const lines = readFileSync(this.#calls, "utf8").split("\n").filter(Boolean);
    writeFileSync(this.#calls, "");
    return lines;
  }

  /** Writes the file of an organization, and starts its control plane. */
  async declare(name: string, file: string, token = "vp_dev_full"): Promise<TestOrganization> {
    const plane = await organization();
    this.planes.set(name, plane);
    this.write(`organizations/${name}.yaml`, file);
    const config = { organizationFile: `../organizations/${name}.yaml`, baseUrl: plane.url, account: name };
    const lines = Object.entries(config).map(([key, value]) => `  voiceplane:${key}: ${value}\n`);
    this.write(`stacks/Pulumi.${name}.yaml`, `config:\n${lines.join("")}`);
    if (token) this.#env[`VOICEPLANE_TOKEN_${name.toUpperCase().replaceAll("-", "_")}`] = token;
    return plane;
  }

  plane(name: string): TestOrganization {
    const plane = this.planes.get(name);
    if (!plane) throw new Error(`no organization ${name}`);
    return plane;
  }

  /** Once each organization is declared: tables, queues and stacks. */
  async prepare(names: readonly string[]): Promise<void> {
    const settings = /^FLEET_(RETRIES|RETRY_SECONDS|HEARTBEAT_SECONDS)$/;
    const stored = Object.entries(this.#env).filter(([name]) => settings.test(name));
    const known = JSON.stringify(stored);
    const isCopy = (this.#created ??= createDatabase(this.database, known));
    if (!(await isCopy)) {
      await this.succeed("setup");
      await keepPrepared(this.database, known);
    }
    if (names.length > 0) await this.succeed("adopt", ...names, "--base-url", "in the files");
    this.calls();
  }

  write(name: string, content: string): void {
    writeFileSync(join(this.folder, name), content);
  }

  /** Runs one of the commands of the example, or a file. */
  async run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    const program = command.endsWith(".ts") ? [join(example, command)] : [join(example, "commands.ts"), command];
    return this.#started(process.execPath, [...program, ...args], this.folder, env);
  }

  /** The names of the stacks, as Pulumi's CLI sees them. */
  async stacks(): Promise<string[]> {
    const env = { PULUMI_BACKEND_URL: `postgres:///${this.database.PGDATABASE ?? ""}` };
    const { output } = await this.#started("pulumi", ["stack", "ls", "--json"], join(this.folder, "stacks"), env);
    return (JSON.parse(output) as { readonly name: string }[]).map(({ name }) => name);
  }

  /** Whether Pulumi's CLI goes on to the next schema if the first one has no table. Of those tried, 3.259 does not, and 3.274 does. */
  async seesOtherSchemas(): Promise<boolean> {
    const { output } = await this.#started("pulumi", ["version"], this.folder, {});
    const [, minor] = /v3\.(\d+)\./.exec(output) ?? [];
    return Number(minor) >= 274;
  }

  async #started(file: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): Promise<Finished> {
    await (this.#created ??= createDatabase(this.database));
    const child = spawn(file, args, {
      cwd,
      env: { ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
    return { code: child.exitCode, output: (output + problems).trim() };
  }

  async succeed(command: string, ...args: string[]): Promise<string> {
    const { code, output } = await this.run(command, args);
    if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}:\n${output}`);
    return output;
  }

  /** Starts a night and waits for its end. */
  async night(...names: string[]): Promise<Finished> {
    return this.run("night", ["--all", ...names]);
  }

  /** Waits until each organization of the newest night is done. */
  async finished(): Promise<void> {
    await until(async () => Object.values(await this.rows()).every(({ state }) => state === "done"));
  }

  /** Sets all clocks ahead of the machine's, also those of running workers and of the control planes. */
  setDays(days: number): void {
    this.write("days", String(days));
    for (const { control } of this.planes.values()) control.setClock(new Date(Date.now() + days * 86_400_000));
  }

  async worker(env: NodeJS.ProcessEnv = {}): Promise<Worker> {
    const child = spawn(process.execPath, ["--max-semi-space-size=2", join(example, "worker.ts")], {
      cwd: this.folder,
      env: { ...this.#env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#workers.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (part: Buffer) => (output += part.toString()));
    const ended = once(child, "close").then(() => this.#workers.delete(child));
    await until(() => output.includes("is ready\n") || child.exitCode !== null);
    if (child.exitCode !== null) throw new Error(`the worker ended: ${output}`);
    return {
      pid: child.pid ?? 0,
      output: () => output,
      kill: async (signal) => {
        child.kill(signal);
        await ended;
      },
    };
  }

  async query<T extends pg.QueryResultRow>(sql: string, values: unknown[] = []): Promise<T[]> {
    await (this.#created ??= createDatabase(this.database));
    return withClient(
      connectionOf(this.database, this.database.PGDATABASE ?? ""),
      async (client) => (await client.query<T>(sql, values)).rows,
    );
  }

  /** The newest night, by organization. */
  async rows(): Promise<Record<string, Row>> {
    const client = await (this.#watching ??= this.#connect());
    const { rows } = await client.query<Row & pg.QueryResultRow>(
      "select * from voiceplane_fleet.result where night = (select max(night) from voiceplane_fleet.night)",
    );
    return Object.fromEntries(rows.map((row) => [row.organization, row]));
  }

  /** The state of a stack, as Pulumi's table has it. Secrets are encrypted in it. */
  async state(name: string): Promise<State> {
    const [row] = await this.query<{ data: { data: string } }>("select data from pulumi_state where key = $1", [
      `${this.database.PGDATABASE ?? ""}/.pulumi/stacks/fleet/${name}.json`,
    ]);
    if (!row) throw new Error(`no state of ${name}`);
    const content = Buffer.from(row.data.data, "base64").toString();
    const { checkpoint } = JSON.parse(content) as { checkpoint: { latest?: Partial<State> } };
    return { resources: [], pending_operations: [], ...checkpoint.latest };
  }

  /** The number of rotations by a stack's state. */
  async rotations(name: string): Promise<number> {
    const { resources } = await this.state(name);
    return resources.reduce((sum, { outputs }) => sum + (outputs?.rotationCount ?? 0), 0);
  }

  /** The keys of Pulumi's locks. */
  async locks(): Promise<string[]> {
    const rows = await this.query<{ key: string }>("select key from pulumi_state where key like '%/.pulumi/locks/%'");
    return rows.map(({ key }) => key);
  }

  /** The running `up` of a stack. */
  cli(name: string): Cli | undefined {
    return this.processes().find(
      ({ command }) => command.startsWith("pulumi\0up\0") && command.includes(`\0${name}\0`),
    );
  }

  /** All processes of Pulumi's, and their plugins (Linux only). */
  processes(): (Cli & { readonly command: string })[] {
    return readdirSync("/proc")
      .filter((entry) => /^\d+$/.test(entry))
      .flatMap((entry) => {
        try {
          const environment = readFileSync(`/proc/${entry}/environ`, "utf8").split("\0");
          if (!environment.includes(`HOME=${this.folder}`)) return [];
          const command = readFileSync(`/proc/${entry}/cmdline`, "utf8").replace(/^[^\0]*\//, "");
          const parent = Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${entry}/stat`, "utf8"))?.[1]);
          return [{ pid: Number(entry), parent, command }];
        } catch {
          return []; // It has ended.
        }
      });
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(connectionOf(this.database, this.database.PGDATABASE ?? ""));
    client.on("error", () => undefined);
    await client.connect();
    return client;
  }

  async close(): Promise<void> {
    await (await this.#watching)?.end();
    for (const child of this.#workers) child.kill("SIGKILL");
    for (const { pid } of this.processes()) kill(pid);
    await until(() => this.processes().length === 0);
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export interface State {
  readonly resources: readonly { readonly urn: string; readonly outputs?: { readonly rotationCount?: number } }[];
  readonly pending_operations: readonly unknown[];
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

/** How often the server has rotated the secrets of an organization. */
export function rotationsOf({ control }: TestOrganization): number {
  return control.counters().rotateWebhookSecret?.total ?? 0;
}
