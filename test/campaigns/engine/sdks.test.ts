/** The SDKs that Pulumi's generators write from schema.json, and the examples of the documentation on them. */
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import { blocks, schemaBlocks, type Block } from "../../support/docs/documents";
import { read, root } from "../../support/repository";
import { start } from "../../support/processes";
import { temporaryFolder } from "../../support/folders";
import { get, goOnPath, testWith } from "../../support/tools";
import { project } from "../../support/engine/project";
import type { YamlProgram } from "../../support/engine/declared";
import type { ResourceType } from "../../../src/resources/index.js";
import { types } from "../../support/resources/table";
import { released } from "../../support/native/release";

// Without their caches, Go compiles for minutes, and pip installs the SDK.
jest.setTimeout(1_800_000);

/** They run a program on Pulumi's Automation API. */
const runners = join(__dirname, "sdks");

const folder = temporaryFolder();
const generator = get("tools/engine/program.mjs", "codegen");
if (generator.missing === undefined) {
  execFileSync(generator.file, ["sdks", join(root, "schema.json"), folder], {
    stdio: ["ignore", "ignore", "inherit"],
  });
}
const go = goOnPath.missing === undefined ? generator : goOnPath;
const python = generator.missing === undefined ? get("tools/python.mjs", requirements()) : generator;

/** The packages that the SDK for Python names, and what pip needs to install it without the index. */
function requirements(): string {
  const file = join(folder, "requirements.txt");
  const project = readFileSync(join(folder, "python/pyproject.toml"), "utf8");
  const lists = [...project.matchAll(/^ {2}(?:dependencies|requires) = (\[.*\])$/gm)];
  expect(lists).toHaveLength(2);
  writeFileSync(file, [...lists.flatMap(([, list = ""]) => JSON.parse(list) as string[]), "wheel"].join("\n"));
  return file;
}

/** The programs in a language, each once: pages and schema.json have the same examples. */
function programsIn(language: string): Block[] {
  const all = [...schemaBlocks, ...blocks].filter((block) => block.language === language);
  return all.filter(({ text }, index) => index === all.findIndex((other) => other.text === text));
}

const goSdk = join(folder, "go");
// As for the engine's build, so that they share what is compiled.
const goEnv = { ...process.env, CGO_ENABLED: "0", GOFLAGS: "-mod=readonly -trimpath", GOWORK: "off" };

/** Makes the SDK a module with the versions of this go.mod. Returns its name. */
function goModule(modules: string): string {
  const { language } = JSON.parse(read("schema.json")) as { language: { go: { importBasePath: string } } };
  const module = dirname(language.go.importBasePath);
  writeFileSync(join(goSdk, "go.mod"), read(modules).replace(/^module .*/, `module ${module}`));
  writeFileSync(join(goSdk, "go.sum"), read(modules.replace(/mod$/, "sum")));
  return module;
}

testWith(go, "every program in Go compiles against the SDK for Go, formatted as gofmt does it", () => {
  // The versions that the engine is built with.
  const module = goModule("tools/engine/go.mod");
  const names = programsIn("go").map(({ text }, index) => {
    const name = `programs/program${index}`;
    mkdirSync(join(goSdk, name), { recursive: true });
    writeFileSync(join(goSdk, name, "main.go"), text);
    return `${module}/${name}`;
  });
  expect(names.length).toBeGreaterThan(5);

  // Compiles like `go build`, and does not link.
  const compiled = spawnSync("go", ["list", "-export", "-f", "{{.ImportPath}}", "./..."], {
    cwd: goSdk,
    env: goEnv,
    encoding: "utf8",
  });
  expect([compiled.status, compiled.stderr.replace(/^go: downloading .*\n/gm, "")]).toEqual([0, ""]);
  expect(compiled.stdout.split("\n")).toEqual(expect.arrayContaining([...names, `${module}/voiceplane`]));
  expect(execFileSync("gofmt", ["-l", "programs"], { cwd: goSdk, encoding: "utf8" })).toBe("");
});

testWith(go, "the project's own Go is formatted as gofmt does it", () => {
  expect(spawnSync("gofmt", ["-l", runners, join(root, "tools/engine")], { encoding: "utf8" }).stdout).toBe("");
});

const recordings = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const crm = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

/** What the example of each resource sends. */
const sentByExample: Record<ResourceType, string> = {
  RetentionPolicy: recordings,
  NetworkPolicy:
    'PATCH /v1/network-policies/a0000000-0000-4000-8000-000000000001 {"name":"Office","source_cidr":"203.0.113.0/24"}',
  TrunkOutboundAuth: "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth",
  WebhookSecret: crm,
};

const inSchema = (...types: readonly string[]): string[] => types.map((type) => `schema.json#${type}`);

/** The examples that make one program, and its requests, sorted. */
const examples: [title: string, files: string[], up: string[], destroy: string[]][] = [
  [
    "every resource",
    inSchema(...types),
    Object.values(sentByExample).sort(),
    ['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}'],
  ],
  ["the component", inSchema("Organization"), [crm, recordings], []],
  // Its program adopts what is there, which sends nothing.
  ["the first page of the registry", ["docs/_index.md"], [], []],
];

const textsOf = (language: string, files: string[]): string[] =>
  [...schemaBlocks, ...blocks]
    .filter((block) => block.language === language && files.includes(block.file))
    .map(({ text }) => text);

describe.each(examples)("%s", (_title, files, up, destroy) => {
  test("goes up and down in YAML", async () => {
    const programs = textsOf("yaml", files).map((text) => parse(text) as YamlProgram);
    expect(programs).toHaveLength(files.length);
    const merged = (part: "resources" | "outputs"): Record<string, unknown> =>
      Object.fromEntries(programs.flatMap((program) => Object.entries(program[part] ?? {})));
    const stack = await project();
    stack.declare("native", { resources: merged("resources"), outputs: merged("outputs") });
    await stack.up();
    expect(stack.organization.requests().sort()).toEqual(up);
    await stack.preview({ flags: ["--expect-no-changes"] });
    await stack.destroy();
    expect(stack.organization.requests().sort()).toEqual(destroy);
  });

  testWith(python, "goes up and down in Python, on the SDK", async () => {
    const texts = textsOf("python", files);
    expect(texts).toHaveLength(files.length);
    await goesUpAndDown(pythonProgram(texts.join("\n")), up, destroy);
  });
});

testWith(python, "the program of the guide to other languages goes up and down in Python, on the SDK", async () => {
  const [text = "", ...others] = textsOf("python", ["docs/guides/use-yaml-python-or-go.md"]);
  expect(others).toEqual([]);
  await goesUpAndDown(pythonProgram(text), [recordings], []);
});

testWith(go, "the first page of the registry goes up and down in Go", async () => {
  const [text = ""] = textsOf("go", ["docs/_index.md"]);
  expect(text).toContain("pulumi.Run(");
  const program = goProgram("adopting", () => text.replace("pulumi.Run(", "automate("));
  await goesUpAndDown(program, [], []);
});

/** A program on Pulumi's Automation API, which needs no language host. It takes an operation as its last argument. */
interface Program {
  readonly home: string;
  readonly command: readonly [string, ...string[]];
  readonly env?: NodeJS.ProcessEnv;
}

function pythonProgram(text: string): Program {
  const home = temporaryFolder();
  writeFileSync(join(home, "program.py"), text);
  return { home, command: [python.file, "-B", join(runners, "run.py")], env: { PYTHONPATH: pythonSdk() } };
}

/** @param textFor gives the program for the SDK as this module */
function goProgram(name: string, textFor: (module: string) => string): Program {
  const module = goModule("test/campaigns/engine/sdks/go.mod");
  const program = join(goSdk, "programs", name);
  mkdirSync(program, { recursive: true });
  writeFileSync(join(program, "main.go"), textFor(module));
  copyFileSync(join(runners, "automate.go"), join(program, "automate.go"));
  const home = temporaryFolder();
  execFileSync("go", ["build", "-o", join(home, name), `./programs/${name}`], { cwd: goSdk, env: goEnv });
  return { home, command: [join(home, name)] };
}

async function started({ home, command: [file, ...args], env: more }: Program) {
  const { target, env } = await released(home);
  const run = (operation: string) =>
    start(file, [...args, operation], { cwd: home, env: { ...env, ...more } }).finished;
  return { target, run };
}

async function goesUpAndDown(program: Program, up: readonly string[], destroy: readonly string[]): Promise<void> {
  const { target, run } = await started(program);
  const succeeds = async (operation: string): Promise<string> => {
    const { code, stdout, stderr } = await run(operation);
    expect([code, stderr]).toEqual([0, ""]);
    return stdout;
  };
  await succeeds("up");
  expect(target.requests().sort()).toEqual(up);
  expect(await succeeds("up")).toMatch(/^\{"same": ?\d+\}$/m);
  await succeeds("destroy");
  expect(target.requests().sort()).toEqual(destroy);
}

const pythonTarget = temporaryFolder();

/** Installs the SDK for Python once, as `pip install ./sdks/voiceplane` does. Returns the folder. */
function pythonSdk(): string {
  if (readdirSync(pythonTarget).length > 0) return pythonTarget;
  const options = ["--no-deps", "--no-build-isolation", "--disable-pip-version-check", "--quiet"];
  const target = ["--target", pythonTarget];
  execFileSync(python.file, ["-m", "pip", "install", ...options, ...target, join(folder, "python")]);
  return pythonTarget;
}
