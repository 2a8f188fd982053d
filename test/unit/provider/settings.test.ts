/** The settings of a provider: what it reads from where, and what it says is wrong, without the value, which may be a misplaced token. */
import { problem } from "../../../src/values/diagnostic";
import {
  noteProvider,
  providerProblem,
  readSettings,
  requestProblems,
  tokenVariableOf,
  type ProviderSettings,
  type SettingsKey,
} from "../../../src/provider/settings.js";
import { singleProcessRun } from "../../../src/lifecycle/context.js";
import { unknown } from "../../support/native/wire";

type Config = Partial<Record<SettingsKey, unknown>>;
type Env = Record<string, string>;
const read = (config: Config, env: Env = {}, names: readonly string[] = []) =>
  inTexts(readSettings((key) => config[key], env, { names, project: "acme" }));
const inTexts = ({ problems, warnings, ...settings }: ProviderSettings) => ({
  ...settings,
  problems: problems.map(({ text }) => text),
  warnings: warnings.map(({ text }) => text),
});

const access = { baseUrl: "https://api.example.com", token: "config-token" };
const right = { ...access, organization: "acme" };
const eu = { ...access, providerName: "eu" };
const intranet = { ...right, baseUrl: "http://intranet.example.com" };
const noBaseUrl = "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL";
const noToken = "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN";
const noName = "no name of the organization: run `pulumi config set voiceplane:organization NAME`";
const insecure = expect.stringMatching(/^The base URL is plain http to another machine/) as string;
const problemsOf = (config: Config, env: Env = {}) => read(config, env).problems;

test.each([
  ["\u200b", "U+200B"],
  ["\ufeff", "U+FEFF"],
  ["\u202e", "U+202E"],
  ["\n", "a line end"],
])(
  "a character that nobody sees is refused in each setting, of the stack and of a Provider, and named: %j",
  (sign, name) => {
    const baseUrl = `The base URL has ${name}, perhaps copied with it; remove it.`;
    const token =
      sign === "\n"
        ? 'The token contains white space, perhaps "Bearer" or a line end copied with it; remove it.'
        : `The token has ${name}, perhaps copied with it; remove it.`;
    for (const config of [right, eu]) {
      expect(problemsOf({ ...config, baseUrl: `https://api.exa${sign}mple.com` })).toEqual([baseUrl]);
      expect(problemsOf({ ...config, token: `config-${sign}token` })).toEqual([token]);
    }
    expect(problemsOf({ ...right, organization: `ac${sign}me` })).toEqual([
      `voiceplane:organization: has ${name}, perhaps copied with the name: set it again`,
    ]);
    expect(problemsOf({ ...eu, providerName: `e${sign}u` })).toEqual([
      `the name of the Provider has ${name}, perhaps copied with it: write it again`,
    ]);
  },
);

describe("the default provider", () => {
  test("reads exactly these configuration keys", () => {
    const asked = new Set<string>();
    readSettings((key) => void asked.add(key), {});
    expect([...asked].sort()).toEqual(["allowInsecureHttp", "baseUrl", "organization", "providerName", "token"]);
  });

  test("is named by voiceplane:organization, which is required, and has a normalized address", () => {
    expect(read(right)).toMatchObject({ organization: "acme", problems: [] });
    expect(read(access)).toMatchObject({ organization: "", problems: [noName] });
    const addressOf = (baseUrl: string) => read({ ...right, baseUrl }).address;
    expect(addressOf("https://API.example.com:443/")).toBe("https://api.example.com");
    expect(addressOf("https://api.example.com/eu/")).toBe("https://api.example.com/eu");
  });

  test("prefers VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN to the configuration, whatever that has", () => {
    const env = { VOICEPLANE_BASE_URL: "https://other.example.com", VOICEPLANE_TOKEN: "env-token" };
    expect(read({ ...right, token: 5 }, env)).toMatchObject({
      ...{ organization: "acme", address: "https://other.example.com" },
      client: { baseUrl: "https://other.example.com", token: "env-token", allowInsecureHttp: false },
      ...{ problems: [], warnings: [] },
    });
  });

  test("takes what is empty for unset, as pipelines set variables and templates write settings", () => {
    const { client } = read(right, { VOICEPLANE_BASE_URL: "", VOICEPLANE_TOKEN: "" });
    expect(client).toEqual({ ...access, allowInsecureHttp: false });
    expect(problemsOf({ ...right, organization: "", providerName: "" })).toEqual([noName]);
    expect(problemsOf({ baseUrl: "", token: "" })).toEqual([noBaseUrl, noToken, noName]);
  });

  test("takes the time of VOICEPLANE_NOW, which must be one, for the present", () => {
    const at = (now: string) => read(right, { VOICEPLANE_NOW: now });
    expect(at("").namedNow).toBeUndefined();
    expect(at("2027-03-01").namedNow).toEqual(new Date("2027-03-01T00:00:00Z"));
    expect(at("2027-03-01T10:30Z").namedNow).toEqual(new Date("2027-03-01T10:30:00Z"));
    for (const now of ["tomorrow", "2027-13-01", "2027", "01/03/2027", "1"])
      expect(at(now).problems).toEqual(["VOICEPLANE_NOW must be a date, such as 2027-03-01"]);
  });
});

describe("an explicit provider", () => {
  test("is named by its name, whatever voiceplane:organization says", () => {
    expect(read({ ...eu, organization: "acme" }).organization).toBe("eu");
  });

  test("reads the variables with its own name, and no other's", () => {
    const others = {
      VOICEPLANE_BASE_URL: "https://other.example.com",
      VOICEPLANE_TOKEN: "t",
      VOICEPLANE_TOKEN_US: "t",
    };
    expect(read(eu, others).client).toEqual({ ...access, allowInsecureHttp: false });
    expect(read(eu, { VOICEPLANE_TOKEN_EU: "eu-token" }).client.token).toBe("eu-token");
    const variables = ["eu", "eu-west.1", "Büro 2"].map(tokenVariableOf);
    expect(variables).toEqual(["VOICEPLANE_TOKEN_EU", "VOICEPLANE_TOKEN_EU_WEST_1", "VOICEPLANE_TOKEN_B_RO_2"]);
  });

  test("says by its own name what is missing", () => {
    expect(problemsOf({ providerName: "eu-west" })).toEqual([
      'no base URL: give the Provider "eu-west" a baseUrl or set VOICEPLANE_BASE_URL_EU_WEST',
      'no token: give the Provider "eu-west" a token or set VOICEPLANE_TOKEN_EU_WEST',
    ]);
  });

  test("may have an address or a token that a preview does not know yet", () => {
    expect(problemsOf({ ...eu, baseUrl: unknown })).toEqual([]);
    expect(problemsOf({ ...eu, token: unknown })).toEqual([]);
  });
});

test("where the token came from is known, and what wins", () => {
  const sourceOf = (config: Config, env: Env = {}) => read(config, env).tokenSource;
  expect(sourceOf(right)).toBe(
    "The token is the one of the configuration, or of the state in a refresh or destroy. VOICEPLANE_TOKEN wins over it.",
  );
  expect(sourceOf(right, { VOICEPLANE_TOKEN: "t" })).toBe(
    "The token is from VOICEPLANE_TOKEN, which wins over the configuration.",
  );
  expect(sourceOf(eu)).toBe(
    'The token is the one of the Provider "eu", or of the state in a refresh or delete. VOICEPLANE_TOKEN_EU wins over it.',
  );
  expect(sourceOf(eu, { VOICEPLANE_TOKEN_EU: "t" })).toBe(
    'The token is from VOICEPLANE_TOKEN_EU, which wins over the Provider "eu".',
  );
});

test("a value of a wrong type is named, without the value", () => {
  const canary = { text: "canary" };
  const notFlag = "voiceplane:allowInsecureHttp: must be true or false";
  for (const allowInsecureHttp of ["yes", canary, 1])
    expect(problemsOf({ ...right, allowInsecureHttp })).toEqual([notFlag]);
  for (const allowInsecureHttp of [true, false, "true", "false", "", null])
    expect(problemsOf({ ...right, allowInsecureHttp })).toEqual([]);
  expect(problemsOf({ ...eu, allowInsecureHttp: [] })).toEqual([notFlag.replace("voiceplane:", 'the Provider "eu": ')]);
  expect(problemsOf({ ...right, organization: ["canary"] })).toEqual(["voiceplane:organization: must be text", noName]);
  expect(problemsOf({ ...right, token: canary })).toEqual(["voiceplane:token: must be text", noToken]);
});

test("problems of the address and the token are those of the client, without the value, which may be a misplaced token", () => {
  expect(problemsOf({ ...right, baseUrl: "ftp://canary.example.com", token: "canary 1" })).toEqual([
    "The base URL has a scheme that is not HTTP; it should begin with https://.",
    expect.not.stringContaining("canary"),
  ]);
});

test("plain http is accepted for this machine, and elsewhere if it is allowed", () => {
  expect(problemsOf({ ...right, baseUrl: "http://localhost:4010" })).toEqual([]);
  for (const allowInsecureHttp of ["true", true, unknown])
    expect(problemsOf({ ...intranet, allowInsecureHttp })).toEqual([]);
  expect(problemsOf({ ...intranet, allowInsecureHttp: "false" })).toEqual([insecure]);
});

describe("a key that is not read", () => {
  const text = (name: string, key: string) => `the configuration has ${name}, which is not read: did you mean ${key}?`;

  test.each([
    ["voiceplane:baseurl", "voiceplane:baseUrl"],
    ["voiceplane:base_url", "voiceplane:baseUrl"],
    ["VoicePlane:baseUrl", "voiceplane:baseUrl"],
    ["acme:baseUrl", "voiceplane:baseUrl"],
    ["acme:Organization", "voiceplane:organization"],
    ["voiceplane:\u202ebaseUrl", "voiceplane:baseUrl"],
  ])("is named where settings are missing: %j", (name, key) => {
    const shown = name.replace("\u202e", String.raw`\u{202e}`);
    expect(read({}, {}, [name]).problems).toEqual([noBaseUrl, noToken, noName, text(shown, key)]);
  });

  test("is named beside the address that needs it, and not beside settings that are right", () => {
    const names = ["voiceplane:allowinsecurehttp", "voiceplane:baseUrl", "acme:token"];
    const named = text("voiceplane:allowinsecurehttp", "voiceplane:allowInsecureHttp");
    expect(read(intranet, {}, names).problems).toEqual([insecure, named]);
    expect(read(right, {}, ["acme:baseUrl", "voiceplane:Token"]).problems).toEqual([]);
  });

  test.each([
    ["voiceplane:tokn", "voiceplane:token"],
    ["voiceplane:ALLOW_INSECURE_HTTP", "voiceplane:allowInsecureHttp"],
    ["voiceplane:organisationFile", "voiceplane:organizationFile"],
  ])("is a warning if it is misspelt, and said once: %s", (name, key) => {
    expect(read(right, {}, [name])).toMatchObject({ problems: [], warnings: [text(name, key)] });
    const unset = read({}, {}, [name]);
    expect([...unset.problems, ...unset.warnings].filter((each) => each === text(name, key))).toHaveLength(1);
  });

  test("is left alone if it is another's, or not similar", () => {
    const others = ["aws:token", "other:baseUrl", "acme:tokn", "acme:url", "aws:organisation", "baseUrl"];
    const own = ["voiceplane:greeting", "voiceplane:organizationFile"];
    expect(read({}, {}, [...others, ...own])).toMatchObject({ problems: [noBaseUrl, noToken, noName], warnings: [] });
    expect(read(right, {}, [...others, ...own, "voiceplane:token"]).warnings).toEqual([]);
  });

  test("is a warning about an explicit provider, with whose properties it came", () => {
    expect(read(eu, {}, ["tokn", "baseUrl", "version", "pluginDownloadURL"]).warnings).toEqual([
      'the Provider "eu" has tokn, which is not read: did you mean token?',
    ]);
  });
});

describe("two explicit providers whose names stand for one variable", () => {
  const clash =
    'the Providers "eu-1" and "eu_1" would both take their token from VOICEPLANE_TOKEN_EU_1: ' +
    "rename one of them: only letters and digits count, and not their case";
  const settings = (providerName: string) => readSettings((key) => ({ ...right, providerName })[key as "baseUrl"], {});

  test("are refused when the second is declared, whether or not the variable is set", () => {
    const run = singleProcessRun();
    const declared = (providerName: string) => {
      noteProvider(run, "declared", providerName);
      return providerProblem(run, "declared", providerName)?.text;
    };
    expect(["eu-1", "eu-1", "us", "eu_1"].map(declared)).toEqual([undefined, undefined, undefined, clash]);
    // Whatever their names are.
    expect([declared('a "\n b'), declared('A "\n b')]).toEqual([undefined, expect.stringContaining('a "\n b')]);
  });

  test.each(["VOICEPLANE_TOKEN_EU_1", "VOICEPLANE_BASE_URL_EU_1"])("send no request while %s is set", (variable) => {
    const run = singleProcessRun();
    noteProvider(run, "used", "eu-1");
    expect(requestProblems(run, settings("eu-1"), { [variable]: "x" })).toEqual([]);
    noteProvider(run, "used", "eu_1");
    expect(requestProblems(run, settings("eu_1"), { [variable]: "x" })).toEqual([problem("token-shared", clash)]);
    expect(requestProblems(run, settings("eu-1"), { [variable]: "x" })).toHaveLength(1);
    // So that a state with both can still be destroyed.
    expect(requestProblems(run, settings("eu_1"), { [variable]: "", VOICEPLANE_TOKEN: "x" })).toEqual([]);
  });

  test("of which only the state has one do not keep the other from being declared", () => {
    const run = singleProcessRun();
    noteProvider(run, "used", "eu_1");
    noteProvider(run, "declared", "eu-1");
    expect(providerProblem(run, "declared", "eu-1")).toBeUndefined();
  });
});

test("a range in NO_PROXY, which the client does not read, is named if it has the address", () => {
  const warningsFor = (baseUrl: string, NO_PROXY = "localhost, 10.0.0.0/8", HTTPS_PROXY = "http://proxy:3128") =>
    read({ ...right, baseUrl }, { NO_PROXY, HTTPS_PROXY }).warnings;
  expect(warningsFor("https://10.1.2.3/eu")).toEqual([
    "NO_PROXY has the range 10.0.0.0/8, which is not read: requests to 10.1.2.3 go through the proxy of HTTPS_PROXY. Add 10.1.2.3 to NO_PROXY.",
  ]);
  expect(warningsFor("https://192.0.2.1")).toEqual([]);
  expect(warningsFor("https://api.example.com")).toEqual([]);
  expect(warningsFor("https://10.1.2.3", "10.0.0.0/8,10.1.2.3")).toEqual([]);
  expect(warningsFor("https://10.1.2.3", "10.0.0.0/8", "")).toEqual([]);
});
