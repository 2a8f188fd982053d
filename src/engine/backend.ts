/** Where the stack's state is, and what the files of a file backend show without running the CLI. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { isObject, parseJson, type Environment } from "../values.js";
import { decoded, secretsOf } from "../client/secrets.js";
import { documentIn, isFile } from "./files.js";

/** The backend's URL, in the CLI's order of precedence; undefined if the user has not logged in. */
export function backendUrl(project: unknown, env: Environment): string | undefined {
  const named = [
    env.PULUMI_BACKEND_URL,
    isObject(project) && isObject(project.backend) ? project.backend.url : undefined,
    credentialsOf(env),
  ];
  return named.find((url): url is string => typeof url === "string" && url !== "");
}

function credentialsOf(env: Environment): unknown {
  const home = env.PULUMI_CREDENTIALS_PATH ?? env.PULUMI_HOME ?? join(env.HOME ?? homedir(), ".pulumi");
  const credentials = documentIn(join(home, "credentials.json"));
  return isObject(credentials) ? credentials.current : undefined;
}

/** The secrets that no text may contain: of the environment, and of the backend of `pulumi login`. */
export const secretsHere = (env: Environment): string[] => secretsOf(env, backendUrl(undefined, env));

/** The address without user, password and values that may be secret, to compare and to show. */
export function withoutPassword(url: string): string {
  const query = url.indexOf("?");
  const [address, parameters] = query === -1 ? [url, ""] : [url.slice(0, query), url.slice(query + 1)];
  const plain = address.replace(/^(\w+:\/\/)[^/]*@/, "$1");
  const names = [...new URLSearchParams(parameters)].map(([name, value]) =>
    /pass|secret|token|key|user|cred/i.test(name) ? name : `${name}=${value}`,
  );
  return names.length === 0 ? plain : `${plain}?${names.sort().join("&")}`;
}

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
  exists(): boolean;
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
  return {
    exists: () => checkpoints.some(isFile),
    stateVersion() {
      const present = checkpoints.filter(isFile);
      if (present.length === 0) return undefined;
      const hash = createHash("sha256");
      for (const path of present) hash.update(`${path}\0`).update(readFileSync(path));
      return hash.digest("hex");
    },
    locks: () =>
      lockFolders
        .filter((path) => existsSync(path))
        .flatMap((path) =>
          readdirSync(path)
            .filter((name) => name.endsWith(".json"))
            .flatMap((name) => readLock(join(path, name))),
        ),
    removeLock({ file }) {
      // The second file has what S3 would keep as the object's attributes.
      if (file !== undefined) for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
    },
  };
}

/** The folder `.pulumi` of a file backend. */
export function stateFolder(url: string | undefined, folder: string, env: Environment): string | undefined {
  if (url?.startsWith("file://") !== true) return undefined;
  const [path = ""] = url.slice("file://".length).split("?");
  const home = env.HOME ?? homedir();
  return join(path.startsWith("~") ? join(home, path.slice(1)) : resolve(folder, decoded(path)), ".pulumi");
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
