/** What the doctor says of the settings, and what it asks the CLI for. Nothing listens at the address. */
import { examined, pulumiWith, temporaryFolder, testFindings, type Examination } from "./project";

const url = "http://127.0.0.1:9";
const token = "hush-hush-token";
const both = { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token };

const [configuration, decrypting] = ["config --json --stack=dev", "config get voiceplane:token --json --stack=dev"];
const listing = {
  [configuration]: {
    "voiceplane:organization": { value: "acme", secret: false },
    "voiceplane:baseUrl": { value: url, secret: false },
    "voiceplane:token": { secret: true },
    "aws:token": { secret: true },
  },
  [decrypting]: { value: token, secret: true },
};

/** The stack dev, for which the CLI has these answers. */
const dev = (answers: Readonly<Record<string, unknown>>, more: Examination = {}) => ({
  stack: "dev",
  pulumi: pulumiWith(answers),
  ...more,
});
/** The same, with these values in its configuration. */
const configured = (values: object, more: Examination = {}) =>
  dev({ [configuration]: { "voiceplane:organization": plain("acme"), ...values } }, more);
const plain = (value: string) => ({ value, secret: false });

const error = "Unauthorized: No credentials provided or are invalid.";
const refused = { "stack export --stack prod": { kind: "failed", why: "exit code 255", error } };

testFindings("settings", ["settings", "state"], {
  "no settings and no stack": () => ({ env: { VOICEPLANE_TOKEN: "" } }),
  "a stack without any configuration": () => dev({ [configuration]: "{}\n" }),
  "a stack that does not exist": () => ({ stack: "prod", env: both, pulumi: pulumiWith(listing) }),
  "a backend that refuses: its error stands in place of one about the configuration": () => ({
    ...{ stack: "prod", env: both, pulumi: pulumiWith({ ...listing, ...refused }) },
  }),
  "a stack without a project": () => ({ stack: "dev", env: both, folder: temporaryFolder() }),
  "a token with a pasted extra": () => dev({ ...listing, [decrypting]: { value: `Bearer ${token}`, secret: true } }),
  "a token that cannot be decrypted": () => dev({ [configuration]: listing[configuration] }),
  "a token that the CLI prints as text": () => dev({ ...listing, [decrypting]: `${token}\n` }),
  "a token that the CLI prints as a JSON text alone": () => dev({ ...listing, [decrypting]: `"${token}"\n` }),
  "a token that the CLI prints in another form": () => dev({ ...listing, [decrypting]: { secret: true, text: token } }),
  "a configuration that the CLI lists as text": () => dev({ [configuration]: `voiceplane:token  ${token}\n` }),
  "a configuration that is a list": () => dev({ [configuration]: [token] }),
  "a configuration that is a map of texts": () => configured({ "voiceplane:token": token }),
  "keys that were set under another name": () =>
    configured({ "voiceplane:baseurl": plain(token), "acme:token": { secret: true } }),
  "a misspelled organization": () =>
    dev({ [configuration]: { "voiceplane:organisation": plain("acme") } }, { env: both }),
  "an address that is not right": () =>
    configured({ "voiceplane:baseUrl": plain("localhost:4010") }, { env: { VOICEPLANE_TOKEN: token } }),
});

test("a token in plain text is a problem, even if the environment sets another one", async () => {
  const lines = await examined(configured({ "voiceplane:token": plain(token) }, { env: both }));
  expect(lines.filter((line) => line.startsWith("problem settings"))).toEqual([
    "problem settings voiceplane:token: the token is in plain text in the stack's configuration, and would be in its state: " +
      "run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared [token-plain]",
  ]);
});

const exporting = "stack export --stack dev";

const fromDev = "the configuration of dev, a token from the configuration of dev";
const environment = { VOICEPLANE_TOKEN: token };

test.each<[what: string, from: Examination, origin: string, asked: string[]]>([
  ["the selected stack", {}, fromDev, ["stack --show-name", exporting, configuration, decrypting]],
  ["a named stack", { stack: "dev" }, fromDev, [exporting, configuration, decrypting]],
  [
    "a stack whose token the environment overrides",
    { stack: "dev", env: environment },
    "the configuration of dev, a token from the environment",
    [exporting, configuration],
  ],
])("settings of %s: only a token that is used is decrypted", async (_what, from, origin, asked) => {
  const calls: string[] = [];
  const pulumi = pulumiWith({ ...listing, "stack --show-name": "dev\n" }, calls);
  expect(await examined({ ...from, pulumi })).toContain(`ok settings http://127.0.0.1:9 from ${origin}`);
  expect(calls).toEqual(["version", ...asked]);
});

test("settings of the environment alone: no configuration is read", async () => {
  const calls: string[] = [];
  expect(await examined({ env: both, pulumi: pulumiWith(listing, calls) })).toContain(
    "ok settings http://127.0.0.1:9 from the environment, a token from the environment",
  );
  expect(calls).toEqual(["version", "stack --show-name"]);
});

const fromStack = `settings ${url} from the configuration of dev, a token from the environment`;
const inPipeline =
  `warning ${fromStack}; a pull request can change the address. ` +
  "Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment. [address-unpinned]";

test.each<[env: Record<string, string>, line: string]>([
  [{ ...both, CI: "true" }, `ok settings ${url} from the environment, a token from the environment`],
  [{ ...environment, CI: "woodpecker" }, inPipeline],
  [{ ...environment, CI: "" }, `ok ${fromStack}`],
  [{ ...environment, CI: "false" }, `ok ${fromStack}`],
  [{ ...environment, CI: "0" }, `ok ${fromStack}`],
])("who can change the address, with %j", async (env, line) => {
  expect(await examined(dev(listing, { env }))).toContain(line);
});
