import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { gzipSync } from "node:zlib";
import { startControlPlane, type ControlPlane } from "../../../../../src/control-plane/index";
import { listen as listenOn } from "../../../../support/listen";
import { certificate, privateKey } from "../../../../support/client/certificate";
import { examined, pulumiWith, wholeProject, project } from "./project";

const closers: (() => Promise<unknown>)[] = [];
const variables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "NO_PROXY", "no_proxy"];
const outside = { ...process.env };

beforeEach(() => {
  for (const name of variables) Reflect.deleteProperty(process.env, name);
});
afterEach(async () => {
  process.env = { ...outside };
  await Promise.all(closers.splice(0).map((close) => close()));
});

async function controlPlane(): Promise<ControlPlane> {
  const plane = await startControlPlane();
  closers.push(() => plane.close());
  return plane;
}

async function listen(server: Server, host?: string): Promise<number> {
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return listenOn(server, host);
}

interface Canned {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

/** A server that answers every request alike. */
async function canned(status: number, body: string | Buffer, headers: Record<string, string> = {}): Promise<Canned> {
  const requests: IncomingMessage[] = [];
  const answer: RequestListener = (request, response) => {
    requests.push(request);
    response.writeHead(status, headers).end(body);
  };
  return { url: `http://127.0.0.1:${await listen(createServer(answer))}`, requests };
}

const token = "vp_dev_full";

/** The lines about the server and the token. */
async function lines(url: string, { bearer = token } = {}): Promise<string[]> {
  const all = await examined({ env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: bearer } });
  expect(all.join("\n")).not.toContain(bearer);
  return all.filter((line) => /^\w+ (server|token|scopes) /.test(line));
}

async function lineAbout(check: string, url: string): Promise<string | undefined> {
  const all = await examined({ env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token } });
  return all.find((line) => line.split(" ")[1] === check);
}

const unproven =
  "Write access was not tested, because testing it would change settings: organization retention permissions and the retention-policies entitlement, " +
  "organization networking permissions and the private-networking entitlement, the scope trunks:write, " +
  "the scope webhooks:write.";

const checkBaseUrl = "Check the base URL, its path included: it is the address that /v1/webhooks/ is appended to.";

test("a healthy setup has only ok lines, and sends one GET", async () => {
  const { url, control } = await controlPlane();
  const folder = project(wholeProject);
  const pulumi = pulumiWith({
    "config --json --stack=dev": { "voiceplane:organization": { value: "acme", secret: false } },
  });
  const all = await examined({
    folder,
    env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token },
    stack: "dev",
    pulumi,
  });
  expect(all).toEqual([
    "ok node Node 24.21.0",
    "ok engine Pulumi 3.259.0",
    `ok project ${folder}/Pulumi.yaml`,
    "ok sdk @pulumi/pulumi 3.270.0",
    "ok typescript no compiler is loaded: Pulumi.yaml says typescript: false",
    expect.stringMatching(/^ok package pulumi-voiceplane /),
    "ok organization no organization file: the program declares the resources itself",
    `ok settings ${url} from the environment, a token from the environment`,
    "ok address VOICEPLANE_BASE_URL of the environment, which no pull request can change",
    "ok state no objects",
    `ok server ${url} answers`,
    "ok token accepted",
    `ok scopes webhooks:read. ${unproven}`,
  ]);
  expect(control.journal().map(({ method, path, body }) => [method, path, body])).toEqual([
    ["GET", "/v1/webhooks/", null],
  ]);
});

describe("the token", () => {
  test("is a failure if the server refuses it", async () => {
    const { url } = await controlPlane();
    const [server, refused, ...others] = await lines(url, { bearer: "wrong-token" });
    expect(server).toBe(`ok server ${url} answers`);
    expect(refused).toMatch(
      /^failure token GET \/v1\/webhooks\/ was refused: 401 UNAUTHORIZED .*\. The server does not accept the token: /,
    );
    expect(others).toEqual([]);
  });

  test("is a warning if it lacks webhooks:read, because the rest works", async () => {
    const { url, tokens } = await controlPlane();
    const [server, scopes, ...others] = await lines(url, { bearer: tokens.withoutWebhooksRead });
    expect(server).toBe(`ok server ${url} answers`);
    expect(scopes).toMatch(
      /^warning scopes GET \/v1\/webhooks\/ was refused: 403 FORBIDDEN "credential scope required/,
    );
    expect(scopes).toContain(
      "Without webhooks:read, a refresh cannot see that a webhook is gone, and imports of webhooks, listWebhooks() and init --from-server fail. " +
        unproven,
    );
    expect(others).toEqual([]);
  });

  test("is a warning if the plan lacks webhooks", async () => {
    const { url } = await canned(402, '{"success":false,"error":{"code":"PAYMENT_REQUIRED","message":"no webhooks"}}');
    expect(await lines(url)).toEqual([
      `ok server ${url} answers`,
      expect.stringMatching(/^warning scopes GET \/v1\/webhooks\/ was refused: 402 PAYMENT_REQUIRED /),
    ]);
  });

  test("is a failure if the organization's network policy refuses the caller's address", async () => {
    const error = { code: "FORBIDDEN", message: "request source is blocked by organization network policy" };
    const { url } = await canned(403, JSON.stringify({ success: false, error }));
    expect((await lines(url)).at(-1)).toMatch(
      /^failure token .* 403 FORBIDDEN .*\. The organization's network policy does not admit this machine's address: change it from a machine that it admits\.$/,
    );
  });

  test("is not checked after a 429, and no second request is sent", async () => {
    const { url, requests } = await canned(429, "", { "Retry-After": "1" });
    expect((await lines(url)).at(-1)).toMatch(
      /^warning token .* 429.*\. It is not known whether the token is accepted: try again later\.$/,
    );
    expect(requests).toHaveLength(1);
  });
});

describe("a base URL that is not this API", () => {
  test.each([
    ["a web page", "<!doctype html><title>Welcome</title>"],
    ["text", "OK"],
    ["other JSON", '{"status":"up"}'],
    ["a number", "1"],
    ["nothing", ""],
  ])("%s: the token is not reported as accepted", async (_what, body) => {
    const { url } = await canned(200, body);
    expect(await lines(url)).toEqual([`failure server ${url} answers, but not as this API. ${checkBaseUrl}`]);
  });

  test("compressed JSON is read too", async () => {
    const { url } = await canned(200, gzipSync('{"success":true,"data":[]}'), { "Content-Encoding": "gzip" });
    expect(await lines(url)).toEqual([
      `ok server ${url} answers`,
      "ok token accepted",
      `ok scopes webhooks:read. ${unproven}`,
    ]);
  });

  test("another path", async () => {
    const { url } = await controlPlane();
    expect(await lines(`${url}/prefix`)).toEqual([
      expect.stringMatching(
        /^failure server GET \/v1\/webhooks\/ was refused: 404 .*\. There is no such path on this server: check the base URL/,
      ),
    ]);
  });

  test("a redirect is not followed", async () => {
    const other = await canned(200, '{"success":true,"data":[]}');
    const { url } = await canned(301, "", { Location: `${other.url}/login?next=1` });
    const [line, ...others] = await lines(url);
    expect(line).toContain(`. The server redirects to ${other.url}/login. Redirects are not followed`);
    expect(others).toEqual([]);
    expect(other.requests).toEqual([]);
  });
});

test("an answer without a list, which the interface allows, is no failure", async () => {
  const { url } = await canned(200, '{"success":true,"data":null}');
  expect(await lines(url)).toEqual([
    `warning server ${url} answers, and no list of webhooks is found in the answer. ${checkBaseUrl} If it is right, ` +
      "a refresh cannot see that a webhook is gone, and no webhook can be imported.",
  ]);
});

describe("a server with an error", () => {
  test.each([[500], [502], [503]])("%d is a failure, and is not retried", async (status) => {
    const { url, requests } = await canned(status, "");
    expect(await lines(url)).toEqual([`failure server GET /v1/webhooks/ failed: ${status}`]);
    expect(requests).toHaveLength(1);
  });

  test("a refused connection is a failure", async () => {
    const server = createServer();
    const port = await listen(server);
    await closers.pop()?.();
    const url = `http://127.0.0.1:${port}`;
    expect(await lines(url)).toEqual([
      `failure server ${url} cannot be used: GET /v1/webhooks/ was not sent: connect ECONNREFUSED 127.0.0.1:${port}. ` +
        "Check the base URL's host and port, and that the service runs.",
    ]);
  });

  test("a truncated answer is a failure", async () => {
    const cut: RequestListener = (_request, response) => {
      response.writeHead(200, { "Content-Length": "100" });
      response.write("{", () => response.destroy());
    };
    const url = `http://127.0.0.1:${await listen(createServer(cut))}`;
    expect(await lines(url)).toEqual([
      expect.stringMatching(/^failure server .* cannot be used: GET \/v1\/webhooks\/ got no usable answer: /),
    ]);
  });
});

describe("TLS", () => {
  async function tlsServer(): Promise<string> {
    const server = createTlsServer({ cert: certificate, key: privateKey }, (_request, response) => {
      response.end('{"success":true,"data":[]}');
    });
    return `https://127.0.0.1:${await listen(server)}`;
  }

  test("an untrusted certificate is a failure that says what to do", async () => {
    const url = await tlsServer();
    const line = await lineAbout("server", url);
    expect(line).toContain(
      `failure server ${url} cannot be used: GET /v1/webhooks/ was not sent: self-signed certificate`,
    );
    expect(line).toMatch(/set NODE_EXTRA_CA_CERTS to the authority's file\.$/);
  });

  test("a certificate that nobody checks is a failure before a request", async () => {
    const env = { VOICEPLANE_BASE_URL: await tlsServer(), VOICEPLANE_TOKEN: token, NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    expect((await examined({ env })).at(-1)).toMatch(
      /^failure server not asked: the server's certificate would not be checked/,
    );
  });
});

describe("a proxy", () => {
  /** A stack that allows plain http, so that a proxy receives the request itself. */
  const stack = {
    stack: "dev",
    pulumi: pulumiWith({
      "config --json --stack=dev": {
        "voiceplane:allowInsecureHttp": { value: "true", secret: false },
        "voiceplane:baseUrl": { value: "http://voice.test", secret: false },
      },
    }),
  };

  async function throughProxy(proxy: string): Promise<string | undefined> {
    Object.assign(process.env, { HTTP_PROXY: proxy });
    const all = await examined({ ...stack, env: { HTTP_PROXY: proxy, VOICEPLANE_TOKEN: token } });
    expect(all.join("\n")).not.toContain("hush-hush");
    return all.at(-1);
  }

  test("that cannot be reached is named as something to check", async () => {
    const server = createServer();
    const port = await listen(server);
    await closers.pop()?.();
    expect(await throughProxy(`http://user:hush-hush@127.0.0.1:${port}`)).toMatch(
      /^failure server http:\/\/voice\.test cannot be used: .* ECONNREFUSED .* The environment names a proxy: check HTTPS_PROXY, HTTP_PROXY and NO_PROXY\.$/,
    );
  });

  test("with an invalid URL is a failure that does not show its value", async () => {
    expect(await throughProxy("hush-hush")).toMatch(
      /^failure server http:\/\/voice\.test cannot be used: The environment variable HTTP_PROXY is not a proxy's URL, such as http:\/\/gateway\.example\.com:3128/,
    );
  });
});
