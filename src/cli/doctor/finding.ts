/** What the doctor has to say: one line for each thing that it looked at. */

export const checks = [
  "node",
  "engine",
  "project",
  "sdk",
  "typescript",
  "package",
  "organization",
  "settings",
  "address",
  "proxy",
  "tls",
  "clock",
  "server",
  "token",
  "scopes",
] as const;
export type Check = (typeof checks)[number];

export const statuses = ["ok", "warning", "failure"] as const;
export type Status = (typeof statuses)[number];

export interface Finding {
  readonly check: Check;
  readonly status: Status;
  /** What was found; never the token. */
  readonly message: string;
  /** What to do about it, as sentences. Default: nothing. */
  readonly advice?: string | undefined;
}

export const ok = (check: Check, message: string, advice?: string): Finding => finding(check, "ok", message, advice);

export const warning = (check: Check, message: string, advice?: string): Finding =>
  finding(check, "warning", message, advice);

export const failure = (check: Check, message: string, advice?: string): Finding =>
  finding(check, "failure", message, advice);

function finding(check: Check, status: Status, message: string, advice: string | undefined): Finding {
  return { check, status, message, ...(advice !== undefined && { advice }) };
}
