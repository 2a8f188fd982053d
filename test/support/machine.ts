/** What only some machines have. Tests that need it are skipped elsewhere. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

type TestFunction = (title: string, run: jest.ProvidesCallback) => void;

const testIf = (condition: boolean): TestFunction => (condition ? test : test.skip);

/** Where /proc says which processes there are, and when they started. */
export const testOnLinux = testIf(existsSync("/proc/self/stat"));

const inNamespace = (passwd: string, ...command: readonly string[]) =>
  ["-r", "-m", "sh", "-c", `mount --bind "$0" /etc/passwd && exec "$@"`, passwd, ...command] as const;

/** A command as a user with another home in the user database, like a container's root. */
export const withPasswd = (passwd: string, ...command: readonly string[]) =>
  ["unshare", inNamespace(passwd, ...command)] as const;

/** A command as a user whom the user database does not have. */
export const asStranger = (...command: readonly string[]) => ["unshare", ["--map-user=54321", ...command]] as const;

/** Where a process may have other users. */
export const testWithUsers = testIf(spawnSync("unshare", inNamespace("/dev/null", "true")).status === 0);
