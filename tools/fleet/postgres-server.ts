/** A PostgreSQL of its own for trials and tests, from the machine's package. It ends with this process. */
import { execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { setTimeout } from "node:timers/promises";
import pg from "pg";

export interface Postgres {
  /** PGHOST, PGPORT, PGUSER, PGPASSWORD and PGSSLMODE of its superuser, for `pg` and for Pulumi alike. */
  readonly env: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const usualFolders = ["/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin"];

export const missing =
  "there is no PostgreSQL on this machine: install it (apt-get install postgresql), or set PGHOST to use one that runs elsewhere";

/** The folder of `initdb` and `postgres`: on PATH, or where packages put them. The newest version first. */
export function findPostgres(path = process.env.PATH ?? "", folders: readonly string[] = usualFolders): string {
  const versions = globSync([...folders]).sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const found = [...path.split(delimiter), ...versions].find(
    (folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "postgres")),
  );
  if (found === undefined) throw new Error(missing);
  return found;
}

/**
 * @param programs the folder of `initdb` and `postgres`
 * @param choosePort gives a port that is free now. Default: any
 */
export async function startPostgres(programs = findPostgres(), choosePort = freePort): Promise<Postgres> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await startOn(await choosePort(), programs);
    } catch (error) {
      // Another process may have taken the port while the database was made.
      if (attempts === 3 || !String(error).includes("could not create any TCP/IP sockets")) throw error;
    }
  }
}

async function startOn(port: number, programs: string): Promise<Postgres> {
  const user = unprivilegedUser();
  // Another user cannot enter a folder below a private one.
  const folder = mkdtempSync(join(user ? "/tmp" : tmpdir(), "voiceplane-postgres-"));
  const password = randomBytes(16).toString("hex");
  const passwordFile = join(folder, "password");
  writeFileSync(passwordFile, password);
  if (user) for (const path of [folder, passwordFile]) chownSync(path, user.uid, user.gid);
  chmodSync(folder, 0o700);

  // It holds nothing that must survive the machine, so it need not wait for the disk.
  const settings = {
    listen_addresses: "127.0.0.1",
    port,
    unix_socket_directories: "",
    max_connections: 200,
    fsync: "off",
    synchronous_commit: "off",
    full_page_writes: "off",
    log_min_messages: "fatal",
  };
  const flags = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  // The shell waits for the end of its input, which comes when this process ends, also after SIGKILL.
  const script = `
    "$0/initdb" -D "$1/data" -U postgres -A scram-sha-256 --pwfile="$1/password" -E UTF8 --locale=C --no-sync >"$1/log" 2>&1 || exit 1
    folder="$1"; shift
    exec 3<&0
    "$0/postgres" -D "$folder/data" "$@" </dev/null >>"$folder/log" 2>&1 3<&- &
    server=$!
    { cat <&3 >/dev/null; touch "$folder/ended"; kill -INT $server; } &
    wait $server
    [ -e "$folder/ended" ] && rm -rf "$folder"`;
  const child = spawn("/bin/sh", ["-c", script, programs, folder, ...flags], {
    cwd: "/",
    stdio: ["pipe", "ignore", "ignore"],
    // Ctrl-C in a terminal reaches every process of the group: PostgreSQL has to outlive the workers.
    detached: true,
    ...user,
  });
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", () => {
      resolve();
    });
  });
  const log = (): string => (existsSync(join(folder, "log")) ? readFileSync(join(folder, "log"), "utf8").trim() : "");

  const env = {
    PGHOST: "127.0.0.1",
    PGPORT: String(port),
    PGUSER: "postgres",
    PGPASSWORD: password,
    PGSSLMODE: "disable",
  };
  const stop = async (): Promise<void> => {
    child.stdin.end();
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  while (!(await answers(env))) {
    if (child.exitCode !== null) {
      const reason = log();
      rmSync(folder, { recursive: true, force: true });
      throw new Error(`PostgreSQL in ${programs} did not start: ${reason}`);
    }
    await setTimeout(50);
  }
  return { env, stop };
}

/** Connection settings for `pg` from variables that are not those of this process. */
export function connectionOf(env: Readonly<Record<string, string>>, database: string): pg.ClientConfig {
  return {
    host: env.PGHOST ?? "127.0.0.1",
    port: Number(env.PGPORT ?? 5432),
    user: env.PGUSER ?? "postgres",
    password: env.PGPASSWORD ?? "",
    database,
  };
}

async function answers(env: Readonly<Record<string, string>>): Promise<boolean> {
  // Another server may listen on the port, and never answer.
  const client = new pg.Client({ ...connectionOf(env, "postgres"), connectionTimeoutMillis: 1000 });
  client.on("error", () => undefined);
  return client.connect().then(
    async () => {
      await client.end();
      return true;
    },
    () => false,
  );
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** PostgreSQL refuses to run as root. undefined if this process is not root. */
function unprivilegedUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag: string, name: string): number | undefined => {
    try {
      return Number(execFileSync("id", [flag, name], { stdio: ["ignore", "pipe", "ignore"] }));
    } catch {
      return undefined; // There is no such user.
    }
  };
  const name = ["postgres", "nobody"].find((each) => idOf("-u", each) !== undefined);
  if (name === undefined) throw new Error("PostgreSQL does not run as root, and there is no user postgres or nobody");
  return { uid: idOf("-u", name) ?? 0, gid: idOf("-g", name) ?? 0 };
}
