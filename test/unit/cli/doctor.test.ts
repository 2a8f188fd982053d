/** What `voiceplane doctor` and `voiceplane validate` find, with a CLI that answers by its arguments. */
import { createServer, type Server } from "node:http";
import { examine } from "../../../src/cli/commands/doctor/command";
import type { Pulumi } from "../../../src/cli/pulumi/cli";
import { controlPlane } from "../../support/control-plane";
import { run } from "../../support/command";
import { programs, temporaryFolder, write } from "../../support/folders";
import { listen } from "../../support/listen";
import { version } from "../../../src/values/version";
import { everything, exported } from "./state/exports";

const manifest = (name: string, own: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version: own }),
});
const whole = {
  "Pulumi.yaml": "name: acme\nruntime: nodejs\n",
  ...manifest("@pulumi/pulumi", "3.270.0"),
};

type Answers = Readonly<Record<string, string | { code: number; stderr: string }>>;

const cli = "/usr/bin/pulumi";

/** Answers by the first two words of its arguments. */
const pulumiWith =
  (answers: Answers, calls: string[] = []): Pulumi =>
  async (args) => {
    calls.push(args.join(" "));
    const answer = answers[args.slice(0, 2).join(" ")] ?? "";
    const both = typeof answer === "string" ? { code: 0, stdout: answer, stderr: "" } : { stdout: "", ...answer };
    return Promise.resolve({ ...both, cli });
  };

let url: string;
let token: string;
beforeEach(async () => {
  const plane = await controlPlane();
  [url, token] = [plane.url, plane.tokens.full];
});

const configured = (more: object = {}) =>
  JSON.stringify({
    "voiceplane:organization": { value: "eu", secret: false },
    "voiceplane:baseUrl": { value: url, secret: false },
    "voiceplane:token": { value: token, secret: true },
    ...more,
  });

/** The findings as "severity check text [code]". */
async function found(
  answers: Answers = {},
  { files = whole, env = {}, stack }: { files?: object; env?: object; stack?: string } = {},
) {
  const folder = temporaryFolder();
  write(folder, files as Record<string, string>);
  const calls: string[] = [];
  const all = {
    version: "v3.259.0\n",
    "stack --show-name": "dev\n",
    "stack export": exported([]),
    "config --json": configured(),
    ...answers,
  };
  const findings = await examine(folder, stack, {
    env: { PATH: "/nowhere", HOME: folder, ...env },
    pulumi: pulumiWith(all, calls),
  });
  const lines = findings.map(
    ({ severity, check, text, code }) => `${severity} ${check}: ${text}${code ? ` [${code}]` : ""}`,
  );
  return { calls, lines: lines.map((line) => line.replaceAll(folder, "FOLDER")) };
}

const before = [
  `ok node: Node ${process.versions.node}`,
  "ok engine: Pulumi 3.259.0: /usr/bin/pulumi",
  "ok project: FOLDER/Pulumi.yaml",
];
const notAsked = "warning server: not checked: correct the problems above first [not-asked]";

test("everything in order, by one request; the commands that it runs change nothing", async () => {
  const { calls, lines } = await found();
  expect(lines).toEqual([
    ...before,
    "ok sdk: @pulumi/pulumi 3.270.0",
    "ok state: 0 objects",
    "ok settings: The token is the one of the configuration, or of the state in a refresh or destroy. VOICEPLANE_TOKEN wins over it",
    `ok server: ${url} accepts the token for webhooks:read`,
  ]);
  expect(calls).toEqual([
    "version",
    "stack --show-name",
    "stack export --stack dev",
    "config --json --show-secrets --stack dev",
  ]);
});

const failing = (stderr: string) => ({ code: 255, stderr });

test.each<[what: string, answers: Answers, lines: string[]]>([
  [
    "another CLI than a supported one",
    { version: "v3.100.0" },
    ["warning engine: /usr/bin/pulumi is Pulumi 3.100.0, which this package does not support [engine]"],
  ],
  [
    "a CLI that does not run",
    { version: failing("error: no") },
    ["problem engine: /usr/bin/pulumi: no [engine]", notAsked],
  ],
  [
    "no selected stack",
    { "stack --show-name": failing("error: no stack selected") },
    ["problem stack: no stack is selected, or the backend cannot be read, so a preview cannot run [stack-unselected]"],
  ],
  [
    "what is wrong in the state",
    { "stack export": everything },
    [
      "warning state: lost is uncertain: its last request may have been carried out: run the same update again, which sends it once more [state-pending]",
    ],
  ],
])("%s", async (_what, answers, lines) => {
  const { lines: all } = await found(answers);
  for (const line of lines) expect(all).toContain(line);
});

test("settings: what is missing, a token in plain text, one that the server refuses, and one without the right", async () => {
  expect((await found({ "config --json": "{}" })).lines.slice(-4)).toEqual([
    "problem settings: no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL [base-url]",
    "problem settings: no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN [token]",
    "problem settings: no name of the organization: run `pulumi config set voiceplane:organization NAME` [organization-missing]",
    notAsked,
  ]);
  const plain = configured({ "voiceplane:token": { value: token, secret: false } });
  expect((await found({ "config --json": plain })).lines).toContainEqual(
    expect.stringMatching(/^problem settings: the token is in plain text .*\[plain-secret\]$/),
  );
  const refused = await found({}, { env: { VOICEPLANE_TOKEN: "wrong" } });
  expect(refused.lines.at(-1)).toMatch(/^problem server: .*\[token-refused\]$/);
  const unreachable = await found({}, { env: { VOICEPLANE_BASE_URL: "http://127.0.0.1:1" } });
  expect(unreachable.lines.at(-1)).toMatch(/^problem server: http:\/\/127\.0\.0\.1:1: .*\[not-sent\]$/);
});

test("another service's answer is a problem", async () => {
  const server: Server = createServer((_request, response) => response.end('{"hello":"world"}'));
  const address = `http://127.0.0.1:${await listen(server)}`;
  try {
    const { lines } = await found({}, { env: { VOICEPLANE_BASE_URL: address } });
    expect(lines.at(-1)).toMatch(/^problem server: .*\[list-unreadable\]$/);
  } finally {
    server.close();
  }
});

test.each<[what: string, files: object, line: string]>([
  [
    "no SDK",
    { ...whole, ...{ "node_modules/@pulumi/pulumi/package.json": "" } },
    "problem sdk: @pulumi/pulumi of an unknown version is not compatible with this package [sdk]",
  ],
  [
    "an old SDK",
    { ...whole, ...manifest("@pulumi/pulumi", "3.10.0") },
    "problem sdk: @pulumi/pulumi 3.10.0 is not compatible with this package [sdk]",
  ],
  ["no project", {}, "problem project: there is no Pulumi.yaml in FOLDER or above it [project]"],
  [
    "a project that is none",
    { "Pulumi.yaml": "[]" },
    "problem project: FOLDER/Pulumi.yaml cannot be read as a Pulumi project [project]",
  ],
  [
    "a program in YAML whose plugin is not where Pulumi.yaml says",
    {
      "Pulumi.yaml":
        "name: a\nruntime: yaml\nplugins: { providers: [{ name: voiceplane, path: ./node_modules/.bin }] }\n",
    },
    "problem plugin: there is no FOLDER/node_modules/.bin/pulumi-resource-voiceplane, which Pulumi.yaml names [plugin]",
  ],
  [
    "a plugin of this version",
    {
      "Pulumi.yaml": "name: a\nruntime: yaml\npackages: { voiceplane: ./node_modules/.bin }\n",
      "node_modules/.bin/pulumi-resource-voiceplane": "",
      ...manifest("pulumi-voiceplane", version),
    },
    `ok plugin: pulumi-resource-voiceplane ${version}: FOLDER/node_modules/.bin/pulumi-resource-voiceplane`,
  ],
])("%s", async (_what, files, line) => {
  expect((await found({}, { files })).lines).toContain(line);
});

describe("as users start them", () => {
  test("doctor prints a line for each finding", async () => {
    const folder = temporaryFolder();
    const { code, stdout } = await run(["doctor"], folder, { PATH: programs({ pulumi: "echo v3.259.0" }) });
    expect(code).toBe(1);
    expect(stdout).toMatch(
      /^ok {7}node {10}Node .*\nok {7}engine .*\nproblem {2}project {7}there is no Pulumi\.yaml in .*\nwarning {2}server .*\n$/,
    );
  });

  test("validate prints the problems of a file with their lines", async () => {
    const folder = temporaryFolder();
    write(folder, {
      "organization.yaml": "retention:\n  recordings: { days: 0, onCreate: adopt }\n",
      "good.yaml": "webhooks: {}\n",
    });
    expect(await run(["validate"], folder)).toMatchObject({
      code: 1,
      stdout:
        "problem  organization  organization.yaml:2:23 retention.recordings.days: must be a whole number of days from 1 to 3650 [wrong-value]\n",
    });
    expect(await run(["validate", "good.yaml"], folder)).toMatchObject({
      code: 0,
      stdout: "ok       organization  good.yaml\n",
    });
    expect((await run(["validate", "none.yaml"], folder)).stdout).toContain(
      "none.yaml cannot be read (ENOENT) [file-unreadable]",
    );
  });
});
