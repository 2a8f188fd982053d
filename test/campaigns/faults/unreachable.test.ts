/** Control planes that cannot be reached, each for another reason, with the real engine. */
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { certificate, privateKey } from "../../support/client/certificate";
import { project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { diagnosticsOf } from "../../support/faults/diagnostics";
import { listenInTest } from "../../support/after-test";

/** A port where nothing listens, and that nobody else gets: it is the near end of a connection. */
async function closedPort(): Promise<number> {
  const socket = connect(await listenInTest(createServer()), "127.0.0.1");
  await once(socket, "connect");
  return socket.localPort ?? 0;
}

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a request that certainly was not sent is retried, reported with its cause, and sent by the next up",
  async (provider) => {
    const seen: string[] = [];
    const proxy = await listenInTest(
      createServer((socket) => {
        socket.once("data", (data) => {
          seen.push(data.toString().split("\r\n", 1)[0] ?? "");
          socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n");
        });
      }),
    );
    const secure = await listenInTest(
      createTlsServer({ key: privateKey, cert: certificate }).on("tlsClientError", () => undefined),
    );
    const addresses = {
      "dns-failure": "https://control-plane.invalid",
      "connection-refused": `http://127.0.0.1:${await closedPort()}`,
      "tls-error": `https://127.0.0.1:${secure}`,
      "proxy-refuses": "https://control-plane.test",
    } as const;
    const names = Object.keys(addresses) as (keyof typeof addresses)[];
    const webhooks = names.map((name, index) => ({ name, id: `c2000000-0000-4000-8000-00000000000${index}` }));
    const program = (addresses: Readonly<Record<string, string>>) => `
    const addresses = ${JSON.stringify(addresses)};
    for (const { name, id } of ${JSON.stringify(webhooks)})
      new WebhookSecret(name, { webhookId: id, onCreate: "rotate" }, {
        provider: new Provider(name + "-org", { baseUrl: addresses[name], token: "vp_dev_full" }),
      });
    new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });`;
    const stack = await project({
      env: { HTTPS_PROXY: `http://127.0.0.1:${proxy}`, NO_PROXY: "control-plane.invalid" },
    });
    stack[provider](program(addresses));
    const { control, url } = stack.organization;
    control.seed({ webhooks: webhooks.map(({ id }) => ({ id, url: "https://example.com/voice" })) });
    const { code, stdout } = await stack.startUp({ flags: ["--continue-on-error"] }).finished;
    expect(code).not.toBe(0);
    const diagnostics = Object.fromEntries(names.map((name) => [name, diagnosticsOf(stdout, name)]));
    for (const name of names) expect(diagnostics[name]).toMatch(/rotate-secret was not sent: .*\(7 attempts\)/);
    expect(diagnostics["dns-failure"]).toContain("getaddrinfo ENOTFOUND control-plane.invalid");
    expect(diagnostics["connection-refused"]).toContain("ECONNREFUSED");
    expect(diagnostics["tls-error"]).toContain("NODE_EXTRA_CA_CERTS");
    expect(diagnostics["proxy-refuses"]).toContain("add it to NO_PROXY");
    expect(seen).toEqual(Array(7).fill("CONNECT control-plane.test:443 HTTP/1.1"));
    expect(Object.keys(stack.state())).toEqual(["recordings"]);
    expect(control.journal().map(({ method }) => method)).toEqual(["PUT"]);
    await expectSound(stack);

    stack[provider](program(Object.fromEntries(names.map((name) => [name, url]))));
    await stack.up();
    for (const { name } of webhooks) expect(stack.state()[name]?.outputs).toMatchObject({ rotationCount: 1 });
    expectCurrentSecret(stack, "proxy-refuses");
    expect(Object.values(rotationsOf(stack))).toEqual([1, 1, 1, 1]);
  },
);
