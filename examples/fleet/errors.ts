/** Errors in one line each, those of PostgreSQL with what to do. */
import { database } from "./settings.ts";

/** The message of an error, without its line breaks. */
export function oneLine(error: unknown): string {
  const message = error instanceof AggregateError ? String(error.errors[0]) : String(error);
  return message
    .replace(/^\w*error: /i, "")
    .split(/\s*\n\s*/)
    .filter(Boolean)
    .join(" ");
}

/** PostgreSQL's errors, with what to do. */
export function explained(error: unknown): string {
  const { code = "" } = (error instanceof AggregateError ? error.errors[0] : error) as { code?: string };
  const line = oneLine(error);
  if (line.includes('"pulumi_state" does not exist')) return `${line}: run npm run adopt`;
  if (/^Queue \S+ not found/.test(line)) return notSetUp(line);
  return advice[code]?.(line) ?? line;
}

const unreachable = (line: string): string => `PostgreSQL does not answer (${line}): PGHOST and PGPORT name it`;
const refused = (line: string): string => `PostgreSQL refuses the user (${line}): PGUSER and PGPASSWORD name it`;
const notSetUp = (line: string): string => `${line}: run npm run setup`;

const advice: Readonly<Record<string, (line: string) => string>> = {
  ECONNREFUSED: unreachable,
  ENOTFOUND: unreachable,
  ETIMEDOUT: unreachable,
  "28P01": refused,
  "28000": refused,
  "3D000": (line) => `${line}: see setup.sql, or set PGDATABASE (now ${database})`,
  "3F000": notSetUp,
  "42P01": notSetUp,
  "42703": notSetUp,
  "42501": (line) => `${line}: the role needs the rights of setup.sql`,
  "53100": (line) => `PostgreSQL's disk is full (${line})`,
};
