/** `voiceplane validate` as users start it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { testApproved } from "../../../../support/approved";
import { printed, run as runCommand } from "../../../../support/command";
import { project, pulumiYaml } from "../doctor/project";

const run = (args: readonly string[], cwd: string, env?: Record<string, string>) =>
  runCommand(["validate", ...args], cwd, env);

const wrong = {
  "Pulumi.yaml": pulumiYaml,
  "organization.yaml": "retention:\n  recordings: { days: 0 }\n",
  "Pulumi.dev.yaml": "config:\n  voiceplane:baseUrl: voice.example.com\n  voiceplane:token: { secure: AAAB }\n",
};

const fine = { ...wrong, "organization.yaml": "{}\n", "Pulumi.dev.yaml": "config: {}\n", "deep/er/x": "" };
const twoStacks = { ...wrong, "organization.yaml": "{}\n", "Pulumi.prod.yaml": "config: {}\n" };

const outcome =
  (args: readonly string[], files: Readonly<Record<string, string>> = wrong, env: Record<string, string> = {}) =>
  async () =>
    printed(await run(args, project(files), env));

testApproved(join(__dirname, "approved/command.md"), {
  "all problems, one per line": outcome([], wrong, { VOICEPLANE_TOKEN: "Bearer hush" }),
  "no problem": outcome([], fine),
  "no problem, from a folder below the project": outcome(["deep/er"], fine),
  "no problem in one file": outcome(["organization.yaml"], fine),
  "the files of one stack": outcome(["--stack", "prod"], twoStacks),
  "a stack that has no file": outcome(["-s", "nope"], twoStacks),
  "as JSON": outcome(["--format", "json"]),
  "a file that is not there": outcome(["organisation.yaml"]),
  "Markdown has the lines as a list, and escapes names": outcome(["--format", "markdown", "<b>@all.yaml"], {
    "<b>@all.yaml": 'retention:\n  "<b>@all": { days: 30 }\n',
  }),
  "a key and a file's name cannot bring a command or a control character to a log": outcome(["a\u001b[2J.yaml"], {
    "a\u001b[2J.yaml": '"a\\r::error::x": 1\n',
  }),
  "nor can the name of a file that is not there": outcome(["b\r::error::x"], {}),
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
