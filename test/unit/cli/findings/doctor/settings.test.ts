import { examined, lineOf, project, pulumiWith, temporaryFolder, wholeProject, type Examination } from "./project";

const url = "http://127.0.0.1:9";
const token = "hush-hush-token";
const both = { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token };

/** The lines about settings. Nothing listens at the address. */
async function settings(examination: Examination): Promise<string[]> {
  const lines = await examined(examination);
  expect(lines.join("\n")).not.toContain(token);
  return lines.filter((line) => line.split(" ")[1] === "settings");
}

const listing = {
  "config --json --stack=dev": {
    "voiceplane:organization": { value: "acme", secret: false },
    "voiceplane:baseUrl": { value: url, secret: false },
    "voiceplane:token": { secret: true },
    "aws:token": { secret: true },
  },
  "config get voiceplane:token --json --stack=dev": { value: token, secret: true },
};

test("without settings, every missing setting is reported, and no request is sent", async () => {
  expect((await examined({ env: { VOICEPLANE_TOKEN: "" } })).slice(-3)).toEqual([
    "failure settings no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL. " +
      "No stack is selected: if a stack's configuration has it, add --stack NAME.",
    "failure settings no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN. " +
      "No stack is selected: if a stack's configuration has it, add --stack NAME.",
    "warning server not checked: correct the settings first",
  ]);
});

test("the stack's token is checked like the environment's", async () => {
  const pasted = {
    ...listing,
    "config get voiceplane:token --json --stack=dev": { value: `Bearer ${token}`, secret: true },
  };
  expect(await settings({ stack: "dev", pulumi: pulumiWith(pasted) })).toEqual([
    expect.stringMatching(/^failure settings voiceplane:token: the token begins with "Bearer"/),
  ]);
});

interface Sources extends Examination {
  readonly answers?: Readonly<Record<string, unknown>>;
}

const [decrypting, exporting] = ["config get voiceplane:token --json --stack=dev", "stack export --stack dev"];

test.each([
  [
    "the selected stack",
    { answers: { "stack --show-name": "dev\n" } },
    "the configuration of dev, a token from the configuration of dev",
    ["stack --show-name", "config --json --stack=dev", decrypting, exporting],
  ],
  [
    "a named stack",
    { stack: "dev" },
    "the configuration of dev, a token from the configuration of dev",
    ["config --json --stack=dev", decrypting, exporting],
  ],
  [
    "a stack whose token the environment overrides",
    { stack: "dev", env: { VOICEPLANE_TOKEN: token } },
    "the configuration of dev, a token from the environment",
    ["config --json --stack=dev", exporting],
  ],
  ["the environment alone", { env: both }, "the environment, a token from the environment", ["stack --show-name"]],
])(
  "settings of %s: only a token that is used is decrypted",
  async (_what, { answers, ...from }: Sources, line, asked) => {
    const calls: string[] = [];
    const pulumi = pulumiWith({ ...listing, ...answers }, calls);
    expect(await settings({ ...from, pulumi })).toEqual([`ok settings http://127.0.0.1:9 from ${line}`]);
    expect(calls).toEqual(["version", ...asked]);
  },
);

const pinned = "ok address VOICEPLANE_BASE_URL of the environment, which no pull request can change";
const fromStack = "address from the configuration of dev, which a pull request can change";
const inPipeline = `warning ${fromStack}. Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment.`;
const elsewhere = `ok ${fromStack}`;

test.each<[Record<string, string>, string]>([
  [both, pinned],
  [{ ...both, CI: "true" }, pinned],
  ...["true", "1", "woodpecker"].map((CI): [Record<string, string>, string] => [
    { VOICEPLANE_TOKEN: token, CI },
    inPipeline,
  ]),
  ...["", "false", "0"].map((CI): [Record<string, string>, string] => [{ VOICEPLANE_TOKEN: token, CI }, elsewhere]),
])("who can change the address, with %j", async (env, line) => {
  expect(await lineOf("address", { stack: "dev", env, pulumi: pulumiWith(listing) })).toBe(line);
});

test("a token in plain text is a failure, even if the environment sets another one", async () => {
  const plain = { "config --json --stack=dev": { "voiceplane:token": { value: "hush-hush-token", secret: false } } };
  expect(await settings({ stack: "dev", env: both, pulumi: pulumiWith(plain) })).toEqual([
    "failure settings voiceplane:token: the token is in plain text in the stack's configuration, and would be in its state: " +
      "run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared",
  ]);
});

test("a token that cannot be decrypted", async () => {
  const { "config --json --stack=dev": plain } = listing;
  expect(await settings({ stack: "dev", pulumi: pulumiWith({ "config --json --stack=dev": plain }) })).toEqual([
    "failure settings voiceplane:token of dev cannot be decrypted. " +
      "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.",
  ]);
});

test.each([
  ["in plain text", `${token}\n`],
  ["as a JSON text alone", `"${token}"\n`],
  ["in another form", { secret: true, text: token }],
])("a CLI that prints the token %s: no part of it is shown", async (_what, printed) => {
  const answers = { ...listing, "config get voiceplane:token --json --stack=dev": printed };
  const lines = await examined({ stack: "dev", pulumi: pulumiWith(answers) });
  expect(lines.filter((line) => line.split(" ")[1] === "settings")).toEqual([
    "failure settings voiceplane:token of dev cannot be read: the pulumi on PATH prints it in an unknown form. " +
      "Set VOICEPLANE_TOKEN, or install another version of Pulumi.",
  ]);
  expect(lines.join("\n")).not.toContain("hush");
});

test.each([
  ["text", `voiceplane:token  ${token}\n`],
  ["a list", [token]],
  ["a map of texts", { "voiceplane:token": token }],
])("a CLI that lists the configuration as %s: no part of it is shown", async (_what, printed) => {
  const lines = await examined({ stack: "dev", pulumi: pulumiWith({ "config --json --stack=dev": printed }) });
  expect(lines.filter((line) => line.split(" ")[1] === "settings")).toEqual([
    "failure settings the configuration of dev cannot be read (its answer is not the expected JSON). " +
      "Run `pulumi config --stack dev` in the project's folder to see what is wrong.",
  ]);
  expect(lines.join("\n")).not.toContain("hush");
});

test("a stack that does not exist", async () => {
  expect(await settings({ stack: "prod", env: both, pulumi: pulumiWith(listing) })).toEqual([
    "failure settings the configuration of prod cannot be read (exit code 255). " +
      "Run `pulumi config --stack prod` in the project's folder to see what is wrong.",
  ]);
});

test("where the backend refuses, its error is shown in place of one about the configuration", async () => {
  const error = "Unauthorized: No credentials provided or are invalid.";
  const refused = { kind: "failed", why: "exit code 255", error };
  const answers = { ...listing, "stack export --stack prod": refused };
  expect(await settings({ stack: "prod", env: both, pulumi: pulumiWith(answers) })).toEqual([]);
  const lines = await examined({ stack: "prod", env: both, pulumi: pulumiWith(answers) });
  expect(lines.filter((line) => line.split(" ")[1] === "state")).toEqual([
    expect.stringMatching(/^failure state the state of the stack prod cannot be read: Unauthorized: No credentials/),
  ]);
});

test("a stack without any configuration lacks every setting", async () => {
  const lines = await settings({ stack: "dev", pulumi: pulumiWith({ "config --json --stack=dev": "{}\n" }) });
  expect(lines).toEqual([
    "failure settings no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
    "failure settings no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
  ]);
});

test("keys that were set under another name are named, without their values", async () => {
  const plain = (value: string) => ({ value, secret: false });
  const stack = (config: object) => ({ stack: "dev", pulumi: pulumiWith({ "config --json --stack=dev": config }) });
  expect(
    await settings(stack({ "voiceplane:baseurl": plain("hush-hush-token"), "acme:token": { secret: true } })),
  ).toEqual([
    "failure settings voiceplane:baseurl: there is no such setting: did you mean baseUrl?",
    "failure settings no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
    "failure settings no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
    "failure settings the configuration has acme:token, which is not read: did you mean voiceplane:token?",
  ]);
  expect(await settings({ ...stack({ "voiceplane:organisation": plain("acme") }), env: both })).toEqual([
    "failure settings voiceplane:organisation: there is no such setting: did you mean organization?",
  ]);
});

test("what is wrong with a file is reported once, with its line, whatever the environment sets", async () => {
  const folder = project({
    ...wholeProject,
    "Pulumi.dev.yaml": "config:\n  voiceplane:token: hush-hush-token\n  voiceplane:baseUrl: localhost:4010\n",
  });
  const configured = {
    "voiceplane:token": { value: token, secret: false },
    "voiceplane:baseUrl": { value: "localhost:4010", secret: false },
  };
  const pulumi = pulumiWith({ "config --json --stack=dev": configured });
  const wrong = [
    expect.stringMatching(/^failure settings Pulumi\.dev\.yaml:2:3 voiceplane:token: the token is in plain text/),
    expect.stringMatching(/^failure settings Pulumi\.dev\.yaml:3:3 voiceplane:baseUrl: The base URL has a scheme/),
  ];
  expect(await settings({ folder, stack: "dev", pulumi })).toEqual(wrong);
  expect(await settings({ folder, stack: "dev", pulumi, env: both })).toEqual(wrong);
});

test("an environment of Pulumi ESC may allow plain http, which no file says", async () => {
  // Loopback too, in a form that is not recognized as such.
  const address = "http://[::ffff:7f00:1]:9";
  const folder = project({ ...wholeProject, "Pulumi.dev.yaml": `config:\n  voiceplane:baseUrl: ${address}\n` });
  const configured = (allowed: string) => ({
    "voiceplane:baseUrl": { value: address, secret: false },
    "voiceplane:allowInsecureHttp": { value: allowed, secret: false },
  });
  const lines = (allowed: string) =>
    settings({
      folder,
      stack: "dev",
      env: { VOICEPLANE_TOKEN: token },
      pulumi: pulumiWith({ "config --json --stack=dev": configured(allowed) }),
    });
  expect(await lines("true")).toEqual([
    `ok settings ${address} from the configuration of dev, a token from the environment`,
    expect.stringContaining("the organization has no name"),
  ]);
  expect(await lines("false")).toEqual([expect.stringContaining("plain http to another machine")]);
});

test.each([
  ["in a project", wholeProject],
  ["without one", {}],
])("a variable of an explicit provider is checked too, %s", async (_where, files) => {
  const env = { ...both, VOICEPLANE_TOKEN_EU: `Bearer ${token}` };
  expect(await settings({ folder: project(files), env })).toEqual([
    expect.stringMatching(/^failure settings VOICEPLANE_TOKEN_EU: the token begins with "Bearer"/),
  ]);
});

test("a stack without a project", async () => {
  expect(await settings({ stack: "dev", env: both, folder: temporaryFolder() })).toEqual([
    "failure settings without a project there is no stack to read",
  ]);
});
