/** The fleet's files, and its settings from the environment. PostgreSQL's are the usual PG* variables. */
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { withoutTokens } from "./tokens.ts";

/** The folder with `organizations` and `stacks`. */
export const folder = process.env.FLEET_FOLDER ?? process.cwd();
export const stacksFolder = join(folder, "stacks");
export const organizationFileOf = (name: string): string => join(folder, "organizations", `${name}.yaml`);
export const stackFileOf = (name: string): string => join(stacksFolder, `Pulumi.${name}.yaml`);

/** Holds the queue, Pulumi's state and the fleet's tables. Its name is a part of every key of the state. */
export const database = process.env.PGDATABASE ?? "fleet";

/** Each organization takes about one core and half a gigabyte. */
export const concurrency = numberOf("FLEET_CONCURRENCY", 1);
export const cron = process.env.FLEET_CRON ?? "30 2 * * *";
export const timeZone = process.env.FLEET_TIME_ZONE ?? "UTC";
export const fullPassAfterDays = numberOf("FLEET_FULL_PASS_DAYS", 7);
/** An organization whose preview shows one of these is not updated. */
export const failOn = (process.env.FLEET_FAIL_ON ?? "").split(",").filter((word) => word !== "");
/** Pulumi's locks that are older belong to no living run. Keep it far above twice the longest run. */
export const cancelLocksAfterMs = numberOf("FLEET_CANCEL_LOCKS_AFTER_MINUTES", 60) * 60_000;
/** A longer run is interrupted. Its engine has as long again to end, before its lock is stale. At most a timer's maximum. */
export const runLimitMs = Math.min(Math.ceil(cancelLocksAfterMs / 2), 2 ** 31 - 1);
export const keepHistoryDays = numberOf("FLEET_KEEP_HISTORY_DAYS", 30);
export const metrics = process.env.FLEET_METRICS ?? "127.0.0.1:9464";

/** How fast the queue notices things. README.md lists the variables. Tests wait less. */
export const timing = {
  /** Another worker gets the job of a worker that is silent for this long. pg-boss takes 10 at least. */
  heartbeatSeconds: numberOf("FLEET_HEARTBEAT_SECONDS", 30),
  superviseSeconds: numberOf("FLEET_SUPERVISE_SECONDS", 15),
  pollSeconds: numberOf("FLEET_POLL_SECONDS", 2),
  deferSeconds: numberOf("FLEET_DEFER_SECONDS", 30),
  deferForMinutes: numberOf("FLEET_DEFER_MINUTES", 120),
  retryLimit: numberOf("FLEET_RETRIES", 3),
  retrySeconds: numberOf("FLEET_RETRY_SECONDS", 60),
} as const;

function numberOf(name: string, usual: number): number {
  const text = process.env[name];
  const value = text === undefined || text === "" ? usual : Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}

/** The names of all organizations, also those that are not allowed. */
export function organizationNames(): string[] {
  const files = readdirSync(join(folder, "organizations")).filter((file) => file.endsWith(".yaml"));
  return files.map((file) => file.slice(0, -".yaml".length)).sort();
}

/** What is wrong with an organization's name, in one line. */
export function problemOfName(name: string): string | undefined {
  if (/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name)) return undefined;
  // In Pulumi's PostgreSQL backend, an underscore matches any character: with "a_b" and "a-b", each command fails.
  const hint = name.includes("_") ? `: rename it to ${name.replaceAll("_", "-").toLowerCase()}` : "";
  return `an organization's name may have a to z, 0 to 9 and single hyphens${hint}`;
}

/** The project's name, which is a part of every key of the state. */
export function projectName(): string {
  const name = /^name:\s*["']?([\w.-]+)/m.exec(readFileSync(join(stacksFolder, "Pulumi.yaml"), "utf8"))?.[1];
  if (name === undefined) throw new Error("stacks/Pulumi.yaml has no name");
  if (name.includes("_"))
    throw new Error(`the project ${name} has an underscore, with which Pulumi's PostgreSQL backend fails: rename it`);
  return name;
}

/** The environment of Pulumi's processes for one organization, without the tokens of the others. */
export function pulumiEnv(token?: string): NodeJS.ProcessEnv {
  return {
    ...withoutTokens(process.env),
    PGDATABASE: database,
    // Pulumi would print and store a user and password. It reads the other PG* variables itself.
    PULUMI_BACKEND_URL: `postgres:///${database}`,
    // Without it, a command that lists stacks hangs on a machine with few cores.
    PULUMI_DIY_BACKEND_PARALLEL: "1",
    // Fewer rows. The history has the same states as the backups.
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "1",
    PULUMI_SKIP_UPDATE_CHECK: "1",
    VOICEPLANE_ORGANIZATION_FOLDER: resolve(folder, "organizations"),
    ...(token !== undefined && { VOICEPLANE_TOKEN: token }),
  };
}
