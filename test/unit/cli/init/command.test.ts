/** `voiceplane init` as users start it. */
import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index";
import { readOrganizationFile } from "../../../../src/organization-file/reader";
import { temporaryFolder, write } from "../../../support/folders";
import { readGitlabFiles } from "../../../support/pipelines/gitlab-runner";
import { listen } from "../../../support/listen";
import { compile, run, Running } from "../../../support/compiled";

const root = resolve(__dirname, "../../../..");
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
const pipelines = "examples/pipelines";

const compiled = compile(pipelines, "templates");
let folder: string;

beforeEach(() => {
  folder = temporaryFolder();
});

/** With GitHub's pipeline, unless the arguments say another one. */
const init = (args: readonly string[], env?: Record<string, string>) =>
  run(compiled, ["init", ...(args.includes("--ci") ? [] : ["--ci", "github"]), ...args], folder, env);

/** On a disk with room for files of so many blocks of 512 bytes. */
const initOnFullDisk = (blocks: number, ...args: readonly string[]) => {
  const limited = ["-c", `ulimit -f ${blocks}; exec "$@"`, "sh", process.execPath, compiled.entry, "init"];
  return new Running(spawn("/bin/sh", [...limited, ...args], { cwd: folder, env: { PATH: "/nowhere" } })).finished;
};
const diskIsFull = {
  ...{ code: 1, signal: null, stdout: "" },
  stderr: "voiceplane: . cannot be written to (EFBIG): nothing was written\n",
};

const read = (...path: string[]): string => readFileSync(join(folder, ...path), "utf8");

/** Files below a folder, by path. */
function filesOf(path = folder): string[] {
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((found) => found.isFile())
    .map((found) => join(found.parentPath, found.name).slice(path.length + 1))
    .sort();
}

/** A file of an example pipeline. */
const example = (...path: string[]): string => readFileSync(join(root, pipelines, ...path), "utf8");

const allFiles = [
  ".github/actions/voiceplane/action.yml",
  ".github/workflows/voiceplane-stack.yml",
  ".github/workflows/voiceplane.yml",
  ".gitignore",
  "Pulumi.yaml",
  "index.js",
  "organization.yaml",
  "package.json",
];

describe("a new project", () => {
  const made = temporaryFolder();
  let printed: Awaited<ReturnType<typeof init>>;

  beforeAll(async () => {
    printed = await run(compiled, ["init", "acme", "--ci", "github"], made);
  });

  beforeEach(() => {
    folder = made;
  });

  test("has these files, and the command prints the next steps", () => {
    const { code, stdout, stderr } = printed;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(filesOf(join(folder, "acme"))).toEqual(allFiles);
    for (const file of allFiles) expect(stdout).toContain(`\n  ${file}\n`);
    expect(stdout.slice(stdout.indexOf("Next:"))).toBe(`Next:
  cd acme
  npm install
  npx pulumi stack init dev
  npx pulumi config set voiceplane:organization acme
  npx pulumi config set voiceplane:baseUrl https://…
  read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN
  npx voiceplane doctor
  npx voiceplane preview

Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. voiceplane.yml lists the stacks. In the repository's settings, make three environments for each:
  voiceplane-preview-dev  PULUMI_ACCESS_TOKEN                    for previews
  voiceplane-dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for merges and rotations: give it reviewers
  voiceplane-nightly-dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nights
Each also needs the variables VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL (of Pulumi Cloud: https://api.pulumi.com): a pull
request could change the addresses in the files, and the next job would send the tokens there.
Limit the last two to the branch main, because the workflow of any other branch could read their secrets. Require the check
"previewed". Nightly and rotation run on a schedule: delete those that you do not want.
`);
  });

  test("runs the package's own program, without a compiler, on this version and the SDK version that fits it", () => {
    expect(read("acme/index.js")).toBe('module.exports = require("pulumi-voiceplane/stack");\n');
    expect(parse(read("acme/Pulumi.yaml"))).toEqual({
      name: "acme",
      description: "One organization's settings, declared in organization.yaml",
      runtime: { name: "nodejs", options: { typescript: false } },
    });
    expect(JSON.parse(read("acme/package.json"))).toEqual({
      private: true,
      type: "commonjs",
      engines: { node: ">=22.19" },
      dependencies: { "@pulumi/pulumi": "^3.250.0", "pulumi-voiceplane": `^${manifest.version}` },
      devDependencies: { pulumi: "^3.250.0" },
    });
    expect(readOrganizationFile(read("acme/organization.yaml"))).toHaveProperty("organization");
  });

  test("has the files of the example, byte for byte", () => {
    for (const name of ["voiceplane.yml", "voiceplane-stack.yml"])
      expect(read("acme/.github/workflows", name)).toBe(example("github", name));
    const action = "actions/voiceplane/action.yml";
    expect(read("acme/.github", action)).toBe(example("github", action));
  });

  test("ignores the files that the workflows write into the folder", () => {
    const ignored = read("acme/.gitignore").split("\n");
    const stack = read("acme/.github/workflows/voiceplane-stack.yml");
    for (const name of ["plan.json", "report.md", "webhooks.txt"]) {
      expect(stack).toContain(name);
      expect(ignored).toContain(name);
    }
    expect(ignored.some((line) => line.startsWith("Pulumi."))).toBe(false);
    // Packages, a state in files, anywhere below the project, and the events of an update, which hold secrets.
    expect(ignored).toEqual(expect.arrayContaining(["node_modules/", ".pulumi/", "*.events"]));
  });
});

describe("the options", () => {
  test.each([[["."]], [[]]])("in the current folder (%j) there is no cd", async (args) => {
    const { stdout } = await init([...args, "--name", "acme"]);
    expect(stdout).toContain("Next:\n  npm install\n");
    expect(filesOf()).toEqual(allFiles);
  });

  test("--ci gitlab writes GitLab's pipeline, byte for byte, and matching next steps", async () => {
    const { stdout } = await init(["acme", "--ci", "gitlab"]);
    const files = filesOf(join(folder, "acme")).filter((path) => path.startsWith(".gitlab"));
    expect(files).toEqual([".gitlab-ci.yml", ".gitlab/voiceplane.yml"]);
    expect(files.map((file) => read("acme", file))).toEqual(files.map((file) => example("gitlab", file)));
    expect(filesOf(join(folder, "acme")).filter((path) => path.startsWith(".github"))).toEqual([]);
    for (const name of ["voiceplane-preview/dev", "voiceplane/dev", "voiceplane-nightly/dev", "voiceplane-note"]) {
      expect(stdout).toContain(`\n  ${name} `);
      expect(read("acme/.gitlab/voiceplane.yml")).toContain(
        `name: ${name.startsWith("voiceplane-note") ? name : `"${name.replace("dev", "$[[ inputs.stack ]]")}"`}`,
      );
    }
    expect(stdout).toContain("VOICEPLANE_BASE_URL");
  });

  test("--runtime yaml writes the settings to Pulumi.yaml, and names the plugin with its version", async () => {
    const { code, stdout } = await init(["acme", "--runtime", "yaml"]);
    expect(code).toBe(0);
    expect(filesOf(join(folder, "acme"))).toEqual(
      allFiles.filter((path) => path !== "index.js" && path !== "organization.yaml"),
    );
    expect(stdout).not.toContain("organization.yaml");
    expect(parse(read("acme/Pulumi.yaml"))).toEqual({
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
  });

  test("--runtime yaml writes GitLab's pipeline with an image that has a host for YAML", async () => {
    await init(["acme", "--runtime", "yaml", "--ci", "gitlab"]);
    expect(read("acme/.gitlab-ci.yml")).toMatch(
      /\n {6}stack: dev\n {6}image: pulumi\/pulumi:3\.259\.0(@sha256:[0-9a-f]{64})?\n$/,
    );
    const jobs = Object.entries(readGitlabFiles(join(folder, "acme")).jobs).filter(([name]) => !name.startsWith("."));
    const images = new Set(jobs.map(([, { image }]) => image?.name));
    expect([...images]).toEqual([expect.stringMatching(/^pulumi\/pulumi:3\.259\.0(@sha256:[0-9a-f]{64})?$/)]);
  });

  test("without --ci, no pipeline is written", async () => {
    const { stdout } = await run(compiled, ["init", "acme"], folder);
    expect(filesOf(join(folder, "acme"))).toEqual(allFiles.filter((path) => !path.startsWith(".github/")));
    expect(stdout).not.toMatch(/workflow|GitHub|GitLab/);
  });
});

describe("the folder", () => {
  test.each([["deep/er/acme"], ["it's a folder"]])("%j is created if it is missing", async (path) => {
    expect((await init([path])).code).toBe(0);
    expect(filesOf(join(folder, path))).toEqual(allFiles);
  });

  test("may be an existing repository: its files stay, and .gitignore gets the missing lines", async () => {
    const there = {
      ".git/HEAD": "ref: refs/heads/main\n",
      ".gitignore": "dist/\nnode_modules/",
      ".editorconfig": "root = true\n",
      ".github/CODEOWNERS": "* @acme/voice\n",
      ".github/workflows/test.yml": "on: push\n",
      LICENSE: "…",
      "README.md": "# Voice\n",
      "docs/index.md": "",
    };
    write(folder, there);
    expect((await init([".", "--name", "acme"])).code).toBe(0);
    expect(filesOf()).toEqual([...new Set([...Object.keys(there), ...allFiles])].sort());
    for (const [path, text] of Object.entries(there)) if (path !== ".gitignore") expect(read(path)).toBe(text);
    expect(read(".gitignore")).toBe(
      "dist/\nnode_modules/\n.pulumi/\n*.events\nplan.json\nreport.md\nwebhooks.txt\n.voiceplane/\n",
    );
  });

  test("below a repository's root, GitHub's workflows are written to the root, with the project's folder", async () => {
    mkdirSync(join(folder, ".git"));
    const { stdout } = await init(["infra/it's"]);
    const workflows = allFiles.filter((path) => path.startsWith(".github/"));
    expect(filesOf()).toEqual([
      ...workflows,
      ...allFiles.filter((path) => !path.startsWith(".github/")).map((path) => `infra/it's/${path}`),
    ]);
    expect(stdout).toContain("\n  ../../.github/workflows/voiceplane.yml\n");
    expect(read(".github/workflows/voiceplane.yml")).toBe(
      example("github/voiceplane.yml").replace('directory: "."', `directory: "infra/it's"`),
    );
    const second = await init(["second"]);
    expect(second.stderr).toContain(
      "second has files that would be overwritten: ../.github/workflows/voiceplane.yml: nothing",
    );
  });

  const git = (...args: string[]) => execFileSync("git", ["-C", folder, ...args], { stdio: "ignore" });

  test.each<[what: string, branch: string, make: () => void]>([
    [
      "the remote's default branch",
      "trunk",
      () => {
        git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk");
      },
    ],
    ["the only branch of a new repository", "release/2", () => undefined],
    [
      "a branch whose name is a number",
      "1.0",
      () => {
        git("symbolic-ref", "HEAD", "refs/heads/1.0");
      },
    ],
    [
      "master, if the current branch is another one",
      "master",
      () => {
        const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
        git(...author, "commit", "--allow-empty", "-m", "x");
        git("branch", "master");
      },
    ],
  ])("the workflows are for %s", async (_what, branch, make) => {
    git("init", "--initial-branch", "release/2");
    make();
    const path = process.env.PATH ?? "";
    const { stdout } = await init([".", "--name", "acme"], { PATH: path });
    expect(stdout).toContain(`Limit the last two to the branch ${branch}, because the workflow`);
    const { on } = parse(read(".github/workflows/voiceplane.yml")) as { on: Record<string, { branches: unknown }> };
    expect([on.push?.branches, on.pull_request?.branches]).toEqual([[branch], [branch]]);
  });

  test("below a repository's root, GitLab's own file stays in the folder, and the next steps say where it belongs", async () => {
    mkdirSync(join(folder, ".git"));
    const gitlab = await init(["other", "--ci", "gitlab"]);
    expect(gitlab.stdout).toContain("move it there, or add its `include` to the one there.\n");
    expect(filesOf().filter((path) => path.includes(".gitlab"))).toEqual([
      ".gitlab/voiceplane.yml",
      "other/.gitlab-ci.yml",
    ]);
    expect(read("other/.gitlab-ci.yml")).toMatch(/\n {6}stack: dev\n {6}directory: other\n$/);
    const none = await init(["third", "--ci", "none"]);
    expect(none.stdout).not.toContain("move");
    // Without a pipeline, no pull request's program can decrypt it.
    expect(none.stdout).toContain("\n  npx pulumi config set --secret voiceplane:token\n");

    const second = await init(["second", "--ci", "gitlab"]);
    expect(second).toMatchObject({ code: 0, stderr: "" });
    expect(second.stdout).not.toContain(".gitlab/voiceplane.yml");
    writeFileSync(join(folder, ".gitlab/voiceplane.yml"), "mine");
    expect((await init(["fourth", "--ci", "gitlab"])).stderr).toContain(
      "overwritten: ../.gitlab/voiceplane.yml: nothing",
    );
  });

  test("partly written files, as on a full disk, are removed again", async () => {
    expect(await initOnFullDisk(0, ".", "--name", "a")).toEqual(diskIsFull);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("keeps its .gitignore if the disk is full", async () => {
    const before = "dist/\n".repeat(5000);
    write(folder, { ".gitignore": before });
    expect(await initOnFullDisk(16, ".", "--name", "a", "--ci", "none")).toEqual(diskIsFull);
    expect(readdirSync(folder)).toEqual([".gitignore"]);
    expect(read(".gitignore")).toBe(before);
  });

  test("with files that would be overwritten is refused: all of them are named, and nothing changes", async () => {
    const there = ["package.json", "README.md", ".github/workflows/voiceplane-stack.yml"];
    write(folder, Object.fromEntries(there.map((path) => [`acme/${path}`, "mine"])));
    expect(await init(["acme"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "voiceplane: acme has files that would be overwritten: package.json, .github/workflows/voiceplane-stack.yml: nothing was written\n",
    });
    expect(filesOf().map((path) => read(path))).toEqual(["mine", "mine", "mine"]);
  });

  test("is refused the second time", async () => {
    await init(["acme", "--name", "first"]);
    expect((await init(["acme", "--name", "second"])).code).toBe(1);
    expect(read("acme/Pulumi.yaml")).toContain("name: first\n");
  });
});

describe("the name", () => {
  test.each([
    [["acme", "--name", "voice.prod_1"], "acme", "voice.prod_1"],
    [["acme", "--name", "007"], "acme", "007"],
    [["acme", "--name", "null"], "acme", "null"],
    [["My voice, really"], "My voice, really", "My-voice-really"],
    [["--", "-x"], "-x", "x"],
    [["--", "--help"], "--help", "help"],
    [[".hidden"], ".hidden", "hidden"],
    [["--", "--"], "--", "voiceplane"],
  ])("%j", async (args, path, name) => {
    expect((await init(args)).code).toBe(0);
    expect(parse(read(path, "Pulumi.yaml"))).toMatchObject({ name });
  });

  test("no printed command reads a name as an option", async () => {
    const { stdout } = await init(["--", "-x"]);
    expect(stdout).toContain("\n  cd ./-x\n");
    expect(stdout).toContain("\n  npx pulumi config set voiceplane:organization x\n");
  });

  test.each([[""], ["a b"], ["a/b"], ["-x"], ["--help"], ["."], ["x".repeat(101)]])("%j is refused", async (name) => {
    expect(await init(["acme", `--name=${name}`])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `voiceplane: option '--name <name>' argument '${name}' is invalid. ` +
        'Use up to 100 letters, digits, "-", "_" and ".", and begin with a letter, a digit or "_". (try --help)\n',
    });
    expect(filesOf()).toEqual([]);
  });
});

describe("--from-server", () => {
  let plane: ControlPlane;
  beforeEach(async () => {
    plane = await startControlPlane();
  });
  afterEach(() => plane.close());

  const env = () => ({ VOICEPLANE_BASE_URL: plane.url, VOICEPLANE_TOKEN: plane.tokens.full });

  test("adopts the server's webhooks, with one GET", async () => {
    const { code, stdout } = await init(["acme", "--from-server"], env());
    expect(code).toBe(0);
    expect(parse(read("acme/organization.yaml"))).toEqual({
      retention: {},
      networkPolicies: {},
      trunks: {},
      webhooks: {
        "retired-example-com": { id: "c0000000-0000-4000-8000-000000000003", onCreate: "adopt" },
        "billing-example-com": { id: "c0000000-0000-4000-8000-000000000002", onCreate: "adopt" },
        "crm-example-com": { id: "c0000000-0000-4000-8000-000000000001", onCreate: "adopt" },
      },
    });
    expect(plane.control.journal().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/webhooks/"]);
    expect(stdout).toContain(`\n  npx pulumi config set voiceplane:baseUrl ${plane.url}\n`);
    const everything = [stdout, ...filesOf().map((file) => read(file))].join("\n");
    expect(everything).not.toContain(plane.tokens.full);
  });

  test("with --runtime yaml, adopts them in Pulumi.yaml, where ${…} in an id is no expression", async () => {
    plane.control.seed({ webhooks: [{ id: "a${b}", url: "https://example.com/" }] });
    const { code } = await init(["acme", "--from-server", "--runtime", "yaml"], env());
    expect(code).toBe(0);
    const { resources } = parse(read("acme/Pulumi.yaml")) as {
      resources: { organization: { properties: { webhooks: Record<string, unknown> } } };
    };
    expect(Object.values(resources.organization.properties.webhooks)).toEqual(
      expect.arrayContaining([
        { id: "a$${b}", onCreate: "adopt" },
        { id: "c0000000-0000-4000-8000-000000000001", onCreate: "adopt" },
      ]),
    );
    expect(plane.control.journal().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/webhooks/"]);
  });

  test("refuses a folder with files that would be overwritten before it sends a request", async () => {
    writeFileSync(join(folder, "index.js"), "");
    expect((await init([".", "--from-server"], env())).code).toBe(1);
    expect(plane.control.journal()).toEqual([]);
  });

  test.each([
    [
      "no settings",
      {},
      /^voiceplane: --from-server needs VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN in the environment: no base URL.*; no token.*\n$/,
    ],
    [
      "a token that is not accepted",
      { VOICEPLANE_TOKEN: "hush-hush" },
      /^voiceplane: GET \/v1\/webhooks\/ was refused: 401 .*\n$/,
    ],
    [
      "a token without the scope",
      { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" },
      /^voiceplane: .* 403 .*webhooks:read.*\n$/,
    ],
    [
      "an address that is none",
      { VOICEPLANE_BASE_URL: "hush-hush" },
      /^voiceplane: --from-server needs .*not an absolute URL.*\n$/,
    ],
  ])("%s: one line, exit code 1, nothing written", async (what, changes, line) => {
    const { code, stdout, stderr } = await init(
      ["acme", "--from-server"],
      what === "no settings" ? {} : { ...env(), ...changes },
    );
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(line);
    expect(stderr).not.toContain("hush-hush");
    expect(readdirSync(folder)).toEqual([]);
  });

  test.each([["<html></html>"], ['{"success":true,"data":null}']])(
    "%s is not a list: one line, nothing written",
    async (body) => {
      const server = createServer((_request, response) => response.end(body));
      const url = `http://127.0.0.1:${await listen(server)}`;
      const result = await init(["acme", "--from-server"], { ...env(), VOICEPLANE_BASE_URL: url });
      server.close();
      expect(result).toEqual({
        code: 1,
        stdout: "",
        stderr: `voiceplane: no list of webhooks is found in the answer of ${url}; run "voiceplane doctor" to find the reason\n`,
      });
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

test.each(["file", "file/acme"])(
  "where a file is in place of the folder (%s): one line and exit code 1",
  async (path) => {
    writeFileSync(join(folder, "file"), "mine");
    expect(await init([path])).toEqual({ code: 1, stdout: "", stderr: `voiceplane: ${path} is not a folder\n` });
    expect(filesOf()).toEqual(["file"]);
  },
);

test("--help lists what is written and sent", async () => {
  const { code, stdout } = await init(["--help"]);
  expect(code).toBe(0);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain(
    "nothing is overwritten, and missing lines are added to .gitignore.",
  );
});
