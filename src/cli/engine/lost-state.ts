/** States that are missing or cannot be opened although the stack was there, and the commands that bring them back. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { isObject, tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { shellWord } from "./shell.js";
import { backendUrl, fileBackend, backendName } from "./backend.js";
import { documentIn } from "./files.js";

/** Of a project. */
interface Place {
  readonly folder: string;
  readonly name: string;
  readonly document: unknown;
}

/** The last part of "organization/project/stack". */
export const shortName = (stack: string): string => stack.split("/").at(-1) ?? "";

/** The name of the files that `apply` keeps. Only Pulumi Cloud has other accounts, and there the CLI alone knows which one is meant. */
export const recordName = (project: string, stack: string): string =>
  stack === `organization/${project}/${shortName(stack)}` ? shortName(stack) : stack;

/** The files of `apply` begin with this path. */
export const recordBase = ({ folder, name }: Pick<Place, "folder" | "name">, stack: string): string =>
  join(folder, ".voiceplane/apply", recordName(name, stack));

/**
 * For a stack that the CLI does not find.
 *
 * @param sign what else says that the stack was there
 * @returns undefined if nothing is left of it
 */
export function lostStack(place: Place, stack: string, env: Environment, sign?: string): string | undefined {
  const url = backendUrl(place.document, env);
  const short = shortName(stack);
  const copy = fileBackend(url, place.name, short, place.folder, env)?.backup();
  const base = recordBase(place, stack);
  const left =
    copy?.from ??
    (isOfOther(`${base}.json`, url) ? undefined : [`${base}.json`, `${base}.journal`].find(existsSync)) ??
    sign;
  if (left === undefined) return undefined;
  const restore = copy ? run(`cp ${shellWord(copy.from)} ${shellWord(copy.to)}`) : restoreIn(url, place.name, short);
  return (
    `the state of the stack ${short} is missing, and ${left} is left: if you neither removed nor renamed the stack, ${restore}. ` +
    "`pulumi stack init` would overwrite the backup, and the next update rotate every secret"
  );
}

/** Whether the record is of another backend, where the stack may still be. */
function isOfOther(record: string, url = ""): boolean {
  const document = documentIn(record);
  return isObject(document) && isObject(document.of) && document.of.backend !== backendName(url);
}

/** Without the file, the engine uses defaults. */
export const cutOffText = (file: string): string =>
  `${file} is empty or cut off, as a killed run leaves it, so Pulumi cannot read the state: run \`rm ${shellWord(file)}\``;

const run = (command: string): string => `run \`${command}\``;

/** Only a file backend shows what it has. */
function restoreIn(url: string | undefined, project: string, stack: string): string {
  const { protocol = "", hostname = "", port = "", username = "", pathname = "", searchParams } = parsed(url) ?? {};
  const database = pathname.replace(/^\/+/, "");
  const table = searchParams?.get("table") ?? "pulumi_state";
  const states = `.pulumi/stacks/${project}/${stack}.json`;
  if (protocol === "postgres:" && [database, table, project].every((name) => /^[\w.-]+$/.test(name))) {
    const options = [
      ...Object.entries({ h: hostname, p: port, U: username }).flatMap(([name, value]) =>
        value === "" ? [] : [`-${name} ${shellWord(value)}`],
      ),
      `-d ${database}`,
    ];
    const keys = ["", ".gz", ".zst"].map((end) => `'${database}/${states}${end}.bak'`).join(", ");
    const sql = `insert into ${table} select left(key, -4), data, now() from ${table} where key in (${keys}) order by updated_at desc limit 1`;
    return run(`psql ${options.join(" ")} -c "${sql}"`);
  }
  return /^(?:s3|gs|azblob):$/.test(protocol)
    ? `copy ${states}.bak to ${states} in the bucket`
    : "correct the backend, or restore a copy of its state";
}

const parsed = (url = ""): URL | undefined => tried(() => new URL(url));
