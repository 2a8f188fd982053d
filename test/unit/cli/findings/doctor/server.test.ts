import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { networkInterfaces } from "node:os";
import * as tls from "node:tls";
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
async function lines(url: string, { bearer = token, now = Date.now } = {}): Promise<string[]> {
  const all = await examined({ env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: bearer }, now });
  expect(all.join("\n")).not.toContain(bearer);
  return all.filter((line) => /^\w+ (server|token|scopes) /.test(line));
}

async function lineAbout(check: string, url: string, world: { now?: () => number } = {}): Promise<string | undefined> {
  const all = await examined({ env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token }, ...world });
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
  const all = await examined({ folder, env: { VOICEPLANE_BASE_URL: url, VOICEPLANE_TOKEN: token } });
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
    "ok proxy none",
    "ok tls none, and none needed: requests do not leave this machine",
    "ok clock within a minute of the server's",
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
    ["a web page", "<!doctype html><title>Welcome</title>", "failure", "but with a web page: this is not the API"],
    ["text", "OK", "failure", "but with something that is not JSON: this is not the API"],
    ["other JSON", '{"status":"up"}', "failure", "but with JSON that is not this API's"],
    ["a number", "1", "failure", "but with JSON that is not this API's"],
    ["nothing", "", "warning", "but with nothing"],
  ])("%s: the token is not reported as accepted", async (_what, body, status, message) => {
    const { url } = await canned(200, body);
    expect(await lines(url)).toEqual([`${status} server ${url} answers, ${message}. ${checkBaseUrl}`]);
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

describe("an answer that the interface allows is no failure", () => {
  test("no list", async () => {
    const { url } = await canned(200, '{"success":true,"data":null}');
    expect(await lines(url)).toEqual([
      `ok server ${url} answers`,
      "ok token accepted",
      "warning server no list of webhooks is found in the answer. So a refresh cannot see that a webhook is gone, and no webhook can be imported.",
      `ok scopes webhooks:read. ${unproven}`,
    ]);
  });

  test("a list without the envelope", async () => {
    const { url } = await canned(200, "[]");
    expect((await lines(url))[0]).toBe(
      `warning server ${url} answers, with a list, but not in this API's envelope. ${checkBaseUrl}`,
    );
  });
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

describe("the clock", () => {
  const noon = Date.UTC(2026, 10, 20, 12);
  const dated = async () => canned(200, '{"success":true,"data":[]}', { Date: "Fri, 20 Nov 2026 12:00:00 GMT" });
  const advice = "Set it: rotateAfter and reassertAfter use the clock of the machine that runs `pulumi up`.";

  test.each([
    ["a minute ahead", noon + 60_000, "ok clock within a minute of the server's"],
    ["a minute behind", noon - 60_000, "ok clock within a minute of the server's"],
    ["95 s ahead", noon + 95_000, `warning clock this machine's clock is 95 s ahead of the server's. ${advice}`],
    ["an hour behind", noon - 3_600_000, `warning clock this machine's clock is 3600 s behind the server's. ${advice}`],
    [
      "91 days ahead",
      noon + 91 * 86_400_000,
      `warning clock this machine's clock is 91 days ahead of the server's. ${advice}`,
    ],
  ])("of a machine that is %s is compared with the server's", async (_name, now, line) => {
    const { url } = await dated();
    expect(await lineAbout("clock", url, { now: () => now })).toBe(line);
  });

  test("a server that sends no date is skipped", async () => {
    const { url } = await canned(200, "", { Date: "soon" });
    expect(await lineAbout("clock", url)).toBe(
      "warning clock the answer has no Date header to compare this machine's clock with",
    );
  });
});

describe("TLS", () => {
  async function tlsServer(): Promise<string> {
    const server = createTlsServer({ cert: certificate, key: privateKey }, (_request, response) => {
      response.end('{"success":true,"data":[]}');
    });
    return `https://127.0.0.1:${await listen(server)}`;
  }

  function trust(): void {
    const before = tls.getCACertificates("default");
    tls.setDefaultCACertificates([...before, certificate]);
    closers.push(() => {
      tls.setDefaultCACertificates(before);
      return Promise.resolve();
    });
  }

  test("an untrusted certificate is a failure that says what to do", async () => {
    const url = await tlsServer();
    const line = await lineAbout("tls", url);
    expect(line).toContain(
      `failure tls ${url} cannot be used: GET /v1/webhooks/ was not sent: self-signed certificate`,
    );
    expect(line).toMatch(/set NODE_EXTRA_CA_CERTS to the authority's file\.$/);
  });

  test("a trusted certificate is shown with its expiry date", async () => {
    trust();
    expect(await lineAbout("tls", await tlsServer())).toBe("ok tls TLSv1.3, the certificate is valid until 2126-10-28");
  });

  test("a certificate that expires within two weeks is a warning", async () => {
    trust();
    const now = () => Date.UTC(2126, 9, 15);
    expect(await lineAbout("tls", await tlsServer(), { now })).toBe(
      "warning tls TLSv1.3, the certificate is valid until 2126-10-28. Ask the server's operator to renew it.",
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

  async function throughProxy(proxy: string, env: Record<string, string> = {}): Promise<string[]> {
    Object.assign(process.env, { HTTP_PROXY: proxy, ...env });
    const seen = { HTTP_PROXY: proxy, VOICEPLANE_TOKEN: token, ...env };
    const all = await examined({ ...stack, env: seen });
    expect(all.join("\n")).not.toContain("hush-hush");
    return all.slice(all.findIndex((line) => line.split(" ")[1] === "proxy"));
  }

  test("in use is named without its password, and plain http to another machine is a warning", async () => {
    const { url, requests } = await canned(200, '{"success":true,"data":[]}');
    const port = new URL(url).port;
    expect((await throughProxy(`http://user:hush-hush@127.0.0.1:${port}`)).slice(0, 2)).toEqual([
      `ok proxy using the proxy 127.0.0.1:${port} of the environment`,
      "warning tls none: anyone between this machine and the server can read the token. Use an https:// address.",
    ]);
    expect(requests.map(({ url: target }) => target)).toEqual(["http://voice.test/v1/webhooks/"]);
  });

  test("that cannot be reached is named as the first thing to check", async () => {
    const server = createServer();
    const port = await listen(server);
    await closers.pop()?.();
    expect((await throughProxy(`http://127.0.0.1:${port}`)).at(-1)).toBe(
      `failure server http://voice.test cannot be used through 127.0.0.1:${port}: GET /v1/webhooks/ was not sent: ` +
        `connect ECONNREFUSED 127.0.0.1:${port}. Check the proxy of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY), ` +
        "and whether it may reach that address.",
    );
  });

  const addresses = Object.values(networkInterfaces()).flatMap((some) => some ?? []);
  const hasIPv6 = addresses.some(({ address }) => address === "::1");
  const why = hasIPv6 ? "" : ": NOT CHECKED, because this machine has no IPv6 loopback";

  (hasIPv6 ? test : test.skip)(`is not reported for a server at an IPv6 address${why}`, async () => {
    const answer: RequestListener = (_request, response) => void response.end('{"success":true,"data":[]}');
    const port = await listen(createServer(answer), "::1");
    const url = `http://[::1]:${port}`;
    expect(await lineAbout("proxy", url)).toBe("ok proxy none");
    expect(await lineAbout("server", url)).toBe(`ok server ${url} answers`);
    expect((await throughProxy(url))[0]).toBe(`ok proxy using the proxy [::1]:${port} of the environment`);
  });

  test("that is not used for this address is mentioned", async () => {
    expect((await throughProxy("http://127.0.0.1:9", { NO_PROXY: "voice.test" }))[0]).toBe(
      "ok proxy none for this address, although the environment names one",
    );
  });

  test("with an invalid URL is a failure that does not show its value", async () => {
    const [line, ...others] = await throughProxy("hush-hush");
    expect(line).toBe(
      "failure proxy The environment variable HTTP_PROXY is not a proxy's URL, such as http://gateway.example.com:3128",
    );
    expect(others).toEqual([]);
  });
});
