/** The problems that `voiceplane validate` finds without an engine and without a request. approved/*.md has them. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { isFailure, lineOf } from "../../../../../src/cli/findings/finding";
import { validate } from "../../../../../src/cli/findings/validate";
import { testApproved } from "../../../../support/approved";
import { project, pulumiYaml, temporaryFolder, write } from "../doctor/project";

interface Case {
  readonly folder: string;
  readonly target?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const problemsIn = ({ folder, target = ".", env = {} }: Case): string[] =>
  validate(resolve(folder, target), { env, cwd: folder }).filter(isFailure).map(lineOf);

/** A test for each case. No line has the text `hush`. */
function testProblems(name: string, cases: Readonly<Record<string, () => Case>>): void {
  const text = (make: () => Case) => () => {
    const problems = problemsIn(make());
    expect(problems.join()).not.toMatch(/h[uü]sh/);
    const lines = problems.length === 0 ? "(no problems)" : problems.map((line) => `    ${line}`).join("\n");
    return Promise.resolve(lines.replaceAll(/\/\S*voiceplane-test-\w+/g, "FOLDER"));
  };
  const texts = Object.entries(cases).map(([title, make]) => [title, text(make)] as const);
  testApproved(join(__dirname, "approved", `${name}.md`), Object.fromEntries(texts));
}

const right = "retention: { recordings: { days: 90, onCreate: adopt } }\n";
const stackProgram = {
  "Pulumi.yaml": pulumiYaml,
  "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
};

/** A project with a file that is not UTF-8. */
function inLatin1(name: string, text: string): Case {
  const folder = project({ ...stackProgram, "organization.yaml": right });
  writeFileSync(join(folder, name), Buffer.from(text, "latin1"));
  return { folder };
}

const sized = (bytes: number) => project({ "organization.yaml": `{} #${"x".repeat(bytes - 4)}` });

const files = (of: Readonly<Record<string, string>>) => () => ({ folder: project(of) });

testProblems("organization-files", {
  "a valid file": files({ "organization.yaml": right }),
  "a valid file, by its name": () => ({ folder: project({ "organization.yaml": right }), target: "organization.yaml" }),
  "a file in another encoding": () => inLatin1("organization.yaml", "retention: {} # B\xfcro\n"),
  "a missing file, in a folder without a project": () => ({ folder: temporaryFolder() }),
  "a missing file, of a stack without code": files(stackProgram),
  "a missing file, where a program declares the resources": files({
    "Pulumi.yaml": pulumiYaml,
    "index.ts": 'import { Organization } from "pulumi-voiceplane";\n',
  }),
  "a file of 1 MiB": () => ({ folder: sized(1_048_576) }),
  "a larger file": () => ({ folder: sized(1_048_577) }),
  "a device, to which the file links": () => {
    const folder = project({});
    symlinkSync("/dev/zero", join(folder, "organization.yaml"));
    return { folder };
  },
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

/** The stack dev with this file. */
const stack = (config: string) => files({ ...stackProgram, "organization.yaml": right, "Pulumi.dev.yaml": config });
const setting = (line: string) => stack(`config:\n  voiceplane:${line}\n`);

testProblems("settings", {
  "a base URL without https": setting("baseUrl: localhost:4010"),
  "plain http to another machine": setting("baseUrl: http://voice.example.com"),
  "a base URL that is no text": setting("baseUrl: { a: 1 }"),
  "a flag that is none": setting("allowInsecureHttp: yes"),
  "a token in plain text": setting("token: hush"),
  "a name in another letter case": setting("baseURL: https://voice.example.com"),
  "a misspelled name": setting("organisation: acme"),
  "an empty base URL": setting("baseUrl: ''"),
  "an encrypted base URL": setting("baseUrl: { secure: AAAB }"),
  "an encrypted token": setting("token: { secure: AAAB }"),
  "plain http that is allowed": setting("allowInsecureHttp: true\n  voiceplane:baseUrl: http://voice.example.com"),
  "a setting of the program's own": setting("greeting: hello"),
  "the folder that Pulumi.json names, and its own settings": files({
    "Pulumi.json":
      '{ "name": "acme", "runtime": "nodejs", "stackConfigDir": "stacks", "config": { "voiceplane:baseUrl": "ftp://x" } }\n',
    "stacks/Pulumi.dev.json": '{ "config": { "voiceplane:token": "hush" } }\n',
    "stacks/Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
    "Pulumi.yaml": "name: not-read\nruntime: nodejs\n",
    "Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
  }),
  "the folder that an older Pulumi.yaml names as its config": files({
    "Pulumi.yaml": "name: acme\nruntime: nodejs\nconfig: stacks\n",
    "stacks/Pulumi.dev.yaml": "config:\n  voiceplane:token: hush\n",
    "Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
  }),
  "a folder of stacks that does not exist yet": files({
    "Pulumi.yaml": "name: acme\nruntime: nodejs\nstackConfigDir: stacks\n",
  }),
  "a list that does not end": stack("config: [\n"),
  "text after a quoted text": stack('config: { voiceplane:token: "hush" hush }\n'),
  "lists that are nested too deeply": stack("[".repeat(30_000)),
  "a stack's file in another encoding": () =>
    inLatin1("Pulumi.dev.yaml", "config:\n  voiceplane:organization: B\xfcro\n"),
  "a stack of a YAML project": files({
    "Pulumi.yaml": "name: acme\nruntime: yaml\n",
    "Pulumi.dev.yaml": "config:\n  voiceplane:token: hush\n",
  }),
});

const environment = (env: Case["env"]) => () => ({ folder: project({ "organization.yaml": right }), env: env ?? {} });

testProblems("environment", {
  "empty variables": environment({ VOICEPLANE_TOKEN: "", VOICEPLANE_BASE_URL: "" }),
  "an address without https": environment({ VOICEPLANE_BASE_URL: "voice.example.com" }),
  "plain http of a provider": environment({ VOICEPLANE_BASE_URL_EU: "http://eu.example.com" }),
  "a token with Bearer": environment({ VOICEPLANE_TOKEN: "Bearer hush" }),
  "a token in quotes": environment({ VOICEPLANE_TOKEN: "'hush'" }),
  "a token with an umlaut": environment({ VOICEPLANE_TOKEN: "hüsh" }),
});

const program = (resources: string) => files({ "Pulumi.yaml": `name: acme\nruntime: yaml\nresources:\n${resources}` });

testProblems("yaml-programs", {
  "an Organization has the checks of an organization file": program(`  org:
    type: voiceplane:Organization
    properties:
      retention:
        recordings: { dayz: 90 }
        conversations: { days: "30" }
      webhooks:
        crm: { id: 7, onCreate: adopt }
`),
  "and those between fields": program(`  org:
    type: voiceplane:index:Organization
    properties:
      trunks: { a: { id: t, outboundAuth: cleared }, b: { id: T, outboundAuth: cleared } }
`),
  "each resource has its checks, and those of other packages have none": program(`  recordings:
    type: voiceplane:RetentionPolicy
    properties: { resource: recordings, onCreate: adopt, retentionDays: 0 }
  office:
    type: voiceplane:index:NetworkPolicy
    properties: { networkPolicyId: a, sourceCidr: 10.0.0.0/8, mustInclude: [192.0.2.1], onCreate: adopt }
  carrier: { type: voiceplane:TrunkOutboundAuth, properties: { trunkId: t, clear: true } }
  crm: { type: voiceplane:WebhookSecret }
  bucket: { type: aws:s3:Bucket, properties: { dayz: 1 } }
`),
  "of values that only a run knows, the keys are checked": program(`  org:
    type: voiceplane:Organization
    properties:
      retention: \${retention}
      networkPolicies:
        a: { id: "\${a.id}", sourceCidr: "\${range}", mustInclud: ["\${ip}"] }
        b: { id: "\${b.id}", name: x }
      webhooks:
        crm: { id: c, onCreate: adopt, initialSecret: { fn::secret: abc } }
  recordings:
    type: voiceplane:RetentionPolicy
    properties: { resource: recordings, onCreate: adopt, retentionDays: { fn::invoke: {} } }
  whole: { type: voiceplane:TrunkOutboundAuth, properties: { trunkId: "$\${t}", cleared: true } }
`),
  "a program of another language": files({
    "Pulumi.yaml": `${pulumiYaml}resources: { org: { type: voiceplane:Organization, properties: { dayz: 1 } } }\n`,
  }),
  "a list of resources": program("  - a\n"),
  "resources without a type": program("  a: b\n  c: { type: 1 }\n"),
  "a resource that is only read": program("  d: { type: voiceplane:RetentionPolicy, get: { id: x } }\n"),
});

test("the files that were checked are those of the stack, and what was not checked is named", () => {
  const config = "environment: [shared]\nconfig:\n  voiceplane:token: { secure: AAAB }\n";
  const folder = project({
    ...stackProgram,
    "organization.yaml": right,
    "Pulumi.dev.yaml": config,
    "Pulumi.prod.yaml": "",
  });
  expect(validate(folder, { stack: "org/acme/dev", env: {}, cwd: folder }).map(lineOf)).toEqual([
    "organization.yaml",
    "Pulumi.yaml",
    "Pulumi.dev.yaml. Not checked: voiceplane:token, which is encrypted; what its environments add.",
  ]);
});

test("files outside the current folder are named by their absolute path", () => {
  const folder = project({ "acme/organization.yaml": "trunks: 1\n" });
  write(folder, { "elsewhere/x": "" });
  const findings = validate(resolve(folder, "acme"), { env: {}, cwd: resolve(folder, "elsewhere") });
  expect(findings.map(({ place }) => place?.file)).toEqual([`${folder}/acme/organization.yaml`]);
});
