/** What the doctor says of the server and of the token, by one GET. */
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { listenInTest } from "../../../../support/after-test";
import { controlPlane } from "../../../../support/control-plane";
import { listen } from "../../../../support/listen";
import { certificate, privateKey } from "../../../../support/client/certificate";
import { exported, webhook } from "../../status/exports";
import { settingsProblems } from "../../../../../src/client/settings";
import { examined, project, pulumiWith, testFindings, wholeProject, type Examination } from "./project";

const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
const outside = { ...process.env };

beforeEach(() => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
});
afterEach(() => {
  process.env = { ...outside };
});

const at = (url: string, bearer = "vp_dev_full"): Examination => ({
  env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: bearer },
});

/** A server that answers every request alike. */
async function canned(status: number, body: string | Buffer, headers: Record<string, string> = {}) {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    response.writeHead(status, headers).end(body);
  };
  return { url: `http://127.0.0.1:${await listenInTest(createServer(answer))}`, requests };
}

const answering =
  (...answer: Parameters<typeof canned>) =>
  async () =>
    at((await canned(...answer)).url);
const empty = '{"success":true,"data":[]}';
const blocked = "request source is blocked by organization network policy";
const error = (code: string, message: string) => JSON.stringify({ success: false, error: { code, message } });

async function closedPort(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  return port;
}

async function tlsServer(): Promise<string> {
  const server = createTlsServer({ cert: certificate, key: privateKey }, (_request, response) => {
    response.end(empty);
  });
  return `https://127.0.0.1:${await listenInTest(server)}`;
}

/** A stack that allows plain http, so that a proxy receives the request itself. */
function throughProxy(proxy: string): Examination {
  Object.assign(process.env, { HTTP_PROXY: proxy });
  const values = {
    "voiceplane:organization": { value: "acme", secret: false },
    "voiceplane:allowInsecureHttp": { value: "true", secret: false },
    "voiceplane:baseUrl": { value: "http://voice.test", secret: false },
  };
  const pulumi = pulumiWith({ "config --json --stack=dev": values });
  return { stack: "dev", pulumi, env: { HTTP_PROXY: proxy, VOICEPLANE_TOKEN: "vp_dev_full" } };
}

testFindings("server", ["server"], {
  "a server and a token that work": async () => at((await controlPlane()).url),
  "a token that the server refuses": async () => at((await controlPlane()).url, "hush-hush"),
  "a token without webhooks:read: the rest works": async () =>
    at((await controlPlane()).url, "vp_dev_without_webhooks_read"),
  "a plan without webhooks": answering(402, error("PAYMENT_REQUIRED", "no webhooks")),
  "a network policy that refuses the caller's address": answering(403, error("FORBIDDEN", blocked)),
  "a rate limit": answering(429, "", { "Retry-After": "1" }),
  "a web page": answering(200, "<!doctype html><title>Welcome</title>"),
  text: answering(200, "OK"),
  "other JSON": answering(200, '{"status":"up"}'),
  "a number": answering(200, "1"),
  "an empty answer": answering(200, ""),
  "an answer without a list, which the interface allows": answering(200, '{"success":true,"data":null}'),
  "an answer with another shape, which the interface allows": answering(
    200,
    '{"success":true,"data":{"wh_1":{"url":"x"}}}',
  ),
  "an answer without data, which the interface allows": answering(200, '{"success":true}'),
  "a page of the list": answering(200, '{"success":true,"data":{"webhooks":[{"id":42},{}],"next":"/2"}}'),
  "another path": async () => at(`${(await controlPlane()).url}/prefix`),
  "an error of the server": answering(500, ""),
  "a refused connection": async () => at(`http://127.0.0.1:${await closedPort()}`),
  "a certificate that nobody checks: nothing is sent": async () => ({
    env: { ...at((await tlsServer()).replace("127.0.0.1", "voice.test")).env, NODE_TLS_REJECT_UNAUTHORIZED: "0" },
  }),
  "a proxy that cannot be reached": async () => throughProxy(`http://user:hush-hush@127.0.0.1:${await closedPort()}`),
  "a proxy with an invalid URL": () => throughProxy("hush-hush"),
});

test("a healthy setup has only ok lines, sends one GET, and shows no token", async () => {
  const { url, control } = await controlPlane();
  const pulumi = pulumiWith({
    "config --json --stack=dev": { "voiceplane:organization": { value: "acme", secret: false } },
  });
  const lines = await examined({ ...at(url), stack: "dev", pulumi });
  expect(lines.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual(
    "node engine project sdk package organization state settings server".split(" ").map((check) => `ok ${check}`),
  );
  expect(lines.join()).not.toContain("vp_dev_full");
  expect(control.journal().map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v1/webhooks/", null],
  ]);
});

test("the doctor refuses an unchecked certificate as an update does", async () => {
  const env = {
    VOICEPLANE_BASE_URL: "https://voice.test",
    VOICEPLANE_TOKEN: "hush",
    NODE_TLS_REJECT_UNAUTHORIZED: "0",
  };
  expect((await examined({ env })).filter((line) => /^\w+ settings /.test(line))).toEqual([
    `problem settings ${settingsProblems({ baseUrl: "https://voice.test", token: "t" }, env)
      .map(({ text }) => text)
      .join()
      .replace(/\.$/, "")} [base-url]`,
  ]);
});

test("a webhook that the token does not list is named, declared or in the state, with any spelling of the others", async () => {
  const listed = '{"success":true,"data":{"webhooks":[{"id":"WH_1"},{"id":42}]}}';
  const { url } = await canned(200, listed);
  const adopted = (name: string, id: string, organization = "acme") =>
    webhook(name, { organization }, { organization, rotationState: "adopted" }, { id });
  const state = exported([adopted("pager", "42"), adopted("old", "wh_9"), adopted("other", "wh_8", "globex")]);
  const folder = project({
    ...wholeProject,
    "organization.yaml": "webhooks:\n  crm: { id: wh_2, onCreate: adopt }\n  billing: { id: wh_1, onCreate: adopt }\n",
  });
  const config = { "voiceplane:organization": { value: "acme", secret: false } };
  const pulumi = pulumiWith({ "config --json --stack=dev": config, "stack export --stack dev": state });
  const lines = await examined({ ...at(url), folder, stack: "dev", pulumi });
  expect(lines.filter((line) => line.startsWith("warning server"))).toEqual([
    "warning server crm is not in this token's list of webhooks. A wrong id, or another organization's token? [webhook-unlisted]",
    "warning server old is not in this token's list of webhooks. A wrong id, or another organization's token? [webhook-unlisted]",
  ]);
});

test.each([429, 503])("after a %d no second request is sent", async (status) => {
  const { url, requests } = await canned(status, "");
  await examined(at(url));
  expect(requests).toHaveLength(1);
});

test("a redirect is not followed", async () => {
  const other = await canned(200, empty);
  const { url } = await canned(301, "", { Location: `${other.url}/login?next=1` });
  expect((await examined(at(url))).at(-1)).toContain(
    `. The server redirects to ${other.url}/login. Redirects are not followed`,
  );
  expect(other.requests).toEqual([]);
});

test("a truncated answer and an untrusted certificate are problems, in Node's words", async () => {
  const cut: RequestListener = (_request, response) => {
    response.writeHead(200, { "Content-Length": "100" });
    response.write("{", () => response.destroy());
  };
  const url = `http://127.0.0.1:${await listenInTest(createServer(cut))}`;
  expect((await examined(at(url))).at(-1)).toMatch(
    /^problem server .* cannot be used: GET \/v1\/webhooks\/ got no usable answer: /,
  );
  expect((await examined(at(await tlsServer()))).at(-1)).toMatch(
    /^problem server .* was not sent: self-signed certificate.* set NODE_EXTRA_CA_CERTS to the authority's file\. \[not-sent\]$/,
  );
});
