import {
  providerProblem,
  noteProvider,
  readSettings,
  requestProblems,
  tokenVariableOf,
  type SettingsKey,
} from "../../../src/provider/settings.js";
import { singleProcessRun } from "../../../src/resources/lifecycle.js";

type Config = Partial<Record<SettingsKey, unknown>>;
const read = (config: Config, env: Record<string, string> = {}, names: string[] = []) =>
  readSettings((key) => config[key], env, { names, project: "acme" });
const right = { baseUrl: "https://api.example.com", token: "config-token" };
const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("the default provider", () => {
  test("reads exactly these configuration keys", () => {
    const asked: string[] = [];
    readSettings((key) => void asked.push(key), {});
    expect([...new Set(asked)].sort()).toEqual([
      "allowInsecureHttp",
      "baseUrl",
      "organization",
      "providerName",
      "token",
    ]);
  });

  test("is named by the base URL's normalized origin, and never by the token", () => {
    for (const baseUrl of ["https://API.example.com", "https://api.example.com:443/", "https://api.example.com"]) {
      expect(read({ ...right, baseUrl }).organization).toBe("https://api.example.com");
    }
    expect(read({ ...right, baseUrl: "https://api.example.com/eu/" }).organization).toBe("https://api.example.com/eu");
  });

  test("is named by voiceplane:organization if that is set, so that the address may change", () => {
    expect(read({ ...right, organization: "acme" }).organization).toBe("acme");
  });

  test("VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN win over the configuration", () => {
    const env = { VOICEPLANE_BASE_URL: "https://other.example.com", VOICEPLANE_TOKEN: "env-token" };
    expect(read(right, env)).toMatchObject({
      organization: "https://other.example.com",
      address: "https://other.example.com",
      client: { baseUrl: "https://other.example.com", token: "env-token", allowInsecureHttp: false },
      problems: [],
      warnings: [],
    });
  });

  test("treats an empty variable as unset, because pipelines set missing values to it", () => {
    expect(read(right, { VOICEPLANE_BASE_URL: "", VOICEPLANE_TOKEN: "" }).client).toEqual({
      ...right,
      allowInsecureHttp: false,
    });
  });

  test("treats an empty setting as unset, because templates write missing values as it", () => {
    expect(read({ ...right, organization: "", providerName: "" }).organization).toBe("https://api.example.com");
    expect(read({ baseUrl: "", token: "" }).problems).toHaveLength(2);
  });

  test("says what is missing and where to set it", () => {
    expect(read({}).problems).toEqual([
      "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL",
      "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
    ]);
  });
});

describe("a key that was set under another name", () => {
  const rest = (names: string[]) => read({}, {}, names).problems.filter((problem) => !problem.startsWith("no "));

  test.each([
    ["voiceplane:baseurl", "voiceplane:baseUrl"],
    ["voiceplane:base_url", "voiceplane:baseUrl"],
    ["VoicePlane:baseUrl", "voiceplane:baseUrl"],
    ["acme:baseUrl", "voiceplane:baseUrl"],
    ["acme:Organization", "voiceplane:organization"],
  ])("%s is named where settings are missing", (name, key) => {
    expect(rest([name])).toEqual([`the configuration has ${name}, which is not read: did you mean ${key}?`]);
  });

  test.each([["aws:token"], ["other:baseUrl"], ["voiceplane:greeting"], ["acme:url"], ["baseUrl"]])(
    "%s is not",
    (name) => {
      expect(rest([name])).toEqual([]);
    },
  );

  test("allowInsecureHttp is named where the address needs it", () => {
    const config = { baseUrl: "http://intranet.example.com", token: "t" };
    expect(read(config, {}, ["voiceplane:allowinsecurehttp", "voiceplane:baseUrl", "acme:token"]).problems).toEqual([
      expect.stringMatching(/^The base URL is plain http/),
      "the configuration has voiceplane:allowinsecurehttp, which is not read: did you mean voiceplane:allowInsecureHttp?",
    ]);
  });

  test("nothing is said where the settings are right, and a name is shown with escapes", () => {
    expect(read(right, {}, ["acme:baseUrl", "voiceplane:Token"]).problems).toEqual([]);
    expect(rest(["voiceplane:\u202ebaseUrl"])).toEqual([
      String.raw`the configuration has voiceplane:\u{202e}baseUrl, which is not read: did you mean voiceplane:baseUrl?`,
    ]);
  });
});

describe("a misspelt key is named, also where nothing else is wrong", () => {
  test.each([
    ["voiceplane:tokn", "voiceplane:token"],
    ["voiceplane:allowInsecureHTTP", "voiceplane:allowInsecureHttp"],
    ["voiceplane:organisationFile", "voiceplane:organizationFile"],
  ])("%s", (name, key) => {
    const warning = `the configuration has ${name}, which is not read: did you mean ${key}?`;
    expect(read(right, {}, [name]).warnings).toEqual([warning]);
    const { problems, warnings } = read({}, {}, [name]);
    expect([...problems, ...warnings].filter((text) => text === warning)).toHaveLength(1);
  });

  test.each([
    "voiceplane:token",
    "voiceplane:organizationFile",
    "voiceplane:greeting",
    "acme:tokn",
    "aws:organisation",
  ])("%s is not", (name) => {
    expect(read(right, {}, [name]).warnings).toEqual([]);
  });

  test("by an explicit provider's own name, with whose properties it came", () => {
    const names = ["tokn", "baseUrl", "version", "pluginDownloadURL"];
    expect(read({ ...right, providerName: "eu" }, {}, names).warnings).toEqual([
      'the Provider "eu" has tokn, which is not read: did you mean token?',
    ]);
  });
});

describe("a value of a wrong type is named, without the value", () => {
  test.each([
    [{ ...right, allowInsecureHttp: "yes" }, "voiceplane:allowInsecureHttp: must be true or false"],
    [{ ...right, allowInsecureHttp: { canary: true } }, "voiceplane:allowInsecureHttp: must be true or false"],
    [{ ...right, organization: ["canary"] }, "voiceplane:organization: must be text"],
    [
      { ...right, providerName: "eu", allowInsecureHttp: [] },
      'the Provider "eu": allowInsecureHttp: must be true or false',
    ],
  ])("%j", (config, problem) => {
    expect(read(config).problems).toEqual([problem]);
  });

  test("also where the setting is then missing", () => {
    expect(read({ ...right, token: { text: "canary" } }).problems).toEqual([
      "voiceplane:token: must be text",
      "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
    ]);
  });

  test("true, false and null are right, and what a variable overrides is not looked at", () => {
    for (const allowInsecureHttp of [true, false, "true", "false", "", null])
      expect(read({ ...right, organization: null, allowInsecureHttp }).problems).toEqual([]);
    expect(read({ ...right, token: 5 }, { VOICEPLANE_TOKEN: "env-token" }).problems).toEqual([]);
  });
});

describe("an explicit provider", () => {
  const eu = { ...right, providerName: "eu" };

  test("is named by its name, whatever voiceplane:organization says", () => {
    expect(read({ ...eu, organization: "acme" }).organization).toBe("eu");
  });

  test("ignores VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN", () => {
    const env = { VOICEPLANE_BASE_URL: "https://other.example.com", VOICEPLANE_TOKEN: "env-token" };
    expect(read(eu, env).client).toEqual({ ...right, allowInsecureHttp: false });
  });

  test("reads the variable with its own name, which wins over its token", () => {
    expect(read(eu, { VOICEPLANE_TOKEN_EU: "eu-token" }).client.token).toBe("eu-token");
    expect(read({ ...eu, providerName: "us" }, { VOICEPLANE_TOKEN_EU: "eu-token" }).client.token).toBe("config-token");
  });

  test("names its own name in the error about a missing setting", () => {
    expect(read({ providerName: "eu-west" }).problems).toEqual([
      'no base URL: give the Provider "eu-west" a baseUrl or set VOICEPLANE_BASE_URL_EU_WEST',
      'no token: give the Provider "eu-west" a token or set VOICEPLANE_TOKEN_EU_WEST',
    ]);
  });
});

test.each([
  ["eu", "VOICEPLANE_TOKEN_EU"],
  ["eu-west.1", "VOICEPLANE_TOKEN_EU_WEST_1"],
  ["Büro 2", "VOICEPLANE_TOKEN_B_RO_2"],
])("the name %j names the variable %s", (providerName, variable) => {
  expect(tokenVariableOf(providerName)).toBe(variable);
});

test("problems of the address and the token are those of the client, without the value, which may be a misplaced token", () => {
  expect(read({ baseUrl: "ftp://canary.example.com", token: "canary 1" }).problems).toEqual([
    "The base URL has a scheme that is not HTTP; it should begin with https://.",
    expect.not.stringContaining("canary"),
  ]);
});

test("plain http is accepted for this machine, and elsewhere if it is allowed", () => {
  expect(read({ ...right, baseUrl: "http://localhost:4010" }).problems).toEqual([]);
  const baseUrl = "http://intranet.example.com";
  for (const allowInsecureHttp of ["true", true, unknown])
    expect(read({ ...right, baseUrl, allowInsecureHttp }).problems).toEqual([]);
  expect(read({ ...right, baseUrl, allowInsecureHttp: "false" }).problems).toHaveLength(1);
});

test("an address or token that is not known yet is accepted in a preview", () => {
  expect(read({ providerName: "eu", baseUrl: unknown, token: "t" }).problems).toEqual([]);
  expect(read({ providerName: "eu", baseUrl: "https://api.example.com", token: unknown }).problems).toEqual([]);
});

describe("two explicit providers whose names stand for one variable", () => {
  /** The notes of a run, which two provider processes share. */
  const sharedNotes = singleProcessRun;
  const clash =
    'the Providers "eu-1" and "eu_1" would both take their token from VOICEPLANE_TOKEN_EU_1: ' +
    "rename one of them: only letters and digits count, and not their case";
  const settings = (providerName: string) => read({ ...right, providerName });

  test("are refused when the second is declared, whether or not the variable is set", () => {
    const run = sharedNotes();
    const declared = (providerName: string) => {
      noteProvider(run, "declared", providerName);
      return providerProblem(run, "declared", providerName);
    };
    expect(["eu-1", "eu-1", "us", "eu_1"].map(declared)).toEqual([undefined, undefined, undefined, clash]);
  });

  test.each(["VOICEPLANE_TOKEN_EU_1", "VOICEPLANE_BASE_URL_EU_1"])("send no request while %s is set", (variable) => {
    const run = sharedNotes();
    noteProvider(run, "used", "eu-1");
    expect(requestProblems(run, settings("eu-1"), { [variable]: "x" })).toEqual([]);
    noteProvider(run, "used", "eu_1");
    expect(requestProblems(run, settings("eu_1"), { [variable]: "x" })).toEqual([clash]);
    expect(requestProblems(run, settings("eu-1"), { [variable]: "x" })).toHaveLength(1);
    // So that a state with both can still be destroyed.
    expect(requestProblems(run, settings("eu_1"), { [variable]: "", VOICEPLANE_TOKEN: "x" })).toEqual([]);
  });

  test("of which only the state has one do not keep the other from being declared", () => {
    const run = sharedNotes();
    noteProvider(run, "used", "eu_1");
    noteProvider(run, "declared", "eu-1");
    expect(providerProblem(run, "declared", "eu-1")).toBeUndefined();
  });

  test("whatever their names are, are told apart", () => {
    const run = sharedNotes();
    noteProvider(run, "declared", 'a "\n b');
    expect(providerProblem(run, "declared", 'A "\n b')).toContain('a "\n b');
  });
});

test.each([
  [
    {},
    {},
    "The token is the one of the configuration, or of the state in a refresh or destroy. VOICEPLANE_TOKEN wins over it.",
  ],
  [{}, { VOICEPLANE_TOKEN: "t" }, "The token is from VOICEPLANE_TOKEN, which wins over the configuration."],
  [
    { providerName: "eu" },
    {},
    'The token is the one of the Provider "eu", or of the state in a refresh or delete. VOICEPLANE_TOKEN_EU wins over it.',
  ],
  [
    { providerName: "eu" },
    { VOICEPLANE_TOKEN_EU: "t" },
    'The token is from VOICEPLANE_TOKEN_EU, which wins over the Provider "eu".',
  ],
])("where the token came from is known, and what wins: %j %j", (config, env, source) => {
  expect(read({ ...right, ...config }, env).tokenSource).toBe(source);
});

describe("a range in NO_PROXY, which the client does not read,", () => {
  const env = { HTTPS_PROXY: "http://proxy:3128", NO_PROXY: "localhost, 10.0.0.0/8" };
  const warning =
    "NO_PROXY has the range 10.0.0.0/8, which is not read: requests to 10.1.2.3 go through the proxy of HTTPS_PROXY. Add 10.1.2.3 to NO_PROXY.";

  test.each([
    ["is named if it has the address", "https://10.1.2.3/eu", env, [warning]],
    ["is left alone if the address is not in it", "https://192.0.2.1", env, []],
    ["is left alone for a name", "https://api.example.com", env, []],
    [
      "is left alone if the address is in the list too",
      "https://10.1.2.3",
      { ...env, NO_PROXY: "10.0.0.0/8,10.1.2.3" },
      [],
    ],
    ["is left alone without a proxy", "https://10.1.2.3", { NO_PROXY: "10.0.0.0/8" }, []],
  ])("%s", (_what, baseUrl, variables, warnings) => {
    expect(read({ ...right, baseUrl }, variables).warnings).toEqual(warnings);
  });
});
