/** `voiceplane init` as users start it. approved/init.md has what it prints and writes. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index";
import { readOrganizationFile } from "../../../../src/organization-file/reader";
import { testApproved } from "../../../support/approved";
import { temporaryFolder, write } from "../../../support/folders";
import { readGitlabFiles } from "../../../support/pipelines/gitlab-runner";
import { listen } from "../../../support/listen";
import { run } from "../../../support/command";
import { compile, Running } from "../../../support/compiled";

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
});

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

interface Outcome {
  /** The files and folders that are there before. */
  readonly there?: Readonly<Record<string, string>>;
  readonly env?: () => Readonly<Record<string, string>>;
}

/** What the command prints, its exit code, and the files that are there afterwards. */
const outcome =
  (args: readonly string[], { there = {}, env = () => ({}) }: Outcome = {}) =>
  async (): Promise<string> => {
    folder = temporaryFolder();
    write(folder, there);
    const { code, stdout, stderr } = await init(args, env());
    for (const [path, text] of Object.entries(there)) if (path !== ".gitignore") expect(read(path)).toBe(text);
    expect(stdout + stderr).not.toMatch(/hush|vp_dev/);
    const files = filesOf().map((file) => `    ${file}`);
    const text = [`$ voiceplane init ${args.join(" ")}`, stdout + stderr, `exit code ${code}, files:`, "", ...files];
    return text
      .join("\n")
      .replaceAll(/127\.0\.0\.1:\d+/g, "SERVER")
      .replaceAll(/request id [\w-]{36}/g, "request id ID");
  };

const repository = {
  ".git/HEAD": "ref: refs/heads/main\n",
  ".gitignore": "dist/\nnode_modules/",
  ".github/workflows/test.yml": "on: push\n",
  "README.md": "# Voice\n",
};
const inRepository = { there: { ".git/HEAD": "ref: refs/heads/main\n" } };
const occupied = {
  "acme/package.json": "mine",
  "acme/README.md": "mine",
  "acme/.github/workflows/voiceplane.yml": "mine",
};
const fromServer = ["acme", "--from-server"];
const withServer = (changes: Readonly<Record<string, string>>) => ({ env: () => ({ ...server(), ...changes }) });

testApproved(join(__dirname, "approved/init.md"), {
  "a new project with GitHub's pipeline": outcome(["acme", "--ci", "github"]),
  "with GitLab's pipeline": outcome(["acme", "--ci", "gitlab"]),
  "without a pipeline": outcome(["acme"]),
  "in YAML": outcome(["acme", "--runtime", "yaml"]),
  "in the current folder": outcome(["--name", "acme"]),
  "in a folder that is named like an option, which no printed command reads as one": outcome(["--", "-x"]),
  "in an existing repository, whose files stay": outcome([".", "--name", "acme", "--ci", "github"], {
    there: repository,
  }),
  "below a repository's root, to which GitHub's workflows belong": outcome(
    ["infra/it's", "--ci", "github"],
    inRepository,
  ),
  "below a repository's root, with GitLab's pipeline": outcome(["other", "--ci", "gitlab"], inRepository),
  "where GitHub's workflow is there already": outcome(["second", "--ci", "github"], {
    there: { ...inRepository.there, ".github/workflows/voiceplane.yml": "mine" },
  }),
  "where GitLab's jobs are there already, and the same": outcome(["second", "--ci", "gitlab"], {
    there: { ...inRepository.there, ".gitlab/voiceplane.yml": example("gitlab/.gitlab/voiceplane.yml") },
  }),
  "where GitLab's jobs are others": outcome(["second", "--ci", "gitlab"], {
    there: { ...inRepository.there, ".gitlab/voiceplane.yml": "mine" },
  }),
  "with files that would be overwritten: all are named, and nothing changes": outcome(["acme", "--ci", "github"], {
    there: occupied,
  }),
  "where a file is in place of the folder": outcome(["file"], { there: { file: "mine" } }),
  "where a file is in place of a folder above": outcome(["file/acme"], { there: { file: "mine" } }),
  "with the server's webhooks": outcome(fromServer, { env: server }),
  "with the server's webhooks, without settings": outcome(fromServer),
  "with a token that is not accepted": outcome(fromServer, withServer({ VOICEPLANE_TOKEN: "hush-hush" })),
  "with a token without the scope": outcome(
    fromServer,
    withServer({ VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" }),
  ),
  "with an address that is none": outcome(fromServer, withServer({ VOICEPLANE_BASE_URL: "hush-hush" })),
});

test("a new project runs the package's own program, without a compiler, on this version and the SDK version that fits it", async () => {
  await init([".", "--name", "acme", "--ci", "github"]);
  expect(read("index.js")).toBe('module.exports = require("pulumi-voiceplane/stack");\n');
  expect(parse(read("Pulumi.yaml"))).toEqual({
    name: "acme",
    description: "One organization's settings, declared in organization.yaml",
    runtime: { name: "nodejs", options: { typescript: false } },
  });
  expect(JSON.parse(read("package.json"))).toEqual({
    private: true,
    type: "commonjs",
    engines: { node: ">=22.19" },
    dependencies: { "@pulumi/pulumi": "^3.250.0", "pulumi-voiceplane": `^${manifest.version}` },
    devDependencies: { pulumi: "^3.250.0" },
  });
  expect(readOrganizationFile(read("organization.yaml"))).toHaveProperty("organization");
  for (const name of ["workflows/voiceplane.yml", "workflows/voiceplane-stack.yml", "actions/voiceplane/action.yml"])
    expect(read(".github", name)).toBe(example(`github/${name.replace("workflows/", "")}`));
});

test("a new project ignores packages, a state in files, the events of an update, which hold secrets, and what the workflows write", async () => {
  write(folder, repository);
  await init([".", "--name", "acme", "--ci", "github"]);
  expect(read(".gitignore")).toBe(
    "dist/\nnode_modules/\n.pulumi/\n*.events\nplan.json\nreport.md\nwebhooks.txt\n.voiceplane/\n",
  );
  for (const name of ["plan.json", "report.md", "webhooks.txt"])
    expect(read(".github/workflows/voiceplane-stack.yml")).toContain(name);
});

test("--ci gitlab writes GitLab's pipeline, byte for byte, with the environments of the next steps", async () => {
  const { stdout } = await init([".", "--name", "acme", "--ci", "gitlab"]);
  for (const file of [".gitlab-ci.yml", ".gitlab/voiceplane.yml"]) expect(read(file)).toBe(example(`gitlab/${file}`));
  for (const name of ["voiceplane-preview/dev", "voiceplane/dev", "voiceplane-nightly/dev"]) {
    expect(stdout).toContain(`\n  ${name} `);
    expect(read(".gitlab/voiceplane.yml")).toContain(`name: "${name.replace("dev", "$[[ inputs.stack ]]")}"`);
  }
});

test("--runtime yaml writes the settings to Pulumi.yaml, names the plugin with its version, and GitLab's image has a host for YAML", async () => {
  await init([".", "--name", "acme", "--runtime", "yaml", "--ci", "gitlab"]);
  expect(parse(read("Pulumi.yaml"))).toEqual({
    name: "acme",
    description: "One organization's settings",
    runtime: "yaml",
    plugins: { providers: [{ name: "voiceplane", path: "./node_modules/.bin", version: manifest.version }] },
    resources: {
      organization: {
        type: "voiceplane:Organization",
        properties: { retention: {}, networkPolicies: {}, trunks: {}, webhooks: {} },
      },
    },
    outputs: {
      webhookSecrets: "${organization.webhookSecrets}",
      previousWebhookSecrets: "${organization.previousWebhookSecrets}",
    },
  });
  const jobs = Object.entries(readGitlabFiles(folder).jobs).filter(([name]) => !name.startsWith("."));
  const images = new Set(jobs.map(([, { image }]) => image?.name));
  expect([...images]).toEqual([expect.stringMatching(/^pulumi\/pulumi:3\.259\.0(@sha256:[0-9a-f]{64})?$/)]);
});

test("below a repository's root, the pipelines name the project's folder", async () => {
  mkdirSync(join(folder, ".git"));
  await init(["infra/it's", "--ci", "github"]);
  expect(read(".github/workflows/voiceplane.yml")).toBe(
    example("github/voiceplane.yml").replace('directory: "."', `directory: "infra/it's"`),
  );
  await init(["other", "--ci", "gitlab"]);
  expect(read("other/.gitlab-ci.yml")).toMatch(/\n {6}stack: dev\n {6}directory: other\n$/);
});

const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];

test.each<[what: string, branch: string, commands: string[][]]>([
  ["the remote's default branch", "trunk", [["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]]],
  ["the only branch of a new repository", "release/2", []],
  ["a branch whose name is a number", "1.0", [["symbolic-ref", "HEAD", "refs/heads/1.0"]]],
  [
    "master, if the current branch is another one",
    "master",
    [
      [...author, "commit", "--allow-empty", "-m", "x"],
      ["branch", "master"],
    ],
  ],
])("the workflows are for %s", async (_what, branch, commands) => {
  git("init", "--initial-branch", "release/2");
  for (const command of commands) git(...command);
  const { stdout } = await init([".", "--name", "acme", "--ci", "github"], { PATH: process.env.PATH ?? "" });
  expect(stdout).toContain(`Limit the last two to the branch ${branch}, because the workflow`);
  const { on } = parse(read(".github/workflows/voiceplane.yml")) as { on: Record<string, { branches: unknown }> };
  expect([on.push?.branches, on.pull_request?.branches]).toEqual([[branch], [branch]]);
});

test("on a full disk, partly written files are removed again, and .gitignore stays", async () => {
  const before = "dist/\n".repeat(5000);
  write(folder, { ".gitignore": before });
  // Room for files of so many blocks of 512 bytes.
  const limited = ["-c", 'ulimit -f 16; exec "$@"', "sh", process.execPath, compile("templates").entry];
  const child = spawn("/bin/sh", [...limited, "init", ".", "--name", "a"], { cwd: folder, env: { PATH: "/nowhere" } });
  expect(await new Running(child).finished).toMatchObject({
    code: 1,
    stderr: "voiceplane: . cannot be written to (EFBIG): nothing was written\n",
  });
  expect(readdirSync(folder)).toEqual([".gitignore"]);
  expect(read(".gitignore")).toBe(before);
});

test.each([
  [["acme", "--name", "voice.prod_1"], "acme", "voice.prod_1"],
  [["acme", "--name", "007"], "acme", "007"],
  [["acme", "--name", "null"], "acme", "null"],
  [["My voice, really"], "My voice, really", "My-voice-really"],
  [["--", "--help"], "--help", "help"],
  [[".hidden"], ".hidden", "hidden"],
  [["--", "--"], "--", "voiceplane"],
])("the name of %j", async (args, path, name) => {
  expect((await init(args)).code).toBe(0);
  expect(parse(read(path, "Pulumi.yaml"))).toMatchObject({ name });
});

test.each([[""], ["a b"], ["a/b"], ["-x"], ["."], ["x".repeat(101)]])("the name %j is refused", async (name) => {
  expect(await init(["acme", `--name=${name}`])).toEqual({
    code: 1,
    stdout: "",
    stderr:
      `voiceplane: option '--name <name>' argument '${name}' is invalid. ` +
      'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_". (try --help)\n',
  });
  expect(filesOf()).toEqual([]);
});

describe("--from-server", () => {
  test.each([
    ["organization.yaml", ["acme", "--from-server"]],
    ["Pulumi.yaml, where ${…} in an id is no expression", ["acme", "--from-server", "--runtime", "yaml"]],
  ])("adopts the server's webhooks in %s, with one GET", async (_file, args) => {
    plane.control.reset();
    plane.control.seed({ webhooks: [{ id: "a${b}", url: "https://example.com/" }] });
    expect((await init(args, server())).code).toBe(0);
    const isYaml = args.includes("yaml");
    const text = read("acme", isYaml ? "Pulumi.yaml" : "organization.yaml");
    const webhooks = isYaml
      ? (parse(text) as { resources: { organization: { properties: { webhooks: object } } } }).resources.organization
          .properties.webhooks
      : (parse(text) as { webhooks: object }).webhooks;
    expect(Object.values(webhooks)).toEqual(
      expect.arrayContaining([
        { id: isYaml ? "a$${b}" : "a${b}", onCreate: "adopt" },
        { id: "c0000000-0000-4000-8000-000000000001", onCreate: "adopt" },
      ]),
    );
    expect(text).not.toContain(plane.tokens.full);
    expect(sent()).toEqual(["GET /v1/webhooks/"]);
  });

  test("refuses a folder with files that would be overwritten before it sends a request", async () => {
    plane.control.reset();
    writeFileSync(join(folder, "index.js"), "");
    expect((await init([".", "--from-server"], server())).code).toBe(1);
    expect(sent()).toEqual([]);
  });

  test.each([["<html></html>"], ['{"success":true,"data":null}']])(
    "%s is not a list: one line, nothing written",
    async (body) => {
      const other = createServer((_request, response) => response.end(body));
      const url = `http://127.0.0.1:${await listen(other)}`;
      const result = await init(["acme", "--from-server"], { ...server(), VOICEPLANE_BASE_URL: url });
      other.close();
      expect(result).toEqual({
        code: 1,
        stdout: "",
        stderr: `voiceplane: no list of webhooks is found in the answer of ${url}; run "voiceplane doctor" to find the reason\n`,
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});
