/** The settings of a provider: what it reads from where, and what it says is wrong, without the value, which may be a misplaced token. */
import { readSettings, type ProviderSettings, type SettingsKey } from "../../../src/provider/settings.js";
import { unknown } from "../../support/native/wire";

type Config = Partial<Record<SettingsKey, unknown>>;
type Env = Record<string, string>;
const read = (config: Config, env: Env = {}) => inTexts(readSettings((key) => config[key], env));
const inTexts = ({ problems, ...settings }: ProviderSettings) => ({
  ...settings,
  problems: problems.map(({ text }) => text),
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
      problems: [],
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
  });

  test("says by its own name what is missing", () => {
    expect(problemsOf({ providerName: "eu-west" })).toEqual([
      'no base URL: give the Provider "eu-west" a baseUrl or set VOICEPLANE_BASE_URL_EU_WEST',
      'no token: give the Provider "eu-west" a token or set VOICEPLANE_TOKEN_EU_WEST',
    ]);
  });

  test.each(["eu_1", "EU", "eu.1", "Büro", "eu 1"])(
    "has no name like %j, which may stand for another one's variable",
    (name) => {
      expect(problemsOf({ ...eu, providerName: name })).toEqual([
        "the name of a Provider has lower-case letters, digits and hyphens, and nothing else",
      ]);
    },
  );

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
    'The token is the one of the Provider "eu", or of the state in a refresh or destroy. VOICEPLANE_TOKEN_EU wins over it.',
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
  expect(problemsOf({ ...right, baseUrl: canary })).toEqual([expect.stringMatching(/^The base URL is no absolute /)]);
});

test("problems of the address and the token are those of the client, without the value, which may be a misplaced token", () => {
  expect(problemsOf({ ...right, baseUrl: "ftp://canary.example.com", token: "canary 1" })).toEqual([
    "The base URL is no absolute http or https URL; it should look like https://api.example.com.",
    expect.not.stringContaining("canary"),
  ]);
});

test("plain http is accepted for this machine, and elsewhere if it is allowed", () => {
  expect(problemsOf({ ...right, baseUrl: "http://localhost:4010" })).toEqual([]);
  for (const allowInsecureHttp of ["true", true, unknown])
    expect(problemsOf({ ...intranet, allowInsecureHttp })).toEqual([]);
  expect(problemsOf({ ...intranet, allowInsecureHttp: "false" })).toEqual([insecure]);
});
