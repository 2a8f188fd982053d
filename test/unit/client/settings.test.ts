import { Client } from "../../../src/client/client.js";
import { addressOf, settingsProblems } from "../../../src/client/settings.js";
import { readSettings } from "../../../src/provider/settings.js";

const token = "vp_test_4f9c1d7e2b";
const baseUrl = "https://api.example.com";

const textsOf = (...given: Parameters<typeof settingsProblems>) => settingsProblems(...given).map(({ text }) => text);

const noUrl = /is no absolute http or https URL; it should/;
const plain = /plain http to another machine/;

test.each<[baseUrl: string, problem: RegExp | undefined]>([
  ["https://api.example.com/", undefined],
  ["https://api.example.com:8443/voice/", undefined],
  ["http://127.1", undefined],
  ["http://localhost:3000/x", undefined],
  ["http://[::1]:9", undefined],
  ["", noUrl],
  ["api.example.com", noUrl],
  ["https://", noUrl],
  ["ftp://api.example.com", noUrl],
  ["\ufeffhttps://api.example.com", noUrl],
  ["https://user:pass@api.example.com", /user name or password/],
  ["https://api.example.com?x=1", /query or fragment/],
  ["https://api.example.com/?", /query or fragment/],
  ["http://api.example.com", plain],
  ["http://127.0.0.1.example.com", plain],
  ["http://0.0.0.0", plain],
])("the base URL %j has the problem %s", (given, problem) => {
  expect(textsOf({ baseUrl: given, token })).toEqual(problem ? [expect.stringMatching(problem)] : []);
});

test.each<[token: string, problem: RegExp]>([
  ["", /is empty/],
  ...[`${token}\n`, "two words", `"${token}"`, "nul\u0000", "schlüssel"].map((bad): [string, RegExp] => [
    bad,
    /white space, a quote at its start or a character that is not ASCII/,
  ]),
])("the token %j is refused, and not repeated", (bad, problem) => {
  expect(textsOf({ baseUrl, token: bad })).toEqual([expect.stringMatching(problem)]);
  if (bad !== "") expect(textsOf({ baseUrl: bad, token: bad }).join()).not.toContain(bad);
});

test("all problems come at once, from the client too", () => {
  const wrong = { baseUrl: "http://user@api.example.com?x", token: "" };
  expect(textsOf(wrong)).toHaveLength(4);
  for (const text of textsOf(wrong)) expect(() => new Client(wrong)).toThrow(text);
});

const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };

test("a certificate that nobody checks is refused, as plain http is", () => {
  const unchecked = /^NODE_TLS_REJECT_UNAUTHORIZED=0 turns off the check of the server's certificate/;
  expect(textsOf({ baseUrl, token }, env)).toEqual([expect.stringMatching(unchecked)]);
  const read = (key: string) => ({ baseUrl, token, organization: "acme" })[key];
  expect(readSettings(read, env).problems.map(({ text }) => text)).toEqual([expect.stringMatching(unchecked)]);
  expect(() => new Client({ baseUrl, token }, { env })).toThrow("NODE_TLS_REJECT_UNAUTHORIZED=0");
});

test.each([
  ["plain http, where it is allowed", { baseUrl: "http://api.example.com", token, allowInsecureHttp: true }, {}],
  ["no check, where it is allowed", { baseUrl, token, allowInsecureHttp: true }, env],
  ["no check of this machine itself", { baseUrl: "https://127.0.0.1:8443", token }, env],
  ["the check, set by its variable", { baseUrl, token }, { NODE_TLS_REJECT_UNAUTHORIZED: "1" }],
])("is no problem: %s", (_what, settings, variables) => {
  expect(textsOf(settings, variables)).toEqual([]);
});

test("the address is the same for every spelling of a base URL", () => {
  const spellings = ["https://API.example.com:443", "https://api.example.com/", "https://api.example.com//"];
  expect(new Set(spellings.map(addressOf))).toEqual(new Set(["https://api.example.com"]));
  expect(addressOf("https://api.example.com:8443/voice/")).toBe("https://api.example.com:8443/voice");
});
