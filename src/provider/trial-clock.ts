/**
 * Due dates in a trial. A run takes a server's clock as now only if both sides say that it is a trial: the variable in the environment, and a
 * `voiceplane serve` on this machine, which answers below `/_control/`. Anything else is refused, and nothing is sent.
 */
import { isLoopback, type ClientSettings } from "../client/settings.js";
import { isObject } from "../values/any.js";
import type { Environment } from "../values/environment.js";

const variable = "VOICEPLANE_TRIAL_CLOCK";

export function isTrial(env: Environment): boolean {
  return (env[variable] ?? "") !== "";
}

/** Why this run cannot be a trial, though the variable is set. The base URL is valid. */
export function trialProblems(env: Environment, { baseUrl }: ClientSettings): string[] {
  if (!isTrial(env)) return [];
  if (env[variable] !== "1") return [`${variable} must be 1, or not be set`];
  const url = new URL(baseUrl);
  if (url.protocol === "http:" && isLoopback(url)) return [];
  return [
    `${variable} is set, which is for trials with \`voiceplane serve\` on this machine, and the base URL is another server's: unset the variable`,
  ];
}

/**
 * The time of the trial's server.
 *
 * @throws Error if the server does not answer with its time
 */
export async function trialTime(address: string): Promise<Date> {
  const clock = await fetch(`${address}/_control/clock`, { redirect: "error", signal: AbortSignal.timeout(5_000) })
    .then((answer) => (answer.ok ? answer.json() : undefined))
    .catch(() => undefined);
  const offsetMs = isObject(clock) ? clock.offsetMs : undefined;
  if (typeof offsetMs === "number") return new Date(Date.now() + offsetMs);
  throw new Error(
    `${variable} is set, and no \`voiceplane serve\` answers at ${address}: start it, or unset the variable if that is another server`,
  );
}
