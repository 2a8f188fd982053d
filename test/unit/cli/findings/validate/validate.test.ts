/** The problems that `voiceplane validate` finds without an engine and without a request. */
import { symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { lineOf } from "../../../../../src/cli/findings/finding";
import { validate } from "../../../../../src/cli/findings/validate";
import { project, pulumiYaml, temporaryFolder, write } from "../doctor/project";

type Environment = Record<string, string>;

/** The problems as lines, with file names relative to the folder. */
const problemsIn = (folder: string, env: Environment = {}, target = "."): string[] =>
  validate(resolve(folder, target), { env, cwd: folder })
    .findings.filter(({ status }) => status === "failure")
    .map(lineOf);

const right = "retention: { recordings: { days: 90, onCreate: adopt } }\n";
const stackProgram = {
  "Pulumi.yaml": pulumiYaml,
  "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
};

describe("an organization file", () => {
  test("that is valid has no problems", () => {
    const folder = project({ "organization.yaml": right });
    expect(problemsIn(folder)).toEqual([]);
    expect(problemsIn(folder, {}, "organization.yaml")).toEqual([]);
  });

  test("in another encoding than UTF-8 is refused at the first wrong byte", () => {
    const folder = project({});
    writeFileSync(join(folder, "organization.yaml"), Buffer.from("retention: {} # B\xfcro\n", "latin1"));
    expect(problemsIn(folder)).toEqual(["organization.yaml:1:18 the file is not UTF-8 here: save the file as UTF-8"]);
  });

  test("that is missing is a problem in a folder without a project, and for a stack without code", () => {
    expect(problemsIn(temporaryFolder())).toEqual(["organization.yaml cannot be read (ENOENT)"]);
    expect(problemsIn(project(stackProgram))).toEqual(["organization.yaml cannot be read (ENOENT)"]);
  });

  test("is read up to 1 MiB, and only as a regular file: a device ends at once, whatever links to it", () => {
    const folder = project({
      "most.yaml": `{} #${"x".repeat(1_048_572)}`,
      "more.yaml": `{} #${"x".repeat(1_048_573)}`,
    });
    expect(problemsIn(folder, {}, "most.yaml")).toEqual([]);
    expect(problemsIn(folder, {}, "more.yaml")).toEqual(["more.yaml cannot be read (it has more than 1 MiB)"]);
    symlinkSync("/dev/zero", join(folder, "organization.yaml"));
    expect(problemsIn(folder)).toEqual(["organization.yaml cannot be read (it is not a regular file)"]);
  });

  test("is not required if a program declares the resources", () => {
    const program = 'import { Organization } from "pulumi-voiceplane";\n';
    expect(problemsIn(project({ "Pulumi.yaml": pulumiYaml, "index.ts": program }))).toEqual([]);
  });

  test("is checked once per file, for all stacks", () => {
    const folder = project({
      ...stackProgram,
      "Pulumi.dev.yaml": "config: { voiceplane:organizationFile: files/dev.yaml }\n",
      "Pulumi.test.yaml": "config: { voiceplane:organizationFile: ./files/dev.yaml }\n",
      "Pulumi.prod.yaml": "config: {}\n",
      "files/dev.yaml": "retention: 1\n",
      "organization.yaml": "trunks: 1\n",
    });
    expect(problemsIn(folder)).toEqual([
      expect.stringMatching(/^files\/dev\.yaml:1:12 retention: must be/),
      expect.stringMatching(/^organization\.yaml:1:9 trunks: must be/),
    ]);
    const { checked } = validate(folder, { stack: "dev", env: {}, cwd: folder });
    expect(checked).toEqual(["files/dev.yaml", "Pulumi.yaml", "Pulumi.dev.yaml"]);
    expect(validate(folder, { stack: "org/acme/prod", env: {}, cwd: folder }).checked).toEqual([
      "organization.yaml",
      "Pulumi.yaml",
      "Pulumi.prod.yaml",
    ]);
  });

  test("in Pulumi.yaml applies to stacks that name none", () => {
    const folder = project({
      "Pulumi.yaml": `${pulumiYaml}config: { "voiceplane:organizationFile": { value: all.yaml } }\n`,
      "Pulumi.dev.yaml": "config: {}\n",
    });
    expect(problemsIn(folder)).toEqual(["all.yaml cannot be read (ENOENT)"]);
  });
});

describe("the settings of a stack's file", () => {
  const stack = (config: string, more: Record<string, string> = {}) =>
    project({ ...stackProgram, "organization.yaml": right, "Pulumi.dev.yaml": config, ...more });

  test.each([
    ["baseUrl: localhost:4010", "The base URL has a scheme that is not HTTP; it should begin with https://"],
    ["baseUrl: http://voice.example.com", expect.stringMatching(/^The base URL is plain http to another machine/)],
    ["baseUrl: https://hush:hush@voice.example.com", expect.stringMatching(/^The base URL contains a user name/)],
    ["baseUrl: { a: 1 }", "must be text"],
    ["allowInsecureHttp: yes", "must be true or false"],
    [
      "token: hush",
      "the token is in plain text in the stack's configuration, and would be in its state: run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared",
    ],
    ["baseURL: https://voice.example.com", "there is no such setting: did you mean baseUrl?"],
    ["organisation: acme", "there is no such setting: did you mean organization?"],
  ])("%s", (line, reason) => {
    const [problem = "", ...others] = problemsIn(stack(`config:\n  voiceplane:${line}\n`));
    expect(others).toEqual([]);
    const [place] = /^Pulumi\.dev\.yaml:2:3 voiceplane:\w+: /.exec(problem) ?? [];
    expect(problem.slice(place?.length ?? 0)).toEqual(reason);
    expect(problem).not.toContain("hush");
  });

  test.each([
    "baseUrl: https://voice.example.com/eu",
    "baseUrl: ''",
    "baseUrl: { secure: AAAB }",
    "token: { secure: AAAB }",
    "allowInsecureHttp: true\n  voiceplane:baseUrl: http://voice.example.com",
    "organization: 007",
    "greeting: hello",
  ])("%s is fine", (line) => {
    expect(problemsIn(stack(`config:\n  voiceplane:${line}\n`))).toEqual([]);
  });

  test("are read from the folder that Pulumi.yaml names, in JSON too, and so are Pulumi.yaml's own", () => {
    const folder = project({
      "Pulumi.json":
        '{ "name": "acme", "runtime": "nodejs", "stackConfigDir": "stacks", "config": { "voiceplane:baseUrl": "ftp://x" } }\n',
      "stacks/Pulumi.dev.json": '{ "config": { "voiceplane:token": "hush" } }\n',
      "stacks/Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
      "Pulumi.yaml": "name: not-read\nruntime: nodejs\n",
      "Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
    });
    expect(problemsIn(folder)).toEqual([
      expect.stringMatching(/^Pulumi\.json:1:80 voiceplane:baseUrl: The base URL has a scheme/),
      expect.stringMatching(/^stacks\/Pulumi\.dev\.json:1:15 voiceplane:token: the token is in plain text/),
    ]);
  });

  test("are read from the folder that an older Pulumi.yaml names as its config", () => {
    const folder = project({
      "Pulumi.yaml": "name: acme\nruntime: nodejs\nconfig: stacks\n",
      "stacks/Pulumi.dev.yaml": "config:\n  voiceplane:token: hush\n",
      "Pulumi.dev.yaml": "config:\n  voiceplane:token: not read\n",
    });
    expect(problemsIn(folder)).toEqual([
      expect.stringMatching(/^stacks\/Pulumi\.dev\.yaml:2:3 voiceplane:token: the token is in plain text/),
    ]);
  });

  test("are not required if that folder does not exist yet", () => {
    const folder = project({ "Pulumi.yaml": "name: acme\nruntime: nodejs\nstackConfigDir: stacks\n" });
    expect(problemsIn(folder)).toEqual([]);
  });

  test("that are not YAML are a problem of that file", () => {
    expect(problemsIn(stack("config: [\n"))).toEqual(["Pulumi.dev.yaml:2:1 is not valid YAML here"]);
    expect(problemsIn(stack('config: { voiceplane:token: "hush" hush }\n')).join()).not.toContain("hush");
    expect(problemsIn(stack("[".repeat(30_000)))).toEqual(["Pulumi.dev.yaml:1:101 is not valid YAML here"]);
  });

  test("that are not UTF-8 are a problem of that file", () => {
    const folder = stack("");
    writeFileSync(
      join(folder, "Pulumi.dev.yaml"),
      Buffer.from("config:\n  voiceplane:organization: B\xfcro\n", "latin1"),
    );
    expect(problemsIn(folder)).toEqual(["Pulumi.dev.yaml:2:29 the file is not UTF-8 here: save the file as UTF-8"]);
  });

  test("report what was not checked", () => {
    const folder = stack("environment: [shared]\nconfig:\n  voiceplane:token: { secure: AAAB }\n");
    expect(validate(folder, { env: {}, cwd: folder }).unchecked).toEqual([
      "voiceplane:token of Pulumi.dev.yaml: encrypted",
      "what the environments of Pulumi.dev.yaml add",
    ]);
  });

  test.each(["yaml", "python"])("of a project with the runtime %s are checked too", (runtime) => {
    const folder = project({
      "Pulumi.yaml": `name: acme\nruntime: ${runtime}\n`,
      "Pulumi.dev.yaml": "config:\n  voiceplane:token: hush\n",
    });
    expect(problemsIn(folder)).toEqual([expect.stringMatching(/^Pulumi\.dev\.yaml:2:3 voiceplane:token: the token/)]);
  });
});

describe("the environment", () => {
  const inEnvironment = (env: Environment): string[] => problemsIn(project({ "organization.yaml": right }), env);

  test("may be empty: a missing token is no problem here", () => {
    expect(inEnvironment({ VOICEPLANE_TOKEN: "", VOICEPLANE_BASE_URL: "" })).toEqual([]);
  });

  const bearer =
    'the token begins with "Bearer". Remove that word and the space behind it: it is added to every request.';
  const quotes =
    "the token is in quotes. Remove them: a shell removes them, but files of variables and the settings of pipelines keep them.";
  const lineEnd = 'the token ends with a line end. Remove it: "$(cat FILE)" drops it, and `printf %s` writes none.';

  test.each([
    ["VOICEPLANE_BASE_URL", "voice.example.com", [/^The base URL is not an absolute URL/]],
    ["VOICEPLANE_BASE_URL_EU", "http://eu.example.com", [/^The base URL is plain http/]],
    ["VOICEPLANE_TOKEN", "Bearer hush", [bearer]],
    ["VOICEPLANE_TOKEN_EU", "hush\n", [lineEnd]],
    ["VOICEPLANE_TOKEN", "'hush'", [quotes]],
    ["VOICEPLANE_TOKEN", '"Authorization: bearer hush"\n', [bearer, quotes, lineEnd]],
    [
      "VOICEPLANE_TOKEN",
      "hush hush",
      [/^The token contains white space, perhaps a line end copied with it; remove it$/],
    ],
    ["VOICEPLANE_TOKEN", "hüsh", [/^The token contains characters that cannot occur in/]],
  ])("%s=%j: every pasted extra character is named, and no part of the value", (name, value, problems) => {
    const found = inEnvironment({ [name]: value });
    expect(found.map((line) => line.replace(`${name}: `, ""))).toEqual(
      problems.map((problem) => (typeof problem === "string" ? problem : (expect.stringMatching(problem) as string))),
    );
    expect(found.join()).not.toMatch(/h[uü]sh/);
  });
});

test("of a project that cannot be read, nothing else is checked", () => {
  const folder = project({ "Pulumi.yaml": "name: [acme", "organization.yaml": "trunks: 1\n" });
  expect(problemsIn(folder)).toEqual([`${folder}/Pulumi.yaml cannot be read as a Pulumi project`]);
});

test("files outside the current folder are named by their absolute path", () => {
  const folder = project({ "acme/organization.yaml": "trunks: 1\n" });
  write(folder, { "elsewhere/x": "" });
  const { findings } = validate(resolve(folder, "acme"), { env: {}, cwd: resolve(folder, "elsewhere") });
  expect(findings.map(({ place }) => place?.file)).toEqual([`${folder}/acme/organization.yaml`]);
});

describe("a program in YAML", () => {
  const head = "name: acme\nruntime: yaml\nresources:\n";
  const inProgram = (resources: string) => problemsIn(project({ "Pulumi.yaml": head + resources }));

  test("has the checks of an organization file, with the lines of Pulumi.yaml", () => {
    const organization =
      '  org:\n    type: voiceplane:Organization\n    properties:\n      retention:\n        recordings: { dayz: 90 }\n        conversations: { days: "30" }\n' +
      "      webhooks:\n        crm: { id: 7, onCreate: adopt }\n";
    expect(inProgram(organization)).toEqual([
      expect.stringMatching(
        /^Pulumi\.yaml:8:21 org: retention\.recordings\.days: is missing: it must be a whole number/,
      ),
      expect.stringMatching(
        /^Pulumi\.yaml:8:23 org: retention\.recordings\.dayz: is not a property of retention\.recordings \(did you mean days\?\); known are days/,
      ),
      "Pulumi.yaml:9:32 org: retention.conversations.days: must be a whole number of days from 1 to 3650; remove the quotes",
      expect.stringMatching(/^Pulumi\.yaml:11:20 org: webhooks\.crm\.id: must be .*put it in quotes$/),
    ]);
  });

  test("has those between fields", () => {
    const trunks = "{ a: { id: t, outboundAuth: cleared }, b: { id: T, outboundAuth: cleared } }";
    expect(inProgram(`  org: { type: "voiceplane:index:Organization", properties: { trunks: ${trunks} } }\n`)).toEqual([
      expect.stringMatching(/^Pulumi\.yaml:4:\d+ org: trunks\.b\.id: is the object that trunks\.a declares already$/),
    ]);
  });

  test("has the checks of each resource, and none of other packages", () => {
    const resources =
      "  recordings: { type: voiceplane:RetentionPolicy, properties: { resource: recordings, onCreate: adopt, retentionDays: 0 } }\n" +
      "  office:\n    type: voiceplane:index:NetworkPolicy\n    properties:\n      networkPolicyId: a\n      sourceCidr: 10.0.0.0/8\n      mustInclude: [192.0.2.1]\n      onCreate: adopt\n" +
      "  carrier: { type: voiceplane:TrunkOutboundAuth, properties: { trunkId: t, clear: true } }\n" +
      "  crm: { type: voiceplane:WebhookSecret }\n" +
      "  bucket: { type: aws:s3:Bucket, properties: { dayz: 1 } }\n";
    expect(inProgram(resources)).toEqual([
      expect.stringMatching(/^Pulumi\.yaml:4:\d+ recordings: retentionDays: must be a whole number/),
      "Pulumi.yaml:9:19 office: sourceCidr: 10.0.0.0/8 does not contain 192.0.2.1, which mustInclude requires",
      expect.stringMatching(/^Pulumi\.yaml:12:3 carrier: cleared: is missing/),
      expect.stringMatching(
        /^Pulumi\.yaml:12:\d+ carrier: clear: is not a property of TrunkOutboundAuth \(did you mean cleared\?\)/,
      ),
      expect.stringMatching(/^Pulumi\.yaml:13:3 crm: webhookId: is missing/),
      expect.stringMatching(/^Pulumi\.yaml:13:3 crm: onCreate: is missing/),
    ]);
  });

  test("is not checked for values that only a run knows, but for their keys", () => {
    const resources =
      "  org:\n    type: voiceplane:Organization\n    properties:\n      retention: ${retention}\n      networkPolicies:\n" +
      '        a: { id: "${a.id}", sourceCidr: "${range}", mustInclud: ["${ip}"] }\n        b: { id: "${b.id}", name: x }\n' +
      "      webhooks:\n        crm: { id: c, onCreate: adopt, initialSecret: { fn::secret: abc } }\n" +
      "  recordings: { type: voiceplane:RetentionPolicy, properties: { resource: recordings, onCreate: adopt, retentionDays: { fn::invoke: {} } } }\n" +
      '  whole: { type: voiceplane:TrunkOutboundAuth, properties: { trunkId: "$${t}", cleared: true } }\n';
    expect(inProgram(resources)).toEqual([
      expect.stringMatching(/^Pulumi\.yaml:9:53 org: networkPolicies\.a\.mustInclud: .*did you mean mustInclude\?/),
    ]);
  });

  test("of another language, and a file that is no program, have no such problems", () => {
    const resources = "resources: { org: { type: voiceplane:Organization, properties: { dayz: 1 } } }\n";
    expect(problemsIn(project({ "Pulumi.yaml": pulumiYaml + resources }))).toEqual([]);
    expect(inProgram("  - a\n")).toEqual([]);
    expect(inProgram("  a: b\n  c: { type: 1 }\n  d: { type: voiceplane:RetentionPolicy, get: { id: x } }\n")).toEqual(
      [],
    );
  });
});
