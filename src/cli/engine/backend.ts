/** Where the stack's state is, and what the files of a file backend show without running the CLI. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import path, { join, type PlatformPath } from "node:path";
import { homeOf } from "../../machine.js";
import { isObject, parseJson } from "../../values/any.js";
import { given, isTrue, type Environment, decoded } from "../../values/environment.js";
import { documentIn, isFile } from "./files.js";

/** The CLI's folder for its login and its plugins. */
export const pulumiHome = (env: Environment): string => given(env.PULUMI_HOME) ?? join(homeOf(env), ".pulumi");

/** The backend's URL; undefined if the user has not logged in. */
export const backendUrl = (project: unknown, env: Environment): string | undefined => backendUrls(project, env)[0];

/** All that are named, in the CLI's order of precedence. */
export function backendUrls(project: unknown, env: Environment): string[] {
  const stored = credentialsOf(env);
  const named = [
    env.PULUMI_BACKEND_URL,
    isObject(project) && isObject(project.backend) ? project.backend.url : undefined,
    isObject(stored) ? stored.current : undefined,
    // Without a login, the CLI takes its default for this token.
    given(env.PULUMI_ACCESS_TOKEN) && (given(env.PULUMI_API) ?? "https://api.pulumi.com"),
  ];
  return named.filter((url): url is string => typeof url === "string" && url !== "");
}

/** What `pulumi login` has stored, if it is not encrypted. */
export const credentialsOf = (env: Environment): unknown =>
  documentIn(join(given(env.PULUMI_CREDENTIALS_PATH) ?? pulumiHome(env), "credentials.json"));

/** The address without user, password and values that may be secret, to compare and to show. */
export function withoutPassword(url: string): string {
  // A password may have any character, also those that a URL should encode: what counts is the last "@".
  const host = url.startsWith("file:") ? -1 : url.lastIndexOf("@");
  if (host !== -1) return withoutPassword(url.replace(/:\/\/.*$/s, "://") + url.slice(host + 1));
  const query = url.indexOf("?");
  const [address, parameters] = query === -1 ? [url, ""] : [url.slice(0, query), url.slice(query + 1)];
  const names = [...new URLSearchParams(parameters)].map(([name, value]) =>
    /pass|secret|token|key|user|cred/i.test(name) ? name : `${name}=${value}`,
  );
  return names.length === 0 ? address : `${address}?${names.sort().join("&")}`;
}

/** What a record compares: the options of a file backend, such as `metadata=skip`, are no other backend. */
export const backendName = (url: string): string =>
  url.startsWith("file:") ? url.replace(/\?.*$/s, "") : withoutPassword(url);

export interface StackLock {
  /** Undefined if the lock is not a file on this machine. */
  readonly file: string | undefined;
  /** Undefined if it cannot be read. */
  readonly pid: number | undefined;
  readonly host: string;
  readonly user: string;
  /** When it was created, ms since the epoch; undefined if it cannot be read. */
  readonly at: number | undefined;
}

export interface FileBackend {
  /** The state that the engine reads; undefined if there is none. */
  file(): string | undefined;
  /** The newest copy of a state, and where it has to be; undefined if there is none. */
  backup(): { readonly from: string; readonly to: string } | undefined;
  /** Files that let each command of the CLI for this stack fail. */
  unreadable(): string[];
  /** Changes with each change of the state, also by `pulumi import` or `pulumi state`, which leave no history. */
  stateVersion(): string | undefined;
  locks(): StackLock[];
  /** Removes one lock, and no other. */
  removeLock(lock: StackLock): void;
}

/** Undefined for other backends. */
export function fileBackend(
  url: string | undefined,
  project: string,
  stack: string,
  folder: string,
  env: Environment,
): FileBackend | undefined {
  const root = stateFolder(url, folder, env);
  if (root === undefined) return undefined;
  // The second of each is the old layout, without projects.
  const checkpoints = [join(root, "stacks", project, stack), join(root, "stacks", stack)].flatMap((base) =>
    ["", ".gz", ".zst"].map((end) => `${base}.json${end}`),
  );
  const lockFolders = [join(root, "locks/organization", project, stack), join(root, "locks", stack)];
  const locks = () => lockFolders.flatMap((path) => filesIn(path, /\.json$/));
  return {
    file: () => newest(checkpoints),
    backup() {
      const last = newest(checkpoints.map((path) => `${path}.bak`));
      if (last !== undefined) return { from: last, to: last.slice(0, -".bak".length) };
      const ends = /\.json(\.gz|\.zst)?$/;
      const from = newest(filesIn(join(root, "backups", project, stack), ends));
      return from === undefined
        ? undefined
        : { from, to: join(root, "stacks", project, stack) + (ends.exec(from)?.[0] ?? "") };
    },
    unreadable: () =>
      [join(root, "meta.yaml"), ...checkpoints, ...locks()].map((path) => `${path}.attrs`).filter(isCutOff),
    stateVersion() {
      const present = checkpoints.filter(isFile);
      if (present.length === 0) return undefined;
      const hash = createHash("sha256");
      for (const path of present) hash.update(`${path}\0`).update(readFileSync(path));
      return hash.digest("hex");
    },
    locks: () => locks().flatMap(readLock),
    removeLock({ file }) {
      // The second file has what S3 would keep as the object's attributes.
      if (file !== undefined) for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
    },
  };
}

function filesIn(folder: string, pattern: RegExp): string[] {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
}

function newest(files: readonly string[]): string | undefined {
  const timeOf = (file: string) => statSync(file).mtimeMs;
  return files.filter(isFile).sort((a, b) => timeOf(b) - timeOf(a))[0];
}

/** An engine writes a file of attributes in less than that, ms. */
const writingMs = 1_000;

/** A file of attributes, as an engine leaves it that is killed while it writes it. */
function isCutOff(file: string): boolean {
  const time = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (time === undefined || Math.abs(Date.now() - time) < writingMs) return false;
  return parseJson(readFileSync(file, "utf8")) === undefined;
}

/** How the engine would write a state in files: "" plain, ".gz" or ".zst". With both variables, it fails. */
export function formatWanted(env: Environment): "" | ".gz" | ".zst" {
  if (isTrue(env.PULUMI_DIY_BACKEND_ZSTD ?? env.PULUMI_SELF_MANAGED_STATE_ZSTD)) return ".zst";
  return isTrue(env.PULUMI_DIY_BACKEND_GZIP ?? env.PULUMI_SELF_MANAGED_STATE_GZIP) ? ".gz" : "";
}

/** The folder `.pulumi` of a file backend. On Windows, `file://C:/state` and `file:///C:/state` are the same. */
export function stateFolder(
  url: string | undefined,
  folder: string,
  env: Environment,
  paths: PlatformPath = path,
): string | undefined {
  if (url?.startsWith("file://") !== true) return undefined;
  const [place = ""] = url.slice("file://".length).split("?");
  const named = decoded(paths === path.win32 ? place.replace(/^\/(?=[a-z]:)/i, "") : place);
  return paths.join(
    named.startsWith("~") ? paths.join(homeOf(env), named.slice(1)) : paths.resolve(folder, named),
    ".pulumi",
  );
}

/** Empty if its run has just ended. A lock that cannot be read, for example while it is written, counts as one of an unknown process. */
function readLock(file: string): StackLock[] {
  let text;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return [];
  }
  const lock = parseJson(text);
  if (!isObject(lock) || typeof lock.pid !== "number" || typeof lock.hostname !== "string") {
    return [{ file, pid: undefined, host: "", user: "", at: undefined }];
  }
  const at = typeof lock.timestamp === "string" ? Date.parse(lock.timestamp) : Number.NaN;
  const user = typeof lock.username === "string" ? lock.username : "";
  return [{ file, pid: lock.pid, host: lock.hostname, user, at: Number.isNaN(at) ? undefined : at }];
}
