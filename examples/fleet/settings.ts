/** Where the fleet's files are, and its settings from the environment. PostgreSQL's are the usual PG* variables. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { withoutTokens } from "./tokens.ts";

/** The folder with `organizations` and `stacks`. */
export const folder = process.env.FLEET_FOLDER ?? process.cwd();
const organizationsFolder = join(folder, "organizations");
export const stacksFolder = join(folder, "stacks");

/** Holds the queue, Pulumi's state and the fleet's tables. Its name is a part of every key of the state. */
export const database = process.env.PGDATABASE ?? "fleet";

/** The longest that a timer of Node can be set to, ms. */
const maxTimerMs = 2 ** 31 - 1;

/** How many organizations a worker applies at once. Each takes about one core and half a gigabyte. */
export const concurrency = numberOf("FLEET_CONCURRENCY", 1);
/** When the nights begin, as cron in a time zone. */
export const cron = process.env.FLEET_CRON ?? "30 2 * * *";
export const timeZone = process.env.FLEET_TIME_ZONE ?? "UTC";
/** After at most these days without one, an organization gets a full pass even if nothing can have changed. */
export const fullPassAfterDays = numberOf("FLEET_FULL_PASS_DAYS", 7);
/** A lock of Pulumi's that is older belongs to no living run. Keep it far above twice the longest run. */
export const cancelLocksAfterMs = numberOf("FLEET_CANCEL_LOCKS_AFTER_MINUTES", 60) * 60_000;
/** A run that lasts longer is interrupted. Its engine then has as long again to end, before its lock counts as stale. */
export const runLimitMs = Math.min(Math.ceil(cancelLocksAfterMs / 2), maxTimerMs);
/** How long Pulumi's history and backups are kept. */
export const keepHistoryDays = numberOf("FLEET_KEEP_HISTORY_DAYS", 30);
/** The address of a worker's metrics, or "off". */
export const metrics = process.env.FLEET_METRICS ?? "127.0.0.1:9464";

/** How fast the queue notices things. Tests wait less. */
export const timing = {
  /** A job whose worker is silent for this long goes to another worker. pg-boss takes 10 at least. */
  heartbeatSeconds: numberOf("FLEET_HEARTBEAT_SECONDS", 30),
  superviseSeconds: numberOf("FLEET_SUPERVISE_SECONDS", 15),
  pollSeconds: numberOf("FLEET_POLL_SECONDS", 2),
  /** The wait before another try while a lock is held. */
  deferSeconds: numberOf("FLEET_DEFER_SECONDS", 30),
  /** A lock that is held for longer needs a person. */
  deferForMinutes: numberOf("FLEET_DEFER_MINUTES", 120),
  /** How often a failed organization is tried again in one night. */
  retryLimit: numberOf("FLEET_RETRIES", 3),
  /** Doubled with each failure. */
  retrySeconds: numberOf("FLEET_RETRY_SECONDS", 60),
} as const;

function numberOf(name: string, usual: number): number {
  const text = process.env[name];
  const value = text === undefined || text === "" ? usual : Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}

export function organizationFileOf(name: string): string {
  return join(organizationsFolder, `${name}.yaml`);
}

export function stackFileOf(name: string): string {
  return join(stacksFolder, `Pulumi.${name}.yaml`);
}

/** The names of all organizations, also of those whose name is not allowed. */
export function organizationNames(): string[] {
  return readdirSync(organizationsFolder)
    .filter((file) => file.endsWith(".yaml"))
    .map((file) => file.slice(0, -".yaml".length))
    .sort();
}

/** The project's name, which is a part of every key of the state. */
export function projectName(): string {
  const name = /^name:\s*["']?([\w.-]+)/m.exec(readFileSync(join(stacksFolder, "Pulumi.yaml"), "utf8"))?.[1];
  if (name === undefined) throw new Error("stacks/Pulumi.yaml has no name");
  if (name.includes("_")) {
    throw new Error(`the project ${name} has an underscore, with which Pulumi's PostgreSQL backend fails: rename it`);
  }
  return name;
}

/** The environment of Pulumi's processes for one organization. They see no token of another one. */
export function pulumiEnv(token?: string): NodeJS.ProcessEnv {
  return {
    ...withoutTokens(process.env),
    PGDATABASE: database,
    // Without user and password, which Pulumi would print and store. It reads the other PG* variables itself.
    PULUMI_BACKEND_URL: `postgres:///${database}`,
    // Without it, a command that lists stacks hangs on a machine with few cores.
    PULUMI_DIY_BACKEND_PARALLEL: "1",
    // Fewer and smaller rows. The history has the same states as the backups.
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "1",
    PULUMI_DIY_BACKEND_ZSTD: process.env.PULUMI_DIY_BACKEND_ZSTD ?? "1",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    ...(token !== undefined && { VOICEPLANE_TOKEN: token }),
  };
}
