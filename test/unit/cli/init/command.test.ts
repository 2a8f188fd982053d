/** `voiceplane init` as users start it. approved/*.md have what it prints and writes. */
import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index";
import { readOrganizationFile } from "../../../../src/organization-file/reader";
import { testApproved } from "../../../support/approved";
import { run } from "../../../support/command";
import { temporaryFolder, write } from "../../../support/folders";

const root = resolve(__dirname, "../../../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

let folder: string;
let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane();
});
afterAll(() => plane.close());
beforeEach(() => {
  folder = temporaryFolder();
  plane.control.reset();
});

type Files = Readonly<Record<string, string>>;

const init = (args: readonly string[], env?: Record<string, string>) => run(["init", ...args], folder, env);
const read = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");
/** A file of an example pipeline. */
const example = (path: string): string => readFileSync(join(root, "examples/pipelines", path), "utf8");
const server = () => ({ VOICEPLANE_BASE_URL: plane.url, VOICEPLANE_TOKEN: plane.tokens.full });
const sent = () => plane.control.journal().map(({ method, path }) => `${method} ${path}`);

/** Files below the folder, by path. */
function filesOf(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name).slice(folder.length + 1))
    .sort();
}

/** What the command prints, its exit code, and the files that are there afterwards; those that were there before stay. */
const outcome =
  (args: readonly string[], there: Files = {}, env: () => Files = () => ({})) =>
  async (): Promise<string> => {
    folder = temporaryFolder();
    write(folder, there);
    const { code, stdout, stderr } = await init(args, env());
    for (const [path, text] of Object.entries(there)) if (path !== ".gitignore") expect(read(path)).toBe(text);
    expect(stdout + stderr).not.toMatch(/hush|vp_dev/);
    const files = filesOf().map((file) => `    ${file}`);
    return [`$ voiceplane init ${args.join(" ")}`, stdout + stderr, `exit code ${code}, files:`, "", ...files]
      .join("\n")
      .replaceAll(/127\.0\.0\.1:\d+/g, "SERVER")
      .replaceAll(/request id [\w-]{36}/g, "request id ID");
  };

const inRepository = { ".git/HEAD": "ref: refs/heads/main\n", ".gitignore": "dist/\nnode_modules/" };
const existing = {
  ...inRepository,
  "infra/Pulumi.yaml": "name: infra\nruntime: nodejs\n",
  "infra/index.ts": "// mine\n",
};
const [github, gitlab] = [
  ["--ci", "github"],
  ["--ci", "gitlab"],
];
const adopting = (changes: Files = {}) => outcome(["acme", "--from-server"], {}, () => ({ ...server(), ...changes }));

testApproved(join(__dirname, "approved/init.md"), {
  "a new project with GitHub's pipeline": outcome(["acme", ...github]),
  "with GitLab's pipeline": outcome(["acme", ...gitlab]),
  "without a pipeline": outcome(["acme"]),
  "in YAML": outcome(["acme", "--runtime", "yaml"]),
  "a pipeline for an existing project below a repository's root, where it belongs": outcome(
    ["infra", ...github],
    existing,
  ),
  "where GitHub's workflow is there already": outcome(["infra", ...github], {
    ...existing,
    ".github/workflows/voiceplane.yml": "mine",
  }),
  "an existing project without a pipeline to write": outcome(["infra"], existing),
  "where a file is in place of the folder": outcome(["file"], { file: "mine" }),
  "with the server's webhooks, without settings": outcome(["acme", "--from-server"]),
  "with a token that is not accepted": adopting({ VOICEPLANE_TOKEN: "hush-hush" }),
});

testApproved(join(__dirname, "approved/files.md"), {
  "a new project runs the package's own program, without a compiler, on this version and the SDK version that fits it":
    written([], ["Pulumi.yaml", "index.js", "organization.yaml", "package.json"]),
  "--runtime yaml writes the settings to Pulumi.yaml, and names the plugin with its version": written(
    ["--runtime", "yaml"],
    ["Pulumi.yaml"],
  ),
});

/** What these files have. */
function written(args: readonly string[], names: readonly string[]) {
  return async () => {
    folder = temporaryFolder();
    await init(["acme", ...args]);
    const texts = names.map((name) => `${name}:\n\n${read("acme", name).replaceAll(manifest.version, "VERSION")}`);
    return texts.join("\n").trimEnd();
  };
}

test("the pipelines are those of the examples, byte for byte, with the environments of the next steps", async () => {
  const ofGithub = await init(["a", ...github]);
  for (const name of ["workflows/voiceplane.yml", "workflows/voiceplane-stack.yml", "actions/voiceplane/action.yml"])
    expect(read("a/.github", name)).toBe(example(`github/${name.replace("workflows/", "")}`));
  for (const name of ["voiceplane-preview-dev", "voiceplane-dev", "voiceplane-unattended-dev"])
    expect(ofGithub.stdout).toContain(`\n  ${name} `);
  const ofGitlab = await init(["b", ...gitlab]);
  for (const file of [".gitlab-ci.yml", ".gitlab/voiceplane.yml"])
    expect(read("b", file)).toBe(example(`gitlab/${file}`));
  for (const name of ["voiceplane-preview/dev", "voiceplane/dev", "voiceplane-nightly/dev"])
    expect(ofGitlab.stdout).toContain(`\n  ${name} `);
});

test("the lines that .gitignore lacks are added: packages, a state in files, events with secrets, what the workflows write", async () => {
  write(folder, inRepository);
  await init([".", "--name", "acme", ...github]);
  const lines = "dist/\nnode_modules/\n.pulumi/\n*.events\nplan.json\nreport.md\nwebhooks.txt\n.voiceplane/\n";
  expect(read(".gitignore")).toBe(lines);
  write(folder, { "second/.gitignore": lines });
  expect((await init(["second"])).stdout).toContain("\n  index.js\n\nNext:\n");
  expect(read("second/.gitignore")).toBe(lines);
});

test("npm's package for Pulumi's CLI is no dependency where PATH has a CLI, and the next steps use that", async () => {
  write(folder, { "bin/pulumi": "#!/bin/sh\n" });
  chmodSync(join(folder, "bin/pulumi"), 0o755);
  const { stdout } = await init(["acme"], { PATH: join(folder, "bin") });
  expect(JSON.parse(read("acme/package.json"))).not.toHaveProperty("devDependencies");
  expect(stdout).toContain("\n  pulumi stack init dev\n");
});

test("--from-server adopts the server's webhooks by their ids, with one GET, and writes no token", async () => {
  expect((await init(["acme", "--from-server"], server())).code).toBe(0);
  expect(sent()).toEqual(["GET /v1/webhooks/"]);
  const text = read("acme/organization.yaml");
  expect(text).not.toContain(plane.tokens.full);
  const file = readOrganizationFile(text);
  const ids = [1, 2, 3].map((number) => `c0000000-0000-4000-8000-00000000000${number}`);
  expect(file).toMatchObject({
    organization: { webhooks: Object.fromEntries(ids.map((id) => [id, { id, onCreate: "adopt" }])) },
  });
});

test("--from-server leaves out ids that cannot be names, and says so in the file", async () => {
  plane.control.seed({ webhooks: ["a${b}", "wh_1"].map((id) => ({ id, url: "https://example.com/" })) });
  await init(["acme", "--runtime", "yaml", "--from-server"], server());
  const text = read("acme/Pulumi.yaml");
  expect(text).toContain("\n        # 1 more, whose ids cannot be names: add them by hand.\n");
  expect(Object.keys((parse(text) as Parsed).resources.organization.properties.webhooks)).toHaveLength(4);
});

interface Parsed {
  readonly resources: { readonly organization: { readonly properties: { readonly webhooks: object } } };
}

test.each([
  [["acme", "--name", "voice.prod_1"], "acme", "voice.prod_1"],
  [["acme", "--name", "007"], "acme", "007"],
  [["My voice, really"], "My voice, really", "My-voice-really"],
  [["--", "--"], "--", "voiceplane"],
])("the name of %j", async (args, path, name) => {
  expect((await init(args)).code).toBe(0);
  expect(parse(read(path, "Pulumi.yaml"))).toMatchObject({ name });
});
