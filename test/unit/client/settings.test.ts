import { Client } from "../../../src/client/client.js";
import { addressOf, settingsProblems } from "../../../src/client/settings.js";
import { readSettings } from "../../../src/provider/settings.js";

const token = "vp_test_4f9c1d7e2b";

const textsOf = (...given: Parameters<typeof settingsProblems>) => settingsProblems(...given).map(({ text }) => text);

describe("a base URL", () => {
  test.each([
    "https://api.example.com",
    "https://api.example.com/",
    "https://api.example.com:8443/voice/",
    "http://127.0.0.1:8080",
    "http://127.1",
    "http://localhost:3000/x",
    "http://[::1]:9",
  ])("may be %s", (baseUrl) => {
    expect(textsOf({ baseUrl, token })).toEqual([]);
  });

  test.each([
    ["", /is missing/],
    ["api.example.com", /not an absolute URL/],
    ["/v1", /not an absolute URL/],
    ["https://", /not an absolute URL/],
    ["ftp://api.example.com", /scheme that is not HTTP/],
    ["localhost:8080", /scheme that is not HTTP/],
    ["https://user:pass@api.example.com", /user name or password/],
    ["https://api.example.com?x=1", /query or fragment/],
    ["https://api.example.com/#top", /query or fragment/],
    ["https://api.example.com/?", /query or fragment/],
    ["http://api.example.com", /plain http to another machine/],
    ["http://127.0.0.1.example.com", /plain http to another machine/],
    ["http://0.0.0.0", /plain http to another machine/],
  ])("may not be %j", (baseUrl, problem) => {
    const problems = textsOf({ baseUrl, token });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
    expect(problems[0]).toMatch(/should|remove/);
  });

  test("may be plain http to another machine if that is allowed", () => {
    expect(textsOf({ baseUrl: "http://api.example.com", token, allowInsecureHttp: true })).toEqual([]);
  });
});

describe("a certificate that nobody checks", () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
  const baseUrl = "https://api.example.com";

  test("is refused, as plain http is, wherever the settings are read and where requests are sent", () => {
    const [problem = "", ...rest] = textsOf({ baseUrl, token }, env);
    expect(problem).toMatch(/^NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of the server's certificate/);
    expect(rest).toEqual([]);
    const read = (key: string) => ({ baseUrl, token, organization: "acme" })[key];
    expect(readSettings(read, env).problems).toEqual([expect.objectContaining({ text: problem })]);
    expect(() => new Client({ baseUrl, token }, { env })).toThrow(problem);
  });

  test.each([
    ["where that is allowed", { baseUrl, token, allowInsecureHttp: true }, env],
    ["of this machine itself", { baseUrl: "https://127.0.0.1:8443", token }, env],
    ["with another value", { baseUrl, token }, { NODE_TLS_REJECT_UNAUTHORIZED: "1" }],
  ])("is no problem %s", (_where, settings, variables) => {
    expect(textsOf(settings, variables)).toEqual([]);
  });
});

describe("a token", () => {
  test.each([
    ["", /is empty/],
    [`${token}\n`, /white space/],
    ["two words", /white space/],
    [`"${token}"`, /in quotes/],
    ["nul\u0000", /^The token has U\+0000, perhaps copied with it/],
    ["schlüssel", /cannot occur in an HTTP header/],
  ])("may not be %j, and is not repeated", (bad, problem) => {
    const [found, ...rest] = textsOf({ baseUrl: "https://api.example.com", token: bad });
    expect(found).toMatch(problem);
    expect(rest).toEqual([]);
    if (bad !== "") expect(found).not.toContain(bad);
  });

  test("in the place of the base URL is not repeated either", () => {
    expect(textsOf({ baseUrl: token, token: "" }).join("\n")).not.toContain(token);
  });
});

test("all problems come at once", () => {
  expect(textsOf({ baseUrl: "http://user@api.example.com?x", token: "" })).toHaveLength(4);
});

test("the default organization name is the same for every spelling of an address", () => {
  const spellings = ["https://API.example.com:443", "https://api.example.com/", "https://api.example.com//"];
  expect(new Set(spellings.map(addressOf))).toEqual(new Set(["https://api.example.com"]));
  expect(addressOf("https://api.example.com:8443/voice/")).toBe("https://api.example.com:8443/voice");
});
