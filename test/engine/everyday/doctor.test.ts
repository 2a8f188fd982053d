/** `voiceplane doctor --stack` with the real CLI: a stack whose configuration has the settings, and the control plane at its address. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { cli, engineFolder, installedPackage } from "../../support/engine/installation";
import { workspace, type Ran, type Workspace } from "../../support/engine/workspace";

const token = "vp_dev_full";

const pulumiYaml = "name: acme\nruntime: { name: nodejs, options: { typescript: false } }\n";

/** Sizes, times and contents of all files below a folder. */
const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const found = statSync(join(folder, name));
    return [name, found.mtimeMs, found.size, found.isFile() ? readFileSync(join(folder, name), "utf8") : "folder"];
  });

async function project(): Promise<Workspace> {
  const made = await workspace();
  made.write("acme/Pulumi.yaml", pulumiYaml);
  made.write("acme/package.json", '{ "private": true, "dependencies": { "pulumi-voiceplane": "*" } }\n');
  const settings = `voiceplane:baseUrl: ${made.organization.url}\n  voiceplane:organization: acme`;
  made.write("acme/Pulumi.dev.yaml", `config:\n  ${settings}\n`);
  made.write("acme/Pulumi.staging.yaml", `config:\n  ${settings}\n`);
  const secrets = `--secret voiceplane:token=${token} --secret unused=canary-of-another-secret`;
  await made.must(`cd acme
    pulumi stack init staging --non-interactive
    pulumi stack init dev --non-interactive
    pulumi config set-all ${secrets} --non-interactive`);
  return made;
}

/**
 * @param name of the stack, empty for the selected one
 * @param before a shell command that changes what the doctor finds
 */
async function doctor(stack: Workspace, name: string, before = ":"): Promise<Ran> {
  return stack.run(`cd acme; ${before}; "${process.execPath}" "${cli}" doctor ${name && `--stack ${name}`}`);
}

const versionOf = (folder: string): string =>
  (JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string }).version;

const lineOf = (check: string, { output }: Ran): string[] =>
  output.split("\n").filter((line) => line.split(/ +/)[1] === check);

/** A stack, a shell command to run before the doctor, and the expected line about what is wrong. */
const wrong: [what: string, name: string, before: string, line: RegExp][] = [
  [
    "a stack that is not there",
    "nope",
    ":",
    /^problem {2}state {9}the state of the stack nope cannot be read: \/.*pulumi: no stack named .nope. found/,
  ],
  [
    "another passphrase",
    "dev",
    "export PULUMI_CONFIG_PASSPHRASE=canary",
    /^problem {2}settings {6}the configuration of dev cannot be read or decrypted\. Give this command what `pulumi up` has: /,
  ],
  [
    "a backend whose folder is not there",
    "dev",
    "export PULUMI_BACKEND_URL=file:///nowhere/at/all",
    /^problem {2}state {9}.*\/nowhere\/at\/all/,
  ],
];

test("prints every line, sends one GET and changes nothing; each problem with a stack's settings is one clear line and exit code 1; without --stack, it reads the selected one", async () => {
  const stack = await project();
  const { url } = stack.organization;
  const folder = realpathSync(stack.folder);
  const files = () => [snapshot(join(stack.folder, "acme")), snapshot(join(stack.folder, ".state"))];
  const before = files();
  const { code, output } = await doctor(stack, "dev");
  const engine = execFileSync(join(engineFolder(), "pulumi"), ["version"], { encoding: "utf8" }).trim().slice(1);
  const sdk = versionOf(join(installedPackage(), "../@pulumi/pulumi"));
  expect(output.split("\n")).toEqual([
    `ok       node          Node ${process.versions.node}`,
    expect.stringMatching(new RegExp(`^ok {7}engine {8}Pulumi ${engine.replaceAll(".", "\\.")}: /.*/pulumi$`)),
    `ok       project       ${folder}/acme/Pulumi.yaml`,
    `ok       sdk           @pulumi/pulumi ${sdk}`,
    "ok       state         0 objects",
    "ok       settings      The token is the one of the configuration, or of the state in a refresh or destroy. VOICEPLANE_TOKEN wins over it",
    `ok       server        ${url} accepts the token for webhooks:read. Whether the token may change settings was not tested, because that would change some.`,
    "",
  ]);
  expect(code).toBe(0);
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.organization.tokens()).toEqual(["full"]);
  expect(files()).toEqual(before);
  // The engine writes its own logs into its home. Neither secret may be in them.
  const logs = readdirSync(join(stack.folder, ".home"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".log"))
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), "latin1"));
  expect([output, ...logs].join("\n")).not.toMatch(new RegExp(`${token}|canary`));

  stack.organization.forgetRequests();
  for (const [what, name, setting, line] of wrong) {
    const ran = await doctor(stack, name, setting);
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

  for (const setting of [":", "export PULUMI_STACK=staging VOICEPLANE_TOKEN=vp_dev_full"])
    expect((await doctor(stack, "", setting)).code).toBe(0);
  const ran = await doctor(stack, "", "pulumi stack unselect --non-interactive");
  expect(lineOf("stack", ran)).toEqual([expect.stringMatching(/^problem .*no stack is selected/)]);
});
