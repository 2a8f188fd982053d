/** `voiceplane init` as users start it. approved/init.md has what it prints and writes. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index";
import { testApproved } from "../../../support/approved";
import { temporaryFolder, write } from "../../../support/folders";
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

type Files = Readonly<Record<string, string>>;

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
    const text = [`$ voiceplane init ${args.join(" ")}`, stdout + stderr, `exit code ${code}, files:`, "", ...files];
    return text
      .join("\n")
      .replaceAll(/127\.0\.0\.1:\d+/g, "SERVER")
      .replaceAll(/request id [\w-]{36}/g, "request id ID");
  };

/** What these files have. */
const written =
  (args: readonly string[], names: readonly string[], env: () => Files = () => ({})) =>
  async () => {
    folder = temporaryFolder();
    await init(["acme", ...args], env());
    const texts = names.map((name) => `${name}:\n\n${read("acme", name).replaceAll(manifest.version, "VERSION")}`);
    return texts.join("\n").trimEnd();
  };

/** With webhooks of the server, for these changes of its settings. */
const adopting = (changes: Files = {}) => outcome(["acme", "--from-server"], {}, () => ({ ...server(), ...changes }));

const inRepository = { ".git/HEAD": "ref: refs/heads/main\n" };
const repository = {
  ...inRepository,
  ".gitignore": "dist/\nnode_modules/",
  ".github/workflows/test.yml": "on: push\n",
  "README.md": "# Voice\n",
};
const withWorkflow = { ...inRepository, ".github/workflows/voiceplane.yml": "mine" };
const withJobs = (text: string) => ({ ...inRepository, ".gitlab/voiceplane.yml": text });
const occupied = {
  "acme/package.json": "mine",
  "acme/README.md": "mine",
  "acme/.github/workflows/voiceplane.yml": "mine",
};
const github = ["--ci", "github"];
const gitlab = ["--ci", "gitlab"];

testApproved(join(__dirname, "approved/init.md"), {
  "a new project with GitHub's pipeline": outcome(["acme", ...github]),
  "with GitLab's pipeline": outcome(["acme", ...gitlab]),
  "without a pipeline": outcome(["acme"]),
  "in YAML": outcome(["acme", "--runtime", "yaml"]),
  "in the current folder": outcome(["--name", "acme"]),
  "in a folder that is named like an option, which no printed command reads as one": outcome(["--", "-x"]),
  "in an existing repository, whose files stay": outcome([".", "--name", "acme", ...github], repository),
  "below a repository's root, to which GitHub's workflows belong": outcome(["infra/it's", ...github], inRepository),
  "below a repository's root, with GitLab's pipeline": outcome(["other", ...gitlab], inRepository),
  "where GitHub's workflow is there already": outcome(["second", ...github], withWorkflow),
  "where GitLab's jobs are there already, and the same": outcome(
    ["second", ...gitlab],
    withJobs(example("gitlab/.gitlab/voiceplane.yml")),
  ),
  "where GitLab's jobs are others": outcome(["second", ...gitlab], withJobs("mine")),
  "with files that would be overwritten: all are named, and nothing changes": outcome(["acme", ...github], occupied),
  "where a file is in place of the folder": outcome(["file"], { file: "mine" }),
  "where a file is in place of a folder above": outcome(["file/acme"], { file: "mine" }),
  "with the server's webhooks": adopting(),
  "with the server's webhooks, without settings": outcome(["acme", "--from-server"]),
  "with a token that is not accepted": adopting({ VOICEPLANE_TOKEN: "hush-hush" }),
  "with a token without the scope": adopting({ VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" }),
  "with an address that is none": adopting({ VOICEPLANE_BASE_URL: "hush-hush" }),
});

testApproved(join(__dirname, "approved/files.md"), {
  "a new project runs the package's own program, without a compiler, on this version and the SDK version that fits it":
    written([], ["Pulumi.yaml", "index.js", "organization.yaml", "package.json"]),
  "--runtime yaml writes the settings to Pulumi.yaml, and names the plugin with its version": written(
    ["--runtime", "yaml"],
    ["Pulumi.yaml"],
  ),
  "in Pulumi.yaml, ${…} in an id of the server's webhooks is no expression": written(
    ["--runtime", "yaml", "--from-server"],
    ["Pulumi.yaml"],
    () => {
      plane.control.reset();
      plane.control.seed({ webhooks: [{ id: "a${b}", url: "https://example.com/" }] });
      return server();
    },
  ),
});

test("--ci github writes GitHub's pipeline, byte for byte, with the environments of the next steps", async () => {
  const { stdout } = await init([".", "--name", "acme", ...github]);
  for (const name of ["voiceplane-preview-dev", "voiceplane-dev", "voiceplane-unattended-dev"])
    expect(stdout).toContain(`\n  ${name} `);
  expect(read(".github/workflows/voiceplane-stack.yml").match(/(?<= environment: ).*/g)).toEqual([
    "voiceplane-${{ inputs.task == 'preview' && 'preview' || 'unattended' }}-${{ inputs.stack }}",
    "voiceplane-${{ inputs.task == 'nightly' && 'unattended-' || '' }}${{ inputs.stack }}",
  ]);
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

test("a .gitignore that has all the lines stays as it is, and is not among the files that init names", async () => {
  await init(["first"]);
  write(folder, { "second/.gitignore": read("first/.gitignore") });
  const { stdout } = await init(["second"]);
  expect(stdout).toContain("\n  index.js\n\nNext:\n");
  expect(read("second/.gitignore")).toBe(read("first/.gitignore"));
});

test("--ci gitlab writes GitLab's pipeline, byte for byte, with the environments of the next steps", async () => {
  const { stdout } = await init([".", "--name", "acme", "--ci", "gitlab"]);
  for (const file of [".gitlab-ci.yml", ".gitlab/voiceplane.yml"]) expect(read(file)).toBe(example(`gitlab/${file}`));
  for (const name of ["voiceplane-preview/dev", "voiceplane/dev", "voiceplane-nightly/dev"]) {
    expect(stdout).toContain(`\n  ${name} `);
    expect(read(".gitlab/voiceplane.yml")).toContain(`name: "${name.replace("dev", "$[[ inputs.stack ]]")}"`);
  }
});

test("--runtime yaml has an image for GitLab that has a host for YAML", async () => {
  await init([".", "--name", "acme", "--runtime", "yaml", ...gitlab]);
  expect(read(".gitlab-ci.yml")).toMatch(/\n {6}image: pulumi\/pulumi:3\.259\.0(@sha256:[0-9a-f]{64})?\n$/);
});

test("below a repository's root, the pipelines name the project's folder", async () => {
  mkdirSync(join(folder, ".git"));
  await init(["infra/it's", "--ci", "github"]);
  expect(read(".github/workflows/voiceplane.yml")).toBe(
    example("github/voiceplane.yml").replace('directory: "."', `directory: "infra/it's"`),
  );
  await init(["other", "--ci", "gitlab"]);
  expect(read("other/.gitlab-ci.yml")).toMatch(/\n {6}directory: other\n$/);
});

const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });
const commit = "-c user.name=a -c user.email=a@example.com commit --allow-empty -m x".split(" ");

test.each<[what: string, branch: string, commands: string[][]]>([
  ["the remote's default branch", "trunk", [["symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"]]],
  ["the only branch of a new repository", "release/2", []],
  ["a branch whose name is a number", "1.0", [["symbolic-ref", "HEAD", "refs/heads/1.0"]]],
  ["master, if the current branch is another one", "master", [commit, ["branch", "master"]]],
])("the workflows are for %s", async (_what, branch, commands) => {
  git("init", "--initial-branch", "release/2");
  for (const command of commands) git(...command);
  const { stdout } = await init([".", "--name", "acme", "--ci", "github"], { PATH: process.env.PATH ?? "" });
  expect(stdout).toContain(`Limit the last two to the branch ${branch}, because the workflow`);
  const { on } = parse(read(".github/workflows/voiceplane.yml")) as { on: Record<string, { branches: unknown }> };
  expect([on.push?.branches, on.pull_request?.branches]).toEqual([[branch], [branch]]);
});

test("on a full disk, the error names what is written, and .gitignore stays", async () => {
  const before = "dist/\n".repeat(5000);
  write(folder, { ".gitignore": before });
  // Room for files of so many blocks of 512 bytes.
  const limited = ["-c", 'ulimit -f 16; exec "$@"', "sh", process.execPath, compile("templates").entry];
  const child = spawn("/bin/sh", [...limited, "init", ".", "--name", "a"], { cwd: folder, env: { PATH: "/nowhere" } });
  expect(await new Running(child).finished).toMatchObject({
    code: 1,
    stderr:
      "voiceplane: . cannot be written to (EFBIG): remove what was written: Pulumi.yaml, organization.yaml, package.json, index.js\n",
  });
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

const refusal = (message: string) => ({ code: 1, stdout: "", stderr: `voiceplane: ${message}\n` });

test.each([[""], ["a b"], ["a/b"], ["-x"], ["."], ["x".repeat(101)]])("the name %j is refused", async (name) => {
  const rule = 'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_".';
  expect(await init(["acme", `--name=${name}`])).toEqual(
    refusal(`option '--name <name>' argument '${name}' is invalid. ${rule} (try --help)`),
  );
  expect(filesOf()).toEqual([]);
});

describe("--from-server", () => {
  test("adopts the server's webhooks, with one GET, and writes no token", async () => {
    plane.control.reset();
    expect((await init(["acme", "--from-server"], server())).code).toBe(0);
    expect(sent()).toEqual(["GET /v1/webhooks/"]);
    expect(read("acme/organization.yaml")).toContain("c0000000-0000-4000-8000-000000000001");
    expect(
      filesOf()
        .map((file) => read(file))
        .join(),
    ).not.toContain(plane.tokens.full);
  });

  test("refuses a folder with files that would be overwritten before it sends a request", async () => {
    plane.control.reset();
    writeFileSync(join(folder, "index.js"), "");
    expect((await init([".", "--from-server"], server())).code).toBe(1);
    expect(sent()).toEqual([]);
  });

  test("adopts webhooks with numbers as ids, and says what may be missing", async () => {
    const body = '{"success":true,"data":{"webhooks":[{"id":42,"name":"crm"},{"name":"none"}],"has_more":true}}';
    const other = createServer((_request, response) => response.end(body));
    const url = `http://127.0.0.1:${await listen(other)}`;
    const result = await init(["acme", "--from-server"], { ...server(), VOICEPLANE_BASE_URL: url });
    other.close();
    const partial = "1 of 2 entries have no id that can be read and the list may have further pages";
    expect(result.stdout).toContain(`\nSome of the server's webhooks may be missing: ${partial}.\n`);
    expect(read("acme/organization.yaml")).toContain('  crm:\n    id: "42"\n    onCreate: adopt\n');
    expect(read("acme/organization.yaml")).toContain(`# Not complete: ${partial}.`);
  });

  test.each([["<html></html>"], ['{"success":true,"data":null}']])(
    "%s is not a list: one line, nothing written",
    async (body) => {
      const other = createServer((_request, response) => response.end(body));
      const url = `http://127.0.0.1:${await listen(other)}`;
      const result = await init(["acme", "--from-server"], { ...server(), VOICEPLANE_BASE_URL: url });
      other.close();
      expect(result).toEqual(
        refusal(`no list of webhooks is found in the answer of ${url}; run "voiceplane doctor" to find the reason`),
      );
      expect(filesOf()).toEqual([]);
    },
  );
});
