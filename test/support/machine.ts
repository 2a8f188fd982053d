/** What only some machines have. Tests that need it are skipped elsewhere. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { testWith } from "./programs";

type TestFunction = (title: string, run: jest.ProvidesCallback) => void;

/** Whether /proc says which processes there are, and what they have open. */
export const hasProc = existsSync("/proc/self/stat");

/** A file of each process in /proc, by the process's id. A process that ends meanwhile has none. */
export function ofEachProcess(file: "cmdline" | "environ"): ReadonlyMap<number, string> {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = ids.flatMap((id): [number, string][] => {
    try {
      return [[Number(id), readFileSync(`/proc/${id}/${file}`, "utf8")]];
    } catch {
      return [];
    }
  });
  return new Map(found);
}

export const testOnLinux: TestFunction = (title, run) => {
  testWith({ missing: hasProc ? undefined : "there is no /proc" }, title, run);
};

const inNamespace = (passwd: string, ...command: readonly string[]) =>
  ["-r", "-m", "sh", "-c", `mount --bind "$0" /etc/passwd && exec "$@"`, passwd, ...command] as const;

/** A command as a user with another home in the user database, like a container's root. */
export const withPasswd = (passwd: string, ...command: readonly string[]) =>
  ["unshare", inNamespace(passwd, ...command)] as const;

/** A command as a user whom the user database does not have. */
export const asStranger = (...command: readonly string[]) => ["unshare", ["--map-user=54321", ...command]] as const;

/** A command beside a folder that is full. */
export const withFullFolder = (folder: string, ...command: readonly string[]) => {
  const script = `mount -t tmpfs -o size=64k none "$0" && head -c 65536 /dev/zero > "$0/full"; exec "$@"`;
  return ["unshare", ["-r", "-m", "sh", "-c", script, folder, ...command]] as const;
};

const hasUsers = spawnSync("unshare", inNamespace("/dev/null", "true")).status === 0;

export const testWithUsers: TestFunction = (title, run) => {
  testWith({ missing: hasUsers ? undefined : "unshare gives no other users" }, title, run);
};
