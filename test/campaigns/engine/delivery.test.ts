/** The receiver of examples/delivery, while the real engine rotates and hands over both secrets. test/campaigns/docs/rotation.test.ts has its rules. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { read } from "../../support/docs/documents";
import { exampleReceiver, type Secrets } from "../../support/docs/receiver";
import { ids, organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { listen } from "../../support/listen";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function open(server: Server): Promise<string> {
  servers.push(server);
  return `http://127.0.0.1:${await listen(server)}`;
}

const serve = (answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> =>
  open(createServer((request, response) => void answer(request, response)));

/** A platform that signs with the secret of its last rotation, even before the answer arrives. */
async function startPlatform() {
  const plane = await organization();
  const signing = { secret: "" };
  const url = await serve(async ({ method = "", url: path = "", headers }, response) => {
    const { authorization = "" } = headers;
    const answer = await fetch(plane.url + path, { method, headers: { authorization } });
    const body = await answer.text();
    const { data } = JSON.parse(body) as { data: { signing_secret: string } };
    if (path.endsWith("/rotate-secret")) signing.secret = data.signing_secret;
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  return { organization: { ...plane, url }, signing };
}

/** The store that the stack writes to and the receiver reads from. */
async function startStore() {
  const store = { secrets: {} as Secrets, isThere: true, beforeWrite: () => Promise.resolve() };
  const url = await serve(async (request, response) => {
    const secrets = JSON.parse(await text(request)) as Secrets;
    await store.beforeWrite();
    if (store.isThere) store.secrets = secrets;
    response.writeHead(store.isThere ? 204 : 503).end();
  });
  return { store, url };
}

const files = { "secrets.mts": read("examples/delivery/secrets.ts") };

/** Hands the result of the recipes' own function to the test's store. */
const program = (args: string, url: string) => `
  const { dynamic, jsonStringify } = require("@pulumi/pulumi");
  const { secretsOf } = require("./secrets.mts");
  const write = async ({ url, secrets }) => {
    const { status } = await fetch(url, { method: "PUT", body: secrets });
    if (status !== 204) throw new Error("the store answers " + status);
    return { url, secrets };
  };
  const provider = {
    create: async (inputs) => ({ id: "store", outs: await write(inputs) }),
    update: async (_id, _olds, inputs) => ({ outs: await write(inputs) }),
  };
  const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", ${args} });
  const secrets = jsonStringify(secretsOf(crm));
  new (class Receivers extends dynamic.Resource {})(provider, "receivers", { url: "${url}", secrets });`;

test("no delivery is refused for good when the same up hands over both secrets, or when the next up does because the store was unavailable", async () => {
  const { organization, signing } = await startPlatform();
  const { store, url } = await startStore();
  const rotating = (quarter: string) => program(`triggers: { quarter: "${quarter}" }`, url);
  const stack = await project({ organization, files, program: rotating("2026-Q3") });
  await stack.up();
  expect(store.secrets).toEqual({ secret: signing.secret });
  expect(organization.requests()).toEqual([rotation]);

  const clock = { now: 0 };
  const load = () => Promise.resolve(store.secrets);
  const receiver = await open(
    exampleReceiver()(
      load,
      () => Promise.resolve(),
      () => clock.now,
    ),
  );
  const deliver = async (key: string): Promise<number> => {
    const headers = { "x-signature": createHmac("sha256", key).update("event").digest("hex") };
    return (await fetch(receiver, { method: "POST", body: "event", headers })).status;
  };
  for (const [quarter, isThere] of [
    ["2026-Q4", true],
    ["2027-Q1", false],
  ] as const) {
    const old = signing.secret;
    expect(await deliver(old)).toBe(204);
    clock.now += 1_000;

    // Before the secrets are handed over, new deliveries are refused, with a status that platforms retry, and late ones are not.
    const early: number[][] = [];
    store.beforeWrite = async () => {
      early.push([await deliver(signing.secret), await deliver(old)]);
    };
    store.isThere = isThere;
    stack.program(rotating(quarter));
    const output = await stack.up({ fails: !isThere });
    if (!isThere) {
      expect(output).toContain("the store answers 503");
      store.isThere = true;
      await stack.up();
    }
    expect(early).toEqual(Array(isThere ? 1 : 2).fill([401, 204]));
    expect(signing.secret).not.toBe(old);
    expect(store.secrets).toEqual({ secret: signing.secret, previousSecret: old });
    expect(organization.requests()).toEqual([rotation]);

    clock.now += 1_000;
    expect([await deliver(signing.secret), await deliver(old)]).toEqual([204, 204]);
    expect([old, signing.secret].map((secret) => stack.everything().includes(secret))).toEqual([false, false]);
  }
});

test("the unknown secret of an adopted webhook is not passed on, and the run says so in one line", async () => {
  const { store, url } = await startStore();
  const stack = await project({ files, program: program('onCreate: "adopt"', url) });
  const output = await stack.up({ fails: true });
  expect(output).toContain(
    "The secret of webhook c0000000-0000-4000-8000-000000000001 is not known (rotationState: adopted), so nothing was passed " +
      "to its receivers. Set initialSecret, or change triggers to rotate it.\n",
  );
  expect(output).not.toMatch(/^at /m);
  expect([Object.keys(stack.state()), store.secrets]).toEqual([["crm"], {}]);
});
