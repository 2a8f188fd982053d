/** A Pulumi project in a new folder, with its own state, home and organization. */
import { hash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { stringify } from "yaml";
import { resources } from "../../../src/resources/index";
import { until, type Finished } from "../processes";
import { start, startPulumi, type RunningCommand } from "./command";
import {
  cli,
  compiledFor,
  engineEnvironment,
  initialFiles,
  initialProject,
  organizationConfig,
  preloading,
  projectYaml,
  sharedInstallation,
} from "./installation";
import { organization, type TestOrganization } from "./organization";
import { filesBelow, hideSecret, tidy, withoutDebugMessages } from "./output";
import { decrypted } from "./secrets";
import { inJavaScript, type YamlProgram } from "./yaml-program";

// An operation takes two seconds on an idle machine, and much longer on a busy one.
jest.setTimeout(600_000);

export interface ProjectOptions {
  /**
   * The text of index.js, after an import of the package's classes. Default: none, for tests that bring the program in
   * `files`.
   */
  readonly program?: string;
  /** Files by path, in addition to the default ones or instead of them. */
  readonly files?: Readonly<Record<string, string>>;
  /** Added to the environment of every command. undefined removes a variable. */
  readonly env?: NodeJS.ProcessEnv;
  /** The parent of the project's folder. Default: a folder that has the package installed. */
  readonly parent?: string;
  readonly organization?: TestOrganization;
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

const prelude = `const { ${Object.keys(resources).join(", ")}, Organization, Provider, listWebhooks } = require("pulumi-voiceplane");\n`;

const open = new Set<Project>();

/** Flags that leave out nothing of the preview, and add nothing to it. */
const usualFlags: readonly string[] = ["--diff", "--refresh"];

let isHeld = false;

/** From now on, each `up` of the suite that is to succeed is held to the plan of its preview: whatever it sends has to be there. */
export function holdToPlans(hold = true): boolean {
  isHeld = hold;
  return hold;
}

afterEach(() => {
  const everything = [...open].map((project) => project.everything()).join("\n");
  for (const project of open) project.remove();
  open.clear();
  // No test may show or store a token, whatever it tests.
  expect(/vp_dev_\w+/.exec(everything)?.[0]).toBeUndefined();
});

export async function project(options: ProjectOptions = {}): Promise<Project> {
  const made = new Project(options, options.organization ?? (await organization()));
  open.add(made);
  await initialize(made, options);
  return made;
}

/** A project without code, whose provider is the plugin. */
export async function yamlProject(program: YamlProgram, options: ProjectOptions = {}): Promise<Project> {
  const made = await project(options);
  made.yaml(program);
  return made;
}

/** A stack without code, which reads this organization file. */
export const organizationProject = (organizationFile: string, options: ProjectOptions = {}): Promise<Project> =>
  project({
    ...options,
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": organizationFile,
    },
  });

/** Does what `pulumi stack init dev` does: copies the files that the global setup got from it, if they are right for this project. */
async function initialize(made: Project, { files = {}, env = {} }: ProjectOptions): Promise<void> {
  const isUsual =
    made.read("Pulumi.yaml") === projectYaml &&
    files["Pulumi.dev.yaml"] === undefined &&
    !Object.keys(env).some((name) => name.startsWith("PULUMI_"));
  if (!isUsual) {
    await made.run(["stack", "init", "dev"]);
    return;
  }
  for (const name of initialFiles) {
    cpSync(join(initialProject(), name), join(made.folder, name), { recursive: true });
  }
  selectStack(made);
}

/** The engine stores the selected stack outside the state, by the project's path. */
function selectStack({ folder }: Project): void {
  const project = join(realpathSync(folder), "Pulumi.yaml");
  const name = `test-${hash("sha1", project)}-workspace.json`;
  const stacks = { [pathToFileURL(join(folder, ".state")).href]: "organization/test/dev" };
  const workspaces = join(folder, ".home/workspaces");
  mkdirSync(workspaces, { recursive: true });
  writeFileSync(join(workspaces, name), JSON.stringify({ stacks }));
}

export class Project {
  readonly folder: string;
  readonly organization: TestOrganization;
  readonly #env: NodeJS.ProcessEnv;
  readonly #printed: string[] = [];

  constructor(
    { program, files = {}, env = {}, parent = sharedInstallation() }: ProjectOptions,
    target: TestOrganization,
  ) {
    this.folder = mkdtempSync(join(parent, "project-"));
    this.organization = target;
    mkdirSync(join(this.folder, ".state"));
    this.write("Pulumi.yaml", projectYaml);
    this.write("package.json", '{ "private": true, "dependencies": { "pulumi-voiceplane": "*" } }\n');
    if (program !== undefined) this.program(program);
    for (const [name, text] of Object.entries(files)) this.write(name, text);
    this.#env = {
      ...engineEnvironment(this.folder),
      PULUMI_BACKEND_URL: pathToFileURL(join(this.folder, ".state")).href,
      // Enables the option --event-log.
      PULUMI_DEBUG_COMMANDS: "1",
      VOICEPLANE_BASE_URL: target.url,
      VOICEPLANE_TOKEN: "vp_dev_full",
      ...env,
    };
  }

  /** The environment of every command, for processes that a test starts itself. */
  get environment(): NodeJS.ProcessEnv {
    return { NODE_COMPILE_CACHE: compiledFor(this.folder, dirname(this.folder)), ...this.#env };
  }

  /** Replaces the program. */
  program(text: string): void {
    this.write("index.js", prelude + text);
  }

  /** Replaces a program over the plugin by one over the dynamic provider. */
  dynamic(text: string): void {
    this.write("Pulumi.yaml", projectYaml);
    this.program(text);
  }

  /** Replaces the program by one over the plugin's classes, which are there by their names. */
  native(text: string): void {
    this.write(
      "Pulumi.yaml",
      stringify({
        ...this.#overPlugin,
        runtime: { name: "nodejs", options: { typescript: false } },
        config: organizationConfig,
      }),
    );
    this.write("index.js", prelude.replace("pulumi-voiceplane", "pulumi-voiceplane/native") + text);
  }

  /** Replaces the program by one in YAML. */
  yaml(program: YamlProgram): void {
    this.write(
      "Pulumi.yaml",
      stringify({
        ...this.#overPlugin,
        runtime: "yaml",
        ...program,
        config: { ...program.config, ...organizationConfig },
      }),
    );
  }

  /** Replaces the program by this one: in JavaScript over the dynamic provider, or as it is over the plugin. */
  declare(provider: "dynamic" | "native", program: YamlProgram): void {
    if (provider === "dynamic") this.dynamic(inJavaScript(program));
    else this.yaml(program);
  }

  /** Where the engine finds the plugin: among the programs of the packages that are installed. */
  get #overPlugin(): object {
    const installed = [this.folder, dirname(this.folder)].find((folder) =>
      existsSync(join(folder, "node_modules/.bin")),
    );
    const path = join(installed ?? sharedInstallation(), "node_modules/.bin");
    return { name: "test", plugins: { providers: [{ name: "voiceplane", path }] } };
  }

  write(name: string, text: string): void {
    mkdirSync(dirname(join(this.folder, name)), { recursive: true });
    writeFileSync(join(this.folder, name), text);
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), "utf8");
  }

  async preview(run: Run = {}): Promise<string> {
    return this.#operation(["preview", "--diff"], run);
  }

  async up(run: Run = {}): Promise<string> {
    const { flags = [], fails = false } = run;
    const canHold = !fails && flags.every((flag) => usualFlags.includes(flag));
    return this.#operation(["up", "--yes", "--skip-preview"], isHeld && canHold ? await this.#held(run) : run);
  }

  async refresh(run: Run = {}): Promise<string> {
    return this.#operation(["refresh", "--yes", "--skip-preview"], run);
  }

  async destroy(run: Run = {}): Promise<string> {
    return this.#operation(["destroy", "--yes", "--skip-preview"], run);
  }

  /** Returns what a command prints, both streams joined, without alignment spaces. */
  async run(args: readonly string[], run: Run = {}): Promise<string> {
    const { stdout, stderr } = await this.#finish(args, run);
    return tidy(stdout + stderr);
  }

  /** Runs the `voiceplane` command, as packed, on the stack. */
  async voiceplane(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Finished> {
    const options = { cwd: this.folder, env: { ...this.environment, ...env } };
    const finished = await start(process.execPath, [cli, ...args, "--stack", "dev"], options).finished;
    this.#printed.push(finished.stdout, finished.stderr);
    return finished;
  }

  /** Starts an `up` that the test will interrupt. */
  startUp(run: Run = {}): RunningCommand {
    return this.#start(["up", "--yes", "--skip-preview", "--stack", "dev", ...(run.flags ?? [])], run);
  }

  /** Resolves once another process has made `condition` true. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    await until(condition);
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
    const { checkpoint } = JSON.parse(this.read(`.state/.pulumi/stacks/${this.#name}/dev.json`), reviver) as {
      checkpoint: { latest?: Deployment };
    };
    return checkpoint.latest ?? {};
  }

  get #name(): string {
    return /^name: (.+)$/m.exec(this.read("Pulumi.yaml"))?.[1] ?? "";
  }

  remove(): void {
    // A process that was killed may still write.
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The same run, held to the plan of a preview before it. */
  async #held(run: Run): Promise<Run> {
    const plan = join(this.folder, ".plan.json");
    const { code, stdout, stderr } = await this.voiceplane(["preview", "--out", plan], {
      ...clockOf(run),
      ...run.env,
    });
    if (code !== 0) throw new Error(`the preview ended with exit code ${String(code)}:\n${stdout}\n${stderr}`);
    return { ...run, env: { ...run.env, VOICEPLANE_PLAN: plan } };
  }

  async #operation(args: readonly string[], run: Run): Promise<string> {
    return this.run([...args, "--stack", "dev", ...(run.flags ?? [])], run);
  }

  async #finish(args: readonly string[], run: Run): Promise<Finished> {
    const finished = await this.#start(args, run).finished;
    this.#printed.push(finished.stdout, finished.stderr);
    if ((finished.code === 0) === (run.fails ?? false)) {
      const { code, stdout, stderr } = finished;
      throw new Error(`pulumi ${args.join(" ")} ended with exit code ${String(code)}:\n${stdout}\n${stderr}`);
    }
    return finished;
  }

  #start(args: readonly string[], run: Run): RunningCommand {
    return startPulumi(args, { cwd: this.folder, env: { ...this.environment, ...clockOf(run), ...run.env } });
  }
}

function clockOf({ at }: Run): NodeJS.ProcessEnv {
  return at === undefined ? {} : { NODE_OPTIONS: preloading("pin-clock.cjs"), TEST_CLOCK: at };
}
