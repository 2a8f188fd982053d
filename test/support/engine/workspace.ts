/**
 * A folder in which shell commands run as a user's would, with the real engine, the packed package, and stand-ins for
 * the rest.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterTest } from "../after-test";
import { programs, write } from "../folders";
import { start } from "../engine/command";
import { compileCache, engineEnvironment, preloading, sharedInstallation } from "../engine/installation";
import { organization, type TestOrganization } from "../engine/organization";

// A command of the engine takes two seconds on an idle machine, and much longer on a busy one.
jest.setTimeout(600_000);

export interface Ran {
  readonly code: number;
  /** Both streams, one after the other. */
  readonly output: string;
}

const strictShell = ["--noprofile", "--norc", "-eo", "pipefail"];

/**
 * An empty folder below one that has the package installed, with its own state and organization. Removed after the
 * test.
 */
export async function workspace(): Promise<Workspace> {
  const made = new Workspace(await organization());
  afterTest(() => {
    // A process that was killed may still write.
    rmSync(made.folder, { recursive: true, force: true, maxRetries: 5 });
  });
  return made;
}

/** Sets the clock of the workspace's organization, and returns the environment that sets a job's clock to the same time. */
export function nowIn({ organization }: Workspace, time: string): Record<string, string> {
  organization.control.setClock(time);
  return { NODE_OPTIONS: preloading("pin-clock.cjs"), TEST_CLOCK: time };
}

export class Workspace {
  readonly folder: string;
  readonly organization: TestOrganization;
  readonly env: Readonly<Record<string, string>>;
  readonly #bin: string;

  constructor(target: TestOrganization) {
    this.folder = mkdtempSync(join(sharedInstallation(), "workspace-"));
    this.organization = target;
    this.#bin = join(this.folder, ".bin");
    for (const name of [".state", ".tmp"]) mkdirSync(join(this.folder, name));
    const engine = engineEnvironment(this.folder);
    this.env = {
      ...engine,
      PATH: [this.#bin, engine.PATH].join(delimiter),
      // A job leaves its compile cache: its container ends with it.
      TMPDIR: join(this.folder, ".tmp"),
      PULUMI_BACKEND_URL: pathToFileURL(join(this.folder, ".state")).href,
      NODE_COMPILE_CACHE: compileCache(sharedInstallation()),
      NPM_CONFIG_UPDATE_NOTIFIER: "false",
      // If npx does not find a program here, it must not search elsewhere.
      NPM_CONFIG_OFFLINE: "true",
    };
    // Its packages are already installed above this folder.
    this.standIn("npm", `echo "$*" >> "${join(this.folder, ".npm-calls")}"`);
  }

  write(name: string, contents: string): void {
    write(this.folder, { [name]: contents });
  }

  read(name: string): string {
    return existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), "utf8") : "";
  }

  /** Puts a shell script in front of a program on PATH. */
  standIn(name: string, script: string): void {
    programs({ [name]: script }, this.#bin);
  }

  /** Runs a script in bash. By default it ends at the first command that fails, also within a pipe. */
  async run(
    script: string,
    env: Readonly<Record<string, string>> = {},
    cwd = this.folder,
    shell: readonly string[] = strictShell,
  ): Promise<Ran> {
    const command = start("bash", [...shell, "-c", script], { cwd, env: { ...this.env, ...env } });
    const { code, stdout, stderr } = await command.finished;
    return { code: code ?? 1, output: stdout + stderr };
  }

  /** Runs a script that must succeed, and returns its output. */
  async must(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
    const { code, output } = await this.run(script, env);
    if (code !== 0) throw new Error(`exit code ${code} of: ${script}\n${output}`);
    return output;
  }
}
