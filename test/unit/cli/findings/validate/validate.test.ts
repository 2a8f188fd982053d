/** `voiceplane validate` as users start it: without an engine and without a request. approved/*.md has what it prints. */
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { testApproved } from "../../../../support/approved";
import { printed, run } from "../../../../support/command";
import { temporaryFolder } from "../../../../support/folders";
import { project, pulumiYaml } from "../doctor/project";

type Files = Readonly<Record<string, string>>;
type Env = Readonly<Record<string, string>>;

/** What the command prints in a folder. No line has the text `hush`. */
const validate =
  (make: () => string, args: readonly string[] = [], env: Env = {}) =>
  async () => {
    const text = printed(await run(["validate", ...args], make(), env));
    expect(text).not.toMatch(/h[uü]sh/);
    return text.replaceAll(/\/\S*voiceplane-test-\w+/g, "FOLDER");
  };

/** In a project of these files. */
const files = (of: Files, ...args: readonly string[]) => validate(() => project(of), args);

const wrong = {
  "Pulumi.yaml": pulumiYaml,
  "organization.yaml": "retention:\n  recordings: { days: 0 }\n  audit_events: {}\n",
  "Pulumi.dev.yaml": "config: {}\n",
};
const fine = { ...wrong, "organization.yaml": "{}\n", "Pulumi.dev.yaml": "config: {}\n", "deep/er/x": "" };
const twoStacks = { ...wrong, "organization.yaml": "{}\n", "Pulumi.prod.yaml": "config: {}\n" };
const stackProgram = {
  "Pulumi.yaml": pulumiYaml,
  "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
};

testApproved(join(__dirname, "approved/command.md"), {
  "all problems, one per line": files(wrong),
  "no problem": files(fine),
  "no problem, from a folder below the project": files(fine, "deep/er"),
  "no problem in one file": files(fine, "organization.yaml"),
  "a file from the folder of --cwd": files({ "below/organization.yaml": "{}\n" }, "-C", "below", "organization.yaml"),
  "a file and a stack": files(fine, "--stack", "dev", "organization.yaml"),
  "the files of one stack": files(twoStacks, "--stack", "prod"),
  "one webhook in the files of two stacks": files({
    ...stackProgram,
    "Pulumi.dev.yaml": "config: { voiceplane:organizationFile: dev.yaml }\n",
    "Pulumi.prod.yaml": "config: { voiceplane:organizationFile: prod.yaml }\n",
    "dev.yaml": "webhooks:\n  crm: { id: wh_1, onCreate: adopt }\n",
    "prod.yaml": "webhooks:\n  crm: { id: WH_1, onCreate: adopt }\n  own: { id: wh_2, onCreate: adopt }\n",
  }),
  "a stack that has no file": files(
    { ...twoStacks, "Pulumi.dev.yaml.bak": "", "Pulumi.test.json": "{}" },
    ...["-s", "nope"],
  ),
  "as JSON": files(wrong, "--format", "json"),
  "a file that is not there": files(wrong, "organisation.yaml"),
  "Markdown has the lines as a list, and escapes names": files(
    { "<b>@all.yaml": 'retention:\n  "<b>@all": { days: 30 }\n' },
    ...["--format", "markdown", "<b>@all.yaml"],
  ),
  "a key and a file's name cannot bring a command or a control character to a log": files(
    { "a\u001b[2J.yaml": '"a\\r::error::x": 1\n' },
    "a\u001b[2J.yaml",
  ),
  "nor can the name of a file that is not there": files({}, "b\r::error::x"),
  "files outside the current folder are named by their absolute path": validate(() => {
    const folder = project({ "acme/organization.yaml": "trunks: 1\n", "elsewhere/x": "" });
    return join(folder, "elsewhere");
  }, ["../acme"]),
});

const sized = (bytes: number) => files({ "organization.yaml": `{} #${"x".repeat(bytes - 4)}` });

testApproved(join(__dirname, "approved/organization-files.md"), {
  "a missing file, in a folder without a project": validate(temporaryFolder),
  "a stack, in a folder without a project": files({ "organization.yaml": "{}\n" }, "--stack", "dev"),
  "a missing file, of a stack without code": files(stackProgram),
  "a missing file, where a program declares the resources": files({
    "Pulumi.yaml": pulumiYaml,
    "index.ts": 'import { Organization } from "pulumi-voiceplane";\n',
  }),
  "a program in YAML, whose resources the preview checks": files({
    "Pulumi.yaml":
      "name: acme\nruntime: yaml\nresources: { org: { type: voiceplane:Organization, properties: { dayz: 1 } } }\n",
  }),
  "a file of 1 MiB": sized(1_048_576),
  "a larger file": sized(1_048_577),
  "a device, to which the file links": validate(() => {
    const folder = temporaryFolder();
    symlinkSync("/dev/zero", join(folder, "organization.yaml"));
    return folder;
  }),
  "the files of all stacks, each once": files({
    ...stackProgram,
    "Pulumi.dev.yaml": "config: { voiceplane:organizationFile: files/dev.yaml }\n",
    "Pulumi.test.yaml": "config: { voiceplane:organizationFile: ./files/dev.yaml }\n",
    "Pulumi.prod.yaml": "config: {}\n",
    "files/dev.yaml": "retention: 1\n",
    "organization.yaml": "trunks: 1\n",
  }),
  "the file that Pulumi.yaml names, for stacks that name none": files({
    "Pulumi.yaml": `${pulumiYaml}config: { "voiceplane:organizationFile": { value: all.yaml } }\n`,
    "Pulumi.dev.yaml": "config: {}\n",
  }),
  "a project that cannot be read, of which nothing else is checked": files({
    "Pulumi.yaml": "name: [acme",
    "organization.yaml": "trunks: 1\n",
  }),
});

const named = "onCreate: adopt\nwebhooks:\n  crm:\n    id: wh_1\n    initialSecret: NAME\n";

/** A stack dev with this configuration, whose organization file names a secret. */
const naming = (name: string, config: string) =>
  files({ ...stackProgram, "organization.yaml": named.replace("NAME", name), "Pulumi.dev.yaml": config });

testApproved(join(__dirname, "approved/secrets.md"), {
  "a secret of the project": naming("crm-secret", "config: { acme:crm-secret: { secure: AAAB } }\n"),
  "a secret of another namespace": naming("shared:crm", "config: { shared:crm: { secure: AAAB } }\n"),
  "a secret that the configuration lacks, whose name may be the secret itself": naming("hush-secret", "config: {}\n"),
  "a secret in plain text": naming("crm-secret", "config: { acme:crm-secret: hush }\n"),
  "a secret that may come from an environment of Pulumi ESC": naming("crm-secret", "environment: [shared]\n"),
  "one stack has it, and the other lacks it": files({
    ...stackProgram,
    "organization.yaml": named.replace("NAME", "crm-secret"),
    "Pulumi.dev.yaml": "config: { acme:crm-secret: { secure: AAAB } }\n",
    "Pulumi.prod.yaml": "config: {}\n",
  }),
  "in the folder that Pulumi.json names": files({
    "Pulumi.json": '{ "name": "acme", "runtime": "nodejs", "stackConfigDir": "stacks" }\n',
    "organization.yaml": named.replace("NAME", "crm-secret"),
    "stacks/Pulumi.dev.json": '{ "config": { "acme:crm-secret": "hush" } }\n',
    "Pulumi.dev.yaml": "config: { acme:crm-secret: { secure: AAAB } }\n",
  }),
  "in the folder that an older Pulumi.yaml names as its config": files({
    "Pulumi.yaml": "name: acme\nruntime: nodejs\nconfig: stacks\n",
    "organization.yaml": named.replace("NAME", "crm-secret"),
    "stacks/Pulumi.dev.yaml": "config: { acme:crm-secret: hush }\n",
  }),
  "an entry whose name is a secret of the environment": validate(
    () => project({ "organization.yaml": "webhooks:\n  hush-hush-token: { id: 1 }\n" }),
    [],
    { VOICEPLANE_TOKEN: "hush-hush-token" },
  ),
  "a folder of stacks that does not exist yet": files({
    "Pulumi.yaml": "name: acme\nruntime: nodejs\nstackConfigDir: stacks\n",
  }),
});
