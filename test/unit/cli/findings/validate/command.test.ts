/** `voiceplane validate` as users start it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { compile, run as runCommand } from "../../../../support/compiled";
import { project, pulumiYaml } from "../doctor/project";

const compiled = compile();

const run = (args: readonly string[], cwd: string, env?: Record<string, string>) =>
  runCommand(compiled, ["validate", ...args], cwd, env);

const wrong = {
  "Pulumi.yaml": pulumiYaml,
  "organization.yaml": "retention:\n  recordings: { days: 0 }\n",
  "Pulumi.dev.yaml": "config:\n  voiceplane:baseUrl: voice.example.com\n  voiceplane:token: { secure: AAAB }\n",
};

test("prints all problems, one per line, and exits with 1", async () => {
  const folder = project(wrong);
  expect(await run([], folder, { VOICEPLANE_TOKEN: "Bearer hush" })).toEqual({
    code: 1,
    stderr: "",
    stdout: `organization.yaml:2:23 retention.recordings.days: must be a whole number of days from 1 to 3650
Pulumi.dev.yaml:2:3 voiceplane:baseUrl: The base URL is not an absolute URL; it should look like https://api.example.com
VOICEPLANE_TOKEN: the token begins with "Bearer". Remove that word and the space behind it: it is added to every request.
3 problems in organization.yaml, Pulumi.yaml, Pulumi.dev.yaml
not checked: voiceplane:token of Pulumi.dev.yaml: encrypted
`,
  });
});

test("--format markdown has the same lines as a list, for the summary of a job", async () => {
  const folder = project({ ...wrong, "<b>@all.yaml": 'retention:\n  "<b>@all": { days: 30 }\n' });
  const { code, stdout } = await run(["--format", "markdown", "<b>@all.yaml"], folder);
  expect(code).toBe(1);
  expect(stdout).toMatch(
    /^### voiceplane validate: 1 problem in \\<b\\>@<!-- -->all\.yaml\n\n- \\<b\\>@<!-- -->all\.yaml:2:3 this key is not a property of retention; [^\n]+\n$/,
  );
});

test("exits with 0 without a problem, also in a folder below the project", async () => {
  const folder = project({ ...wrong, "organization.yaml": "{}\n", "Pulumi.dev.yaml": "config: {}\n", "deep/er/x": "" });
  const files = "organization.yaml, Pulumi.yaml, Pulumi.dev.yaml";
  expect(await run([], folder)).toEqual({ code: 0, stderr: "", stdout: `no problems in ${files}\n` });
  expect(await run(["deep/er"], folder)).toMatchObject({ code: 0, stdout: `no problems in ${files}\n` });
  expect(await run(["organization.yaml"], folder)).toMatchObject({ stdout: "no problems in organization.yaml\n" });
});

test("--stack checks the files of one stack, and says if it has none", async () => {
  const folder = project({ ...wrong, "organization.yaml": "{}\n", "Pulumi.prod.yaml": "config: {}\n" });
  const files = "organization.yaml, Pulumi.yaml";
  expect(await run(["--stack", "prod"], folder)).toEqual({
    code: 0,
    stderr: "",
    stdout: `no problems in ${files}, Pulumi.prod.yaml\n`,
  });
  expect(await run(["-s", "nope"], folder)).toEqual({
    code: 1,
    stderr: "",
    stdout: `the stack nope has no file; the project has files of dev, prod\n1 problem in ${files}\n`,
  });
});

test("a key and a file's name cannot bring a command or a control character to a log", async () => {
  const folder = project({ "a\u001b[2J.yaml": '"a\\r::error::x": 1\n' });
  const { stdout } = await run(["a\u001b[2J.yaml"], folder);
  expect(stdout.split("\n")).toEqual([
    expect.stringMatching(/^a\\u\{1b\}\[2J\.yaml:1:1 this key is not a property of an organization file; /),
    String.raw`1 problem in a\u{1b}[2J.yaml`,
    "",
  ]);
  const missing = await run(["b\r::error::x"], folder);
  expect(missing.stderr).toBe(String.raw`voiceplane: there is no file or folder b\u{d}::error::x` + "\n");
});

test("--format json has the same problems as objects", async () => {
  const { code, stdout } = await run(["--format", "json"], project(wrong));
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    version: 1,
    ok: false,
    more: 0,
    checked: ["organization.yaml", "Pulumi.yaml", "Pulumi.dev.yaml"],
    problems: [
      {
        file: "organization.yaml",
        line: 2,
        column: 23,
        message: "retention.recordings.days: must be a whole number of days from 1 to 3650",
      },
      {
        file: "Pulumi.dev.yaml",
        line: 2,
        column: 3,
        message: "voiceplane:baseUrl: The base URL is not an absolute URL; it should look like https://api.example.com",
      },
    ],
    unchecked: ["voiceplane:token of Pulumi.dev.yaml: encrypted"],
  });
});

test("a file that is not there: one line and exit code 1", async () => {
  const stderr = "voiceplane: there is no file or folder organisation.yaml\n";
  expect(await run(["organisation.yaml"], project(wrong))).toEqual({ code: 1, stdout: "", stderr });
});

describe("docs/guides/review-changes-in-pull-requests.md", () => {
  const file = "../../../../../docs/guides/review-changes-in-pull-requests.md";
  const page = readFileSync(join(__dirname, file), "utf8");
  const block = (fence: string) => page.split(`\`\`\`${fence}\n`)[1]?.split("```\n")[0] ?? "";

  test("shows what the command prints", async () => {
    const folder = project({
      "Pulumi.yaml": pulumiYaml,
      "organization.yaml": "retention:\n  recordings: { days: 0 }\n",
      "Pulumi.dev.yaml": "config:\n  voiceplane:organization: acme\n  voiceplane:token: hush\n",
      "Pulumi.prod.yaml": "config:\n  voiceplane:baseUrl: { secure: AAAB }\n",
    });
    const { stdout } = await run([], folder);
    expect(page).toContain(`\`\`\`text\n${stdout}\`\`\`\n`);
  });

  test("has a pre-commit hook for the checked files, which runs this command", () => {
    const { repos } = parse(block("yaml .pre-commit-config.yaml")) as {
      repos: { repo: string; hooks: { entry: string; files: string; pass_filenames: boolean }[] }[];
    };
    const [hook] = repos[0]?.hooks ?? [];
    expect(hook).toMatchObject({ entry: "npx --no-install voiceplane validate", pass_filenames: false });
    const isLookedAt = (file: string) => new RegExp(hook?.files ?? "").test(file);
    const files = ["organization.yaml", "Pulumi.yaml", "Pulumi.dev.yaml", "Pulumi.yml", "package.json", "xPulumi.yaml"];
    expect(files.filter(isLookedAt)).toEqual(["organization.yaml", "Pulumi.yaml", "Pulumi.dev.yaml", "Pulumi.yml"]);
  });
});
