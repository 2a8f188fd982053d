/**
 * A Pulumi project in a new folder, with its own state, home and organization. Every test with the engine begins with one:
 *
 *   const stack = await project();
 *   stack.declare(provider, { resources: { recordings: recordings(90) } });
 *   await stack.up();
 *   expect(stack.organization.requests()).toEqual(["PUT …"]);
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { delimiter, join } from "node:path";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { programs, write } from "../folders";
import { start, startPulumi, type Finished, type Running } from "../processes";
import {
  cli,
  clockOf,
  compileCache,
  copyInitialStack,
  engineEnvironment,
  projectYaml,
  sharedInstallation,
} from "./installation";
import { organization, type TestOrganization } from "./organization";
import { filesBelow, hideSecret, tidy, withoutDebugMessages } from "./output";
import { decrypted } from "./secrets";
import { filesOf, type Provider, type YamlProgram } from "./declared";

// An operation takes two seconds on an idle machine, and much longer on a busy one.
jest.setTimeout(600_000);

interface ProjectOptions {
  /** Files by path, in addition to the default ones or instead of them. */
  readonly files?: Readonly<Record<string, string>>;
  /** Added to the environment of every command. undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
  /** Each `up` that is to succeed is held to the plan of its preview: whatever it sends has to be there. */
  readonly held?: boolean;
}

export interface Run {
  readonly flags?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  /** The current time for programs and providers, ISO 8601. Default: the machine's. */
  readonly at?: string;
  /** Expect the command to fail. Default: expect it to succeed. */
  readonly fails?: boolean;
}

export interface ResourceState {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** The line of the program that declares the resource. */
  readonly sourcePosition?: string;
  readonly stackTrace?: readonly { readonly sourcePosition?: string }[];
}

interface Deployment {
  readonly resources?: readonly ResourceState[];
  readonly pending_operations?: readonly unknown[];
}

/** Flags that leave out nothing of the preview, and add nothing to it. */
const usualFlags: readonly string[] = ["--diff", "--refresh"];

const open = new Set<Project>();

afterEach(() => {
  const everything = [...open].map((project) => project.everything()).join("\n");
  // A process that was killed may still write.
  for (const { folder } of open) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  open.clear();
  // No test may show or store a token, whatever it tests.
  expect(/vp_dev_\w+/.exec(everything)?.[0]).toBeUndefined();
});

export async function project(options: ProjectOptions = {}): Promise<Project> {
  const made = new Project(options, await organization());
  open.add(made);
  if (made.read("Pulumi.yaml") === projectYaml) copyInitialStack(made.folder);
  else await made.run(["stack", "init", "dev"]);
  return made;
}

export class Project {
  readonly folder = mkdtempSync(join(sharedInstallation(), "project-"));
  /** The environment of every command, for processes that a test starts itself. */
  readonly environment: NodeJS.ProcessEnv;
  readonly #isHeld: boolean;
  readonly #printed: string[] = [];

  constructor(
    { files = {}, env = {}, held = false }: ProjectOptions,
    readonly organization: TestOrganization,
  ) {
    for (const name of [".state", ".tmp"]) mkdirSync(join(this.folder, name));
    this.write("Pulumi.yaml", projectYaml);
    this.write("package.json", '{ "private": true, "dependencies": { "pulumi-voiceplane": "*" } }\n');
    write(this.folder, files);
    this.#isHeld = held;
    const engine = engineEnvironment(this.folder);
    this.environment = {
      ...engine,
      PATH: [join(this.folder, ".bin"), engine.PATH].join(delimiter),
      TMPDIR: join(this.folder, ".tmp"),
      NODE_COMPILE_CACHE: compileCache(sharedInstallation()),
      PULUMI_BACKEND_URL: pathToFileURL(join(this.folder, ".state")).href,
      // Enables the option --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      VOICEPLANE_BASE_URL: organization.url,
      VOICEPLANE_TOKEN: "vp_dev_full",
      ...env,
    };
  }

  /** Replaces the program by this one: in YAML, as it is over the plugin and as JavaScript over the dynamic provider, or in JavaScript for both. */
  declare(provider: Provider, program: YamlProgram | string): void {
    write(this.folder, filesOf(provider, program));
  }

  /** Replaces the program by a stack without code, which reads this organization file. */
  declareFile(organizationFile: object | string): void {
    const text = typeof organizationFile === "string" ? organizationFile : stringify(organizationFile);
    this.write("index.js", 'module.exports = require("pulumi-voiceplane/stack");\n');
    this.write("organization.yaml", text);
  }

  write(name: string, text: string): void {
    write(this.folder, { [name]: text });
  }

  /** Empty if there is no such file. */
  read(name: string): string {
    return existsSync(join(this.folder, name)) ? readFileSync(join(this.folder, name), "utf8") : "";
  }

  async preview(run: Run = {}): Promise<string> {
    return this.#operation(["preview", "--diff"], run);
  }

  async up(run: Run = {}): Promise<string> {
    const { flags = [], fails = false } = run;
    const isHeld = this.#isHeld && !fails && flags.every((flag) => usualFlags.includes(flag));
    return this.#operation(["up", "--yes", "--skip-preview"], isHeld ? await this.#held(run) : run);
  }

  async refresh(run: Run = {}): Promise<string> {
    return this.#operation(["refresh", "--yes", "--skip-preview"], run);
  }

  async destroy(run: Run = {}): Promise<string> {
    return this.#operation(["destroy", "--yes", "--skip-preview"], run);
  }

  /** Starts an `up` that the test will interrupt. */
  startUp(run: Run = {}): Running {
    return this.#start(["up", "--yes", "--skip-preview", "--stack", "dev", ...(run.flags ?? [])], run);
  }

  /** Returns what a command of Pulumi prints, both streams joined, without alignment spaces. */
  async run(args: readonly string[], run: Run = {}): Promise<string> {
    const { code, stdout, stderr } = this.#noted(await this.#start(args, run).finished);
    if ((code === 0) === (run.fails ?? false)) {
      throw new Error(`pulumi ${args.join(" ")} ended with exit code ${String(code)}:\n${stdout}\n${stderr}`);
    }
    return tidy(stdout + stderr);
  }

  /** Runs the `voiceplane` command, as packed, on the stack. */
  async voiceplane(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    return this.#noted(await this.startVoiceplane([...args, "--stack", "dev"], env).finished);
  }

  startVoiceplane(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    return start(process.execPath, [cli, ...args], { cwd: this.folder, env: { ...this.environment, ...env } });
  }

  /** Runs a script as pipelines do: it ends at the first command that fails, also within a pipe. */
  async shell(script: string, env: NodeJS.ProcessEnv = {}): Promise<{ code: number | null; output: string }> {
    const args = ["--noprofile", "--norc", "-eo", "pipefail", "-c", script];
    const started = start("bash", args, { cwd: this.folder, env: { ...this.environment, ...env } });
    const { code, stdout, stderr } = await started.finished;
    return { code, output: stdout + stderr };
  }

  /** Puts a shell script in front of a program on PATH. */
  standIn(name: string, script: string): void {
    programs({ [name]: script }, join(this.folder, ".bin"));
  }

  /** The resources in the state by name, without the stack and the providers. A secret shows as "[secret]". */
  state(): Record<string, ResourceState> {
    const { resources: all = [] } = this.deployment(hideSecret);
    const resources = all.filter(({ type }) => !type.startsWith("pulumi:"));
    const name = ({ urn }: ResourceState): string => urn.slice(urn.lastIndexOf("::") + 2);
    return Object.fromEntries(resources.map((resource): [string, ResourceState] => [name(resource), resource]));
  }

  /** Everything that was printed or written so far. No secret may be in it. */
  everything(): string {
    const kept = filesBelow(this.folder)
      .filter((file) => /\.state|Pulumi\.dev\.yaml$|\.log$/.test(file))
      .map((file) => readFileSync(file, "utf8"));
    return withoutDebugMessages([...this.#printed, ...kept].join("\n"));
  }

  /** An output of the stack with its secrets. {@link everything} does not contain it. */
  reveal(name: string): string | undefined {
    const { outputs } = this.inClear().find(({ type }) => type === "pulumi:pulumi:Stack") ?? {};
    return outputs?.[name] as string | undefined;
  }

  /** The resources of the state with their secrets. */
  inClear(): readonly ResourceState[] {
    return (decrypted(this.deployment()) as Deployment).resources ?? [];
  }

  /** What the backend has, as `pulumi stack export` prints it. */
  deployment(reviver?: (key: string, value: unknown) => unknown): Deployment {
    const [, name = ""] = /^name: (.+)$/m.exec(this.read("Pulumi.yaml")) ?? [];
    const { checkpoint } = JSON.parse(this.read(`.state/.pulumi/stacks/${name}/dev.json`), reviver) as {
      checkpoint: { latest?: Deployment };
    };
    return checkpoint.latest ?? {};
  }

  /** The same run, held to the plan of a preview before it. */
  async #held(run: Run): Promise<Run> {
    const plan = join(this.folder, ".plan.json");
    const { code, stdout, stderr } = await this.voiceplane(["preview", "--out", plan], { ...clockOf(run), ...run.env });
    if (code !== 0) throw new Error(`the preview ended with exit code ${String(code)}:\n${stdout}\n${stderr}`);
    return { ...run, env: { ...run.env, VOICEPLANE_PLAN: plan } };
  }

  async #operation(args: readonly string[], run: Run): Promise<string> {
    return this.run([...args, "--stack", "dev", ...(run.flags ?? [])], run);
  }

  #noted(finished: Finished): Finished {
    this.#printed.push(finished.stdout, finished.stderr);
    return finished;
  }

  #start(args: readonly string[], run: Run): Running {
    return startPulumi(args, { cwd: this.folder, env: { ...this.environment, ...clockOf(run), ...run.env } });
  }
}
