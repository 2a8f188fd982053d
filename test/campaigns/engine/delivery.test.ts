/** The receiver of examples/delivery, while the real engine rotates and hands over both secrets. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { receiver, type Secrets } from "../../../examples/delivery/receiver";
import { ids, organization, type TestOrganization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { listenInTest } from "../../support/after-test";
import { read } from "../../support/repository";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

async function open(server: Server): Promise<string> {
  return `http://127.0.0.1:${await listenInTest(server)}`;
}

function serve(answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>): Promise<string> {
  return open(createServer((request, response) => void answer(request, response)));
}

interface Platform {
  readonly organization: TestOrganization;
  /** That of the last rotation, with which it signs even before the answer arrives. */
  secret: string;
  onRotation: () => void;
}

async function startPlatform(): Promise<Platform> {
  const plane = await organization();
  const url = await serve(async ({ method = "", url: path = "", headers }, response) => {
    const { authorization = "" } = headers;
    const answer = await fetch(plane.url + path, { method, headers: { authorization } });
    const body = await answer.text();
    if (path.endsWith("/rotate-secret")) {
      platform.secret = (JSON.parse(body) as { data: { signing_secret: string } }).data.signing_secret;
      platform.onRotation();
    }
    response.writeHead(answer.status, { "content-type": "application/json" }).end(body);
  });
  const platform: Platform = { organization: { ...plane, url }, secret: "", onRotation: () => undefined };
  return platform;
}

/** What the stack writes to and the receiver reads from. */
interface Store {
  readonly url: string;
  secrets: Secrets;
  reads: number;
  /** Resolves to false while the store is unavailable. */
  beforeWrite: () => Promise<boolean>;
}

async function startStore(): Promise<Store> {
  const url = await serve(async (request, response) => {
    const secrets = JSON.parse(await text(request)) as Secrets;
    const takes = await store.beforeWrite();
    if (takes) store.secrets = secrets;
    response.writeHead(takes ? 204 : 503).end();
  });
  const store: Store = { url, secrets: {}, reads: 0, beforeWrite: () => Promise.resolve(true) };
  return store;
}

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

const rotating = (quarter: string, { url }: Store) => program(`triggers: { quarter: "${quarter}" }`, url);

const files = { "secrets.mts": read("examples/delivery/secrets.ts") };

/** A new receiver that reads from the store, and deliveries to it, many at once. */
async function startReceiver(store: Store) {
  const clock = { now: 0 };
  const handled = new Set<string>();
  const read = () => {
    store.reads++;
    return Promise.resolve(store.secrets);
  };
  const handle = (body: Buffer) => Promise.resolve(void handled.add(body.toString()));
  store.reads = 0;
  const url = await open(receiver(read, handle, () => clock.now));
  const deliver = async (body: string, key: string): Promise<number> => {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    return (await fetch(url, { method: "POST", body, headers: { "x-signature": signature } })).status;
  };
  /** The statuses of ten deliveries with these names that are signed with this secret, each status once. */
  const statuses = async (name: string, key: string): Promise<number[]> => {
    const all = Array.from({ length: 10 }, (_, number) => deliver(`${name} ${number}`, key));
    return [...new Set(await Promise.all(all))];
  };
  return { clock, handled, statuses };
}

interface Delivering {
  readonly platform: Platform;
  readonly store: Store;
  readonly stack: Project;
}

/** Rotates by a change of the quarter, and hands over both secrets in the same up or in the next one. */
async function rotate({ platform, store, stack }: Delivering, quarter: string, isStoreThere: boolean) {
  const { clock, handled, statuses } = await startReceiver(store);
  const old = platform.secret;
  const handedOver = store.secrets;
  expect(await statuses("before", old)).toEqual([204]);

  // Before the secrets are handed over, new deliveries are refused with a status that platforms retry, and late ones are not. The
  // first new one makes the receiver read the old secrets again.
  platform.onRotation = () => (clock.now += 1_000);
  let between: number[][] = [];
  store.beforeWrite = async () => {
    between = await Promise.all([statuses("early", platform.secret), statuses("late", old)]);
    return isStoreThere;
  };
  stack.program(rotating(quarter, store));
  const output = await stack.up({ fails: !isStoreThere });
  expect(between).toEqual([[401], [204]]);
  const both = { secret: platform.secret, previousSecret: old };
  expect(both.secret).not.toBe(old);
  expect(store.secrets).toEqual(isStoreThere ? both : handedOver);
  store.beforeWrite = () => Promise.resolve(true);
  if (!isStoreThere) {
    expect(output).toContain("the store answers 503");
    await stack.up();
    expect(store.secrets).toEqual(both);
  }
  expect(platform.organization.requests()).toEqual([rotation]);
  expect(store.reads).toBe(2);

  // What was refused is accepted once it is delivered again, and both secrets are from then on.
  clock.now += 1_000;
  expect(handled).not.toContain("early 0");
  expect(await statuses("early", both.secret)).toEqual([204]);
  expect(await statuses("late again", old)).toEqual([204]);
  for (const name of ["before", "early", "late", "late again"]) expect(handled).toContain(`${name} 9`);
  expect([handled.size, store.reads]).toEqual([40, 3]);

  const everything = stack.everything();
  expect([old, both.secret].map((secret) => everything.includes(secret))).toEqual([false, false]);
}

test("no delivery is refused for good when the same up hands over both secrets, or when the next up does because the store was unavailable", async () => {
  const platform = await startPlatform();
  const store = await startStore();
  const stack = await project({
    organization: platform.organization,
    files,
    program: rotating("2026-Q3", store),
  });
  await stack.up();
  expect(store.secrets).toEqual({ secret: platform.secret });
  expect(platform.organization.requests()).toEqual([rotation]);

  await rotate({ platform, store, stack }, "2026-Q4", true);
  await rotate({ platform, store, stack }, "2027-Q1", false);
});

test("the unknown secret of an adopted webhook is not passed on, and the run says so in one line", async () => {
  const store = await startStore();
  const stack = await project({ files, program: program('onCreate: "adopt"', store.url) });
  const output = await stack.up({ fails: true });
  expect(output).toContain(
    "The secret of webhook c0000000-0000-4000-8000-000000000001 is not known (rotationState: adopted), so nothing was passed " +
      "to its receivers. Set initialSecret, or change triggers to rotate it.\n",
  );
  expect(output).not.toMatch(/^at /m);
  expect([Object.keys(stack.state()), store.secrets]).toEqual([["crm"], {}]);
});
