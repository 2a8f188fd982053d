/** `voiceplane doctor --stack` with the real CLI: a stack whose configuration has the settings, and the control plane at its address. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { engineFolder, installedPackage } from "../../support/engine/installation";
import { filesBelow } from "../../support/engine/output";
import { project, type Project } from "../../support/engine/project";

const token = "vp_dev_full";

/** Sizes, times and contents of all files of the project and of its state. */
const snapshot = ({ folder }: Project) =>
  filesBelow(folder)
    .filter((file) => !/\/\.(home|tmp)\//.test(file))
    .map((file) => [file, statSync(file).mtimeMs, readFileSync(file, "utf8")]);

/** With the settings of its stacks `dev` and `staging` in their configuration. */
async function configured(): Promise<Project> {
  const made = await project({ env: { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined } });
  await made.run(["stack", "init", "staging", "--no-select"]);
  const secrets = ["--secret", `voiceplane:token=${token}`, "--secret", "unused=canary-of-another-secret"];
  const address = ["--plaintext", `voiceplane:baseUrl=${made.organization.url}`];
  for (const stack of ["dev", "staging"])
    await made.run(["config", "set-all", "--stack", stack, ...address, ...secrets]);
  return made;
}

/** @param name of the stack, empty for the selected one */
async function doctor(stack: Project, name: string, env: NodeJS.ProcessEnv = {}) {
  const args = ["doctor", ...(name === "" ? [] : ["--stack", name])];
  const { code, stdout, stderr } = await stack.startVoiceplane(args, env).finished;
  return { code, output: stdout + stderr };
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;

const lineOf = (check: string, { output }: { output: string }): string[] =>
  output.split("\n").filter((line) => line.split(/ +/)[1] === check);

/** A stack, an environment, and the expected line about what is wrong. */
const wrong: [what: string, name: string, env: NodeJS.ProcessEnv, line: RegExp][] = [
  [
    "a stack that is not there",
    "nope",
    {},
    /^problem {2}state {9}the state of the stack nope cannot be read: \/.*pulumi: no stack named .nope. found/,
  ],
  [
    "another passphrase",
    "staging",
    { PULUMI_CONFIG_PASSPHRASE: "canary" },
    /^problem {2}settings {6}the configuration of staging cannot be read or decrypted\. Give this command what `pulumi up` has: /,
  ],
  [
    "a backend whose folder is not there",
    "dev",
    { PULUMI_BACKEND_URL: "file:///nowhere/at/all" },
    /^problem {2}state {9}.*\/nowhere\/at\/all/,
  ],
];

test("prints every line, sends one GET and changes nothing; each problem with a stack's settings is one clear line and exit code 1; without --stack, it reads the selected one", async () => {
  const stack = await configured();
  const { url } = stack.organization;
  const before = snapshot(stack);
  const { code, output } = await doctor(stack, "dev");
  const engine = execFileSync(join(engineFolder(), "pulumi"), ["version"], { encoding: "utf8" }).trim().slice(1);
  const sdk = versionOf(join(installedPackage(), "../@pulumi/pulumi"));
  expect(output.split("\n")).toEqual([
    `ok       node          Node ${process.versions.node}`,
    expect.stringMatching(new RegExp(`^ok {7}engine {8}Pulumi ${engine.replaceAll(".", "\\.")}: /.*/pulumi$`)),
    `ok       project       ${realpathSync(stack.folder)}/Pulumi.yaml`,
    `ok       sdk           @pulumi/pulumi ${sdk}`,
    "ok       state         0 objects",
    "ok       settings      The token is the one of the configuration, or of the state in a refresh or destroy. VOICEPLANE_TOKEN wins over it",
    `ok       server        ${url} accepts the token for webhooks:read. Whether the token may change settings was not tested, because that would change some.`,
    "",
  ]);
  expect(code).toBe(0);
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.organization.tokens()).toEqual(["full"]);
  expect(snapshot(stack)).toEqual(before);
  // The engine writes its own logs into its home. Neither secret may be in them.
  const logs = readdirSync(join(stack.folder, ".home"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".log"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect([output, ...logs].join("\n")).not.toMatch(new RegExp(`${token}|canary`));

  stack.organization.forgetRequests();
  for (const [what, name, env, line] of wrong) {
    const ran = await doctor(stack, name, env);
    const lines = ["settings", "state"].flatMap((check) => lineOf(check, ran));
    const wrongLines = lines.filter((each) => !each.startsWith("ok"));
    const results = { wrongLines, server: lineOf("server", ran), code: ran.code };
    expect({ what, ...results }).toEqual({
      what,
      wrongLines: [expect.stringMatching(line)],
      server: ["warning  server        not checked: correct the problems above first [not-asked]"],
      code: 1,
    });
    expect(ran.output).not.toMatch(new RegExp(`${token}|canary`));
  }
  expect(stack.organization.requests()).toEqual([]);

  for (const env of [{}, { PULUMI_STACK: "staging", VOICEPLANE_TOKEN: token }])
    expect((await doctor(stack, "", env)).code).toBe(0);
  await stack.run(["stack", "unselect"]);
  const ran = await doctor(stack, "");
  expect(lineOf("stack", ran)).toEqual([expect.stringMatching(/^problem .*no stack is selected/)]);
});
