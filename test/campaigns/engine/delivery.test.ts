/** The receiver of examples/delivery under load, while the real engine rotates and hands over both secrets. */
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { receiver, type Secrets } from "../../../examples/delivery/receiver";
import { ids, organization, type TestOrganization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { afterTest, listenInTest } from "../../support/after-test";
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

interface Delivery {
  readonly body: string;
  readonly key: string;
}

/** With this many refused deliveries, the sender makes no new ones that are signed with the current secret. */
const backlog = 20;

/**
 * The platform's deliveries: two loops that run until stopped. One signs with the secret of that moment. The other
 * signs with the secret at the start, like a late delivery.
 */
class Sender {
  readonly accepted = { current: 0, late: 0 };
  readonly refused: (Delivery & { status: number })[] = [];
  #stopped = false;
  #onDelivery: (() => void)[] = [];
  readonly #lanes: Promise<unknown>;

  constructor(
    readonly url: string,
    platform: Platform,
  ) {
    const old = platform.secret;
    afterTest(() => (this.#stopped = true));
    const late = () => ({ kind: "late", key: old }) as const;
    const current = () =>
      this.refused.length >= backlog ? late() : ({ kind: "current", key: platform.secret } as const);
    this.#lanes = Promise.all([this.#send("current", current), this.#send("late", late)]);
    // stop() reports the rejection, unless the test failed before.
    this.#lanes.catch(() => undefined);
  }

  async deliver({ body, key }: Delivery): Promise<number> {
    const signature = createHmac("sha256", key).update(body).digest("hex");
    return (await fetch(this.url, { method: "POST", body, headers: { "x-signature": signature } })).status;
  }

  /** Resolves once the condition holds after a delivery. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition() && !this.#stopped) {
      const delivered = new Promise<void>((resolve) => this.#onDelivery.push(resolve));
      await Promise.race([delivered, this.#lanes]);
    }
  }

  /** Resolves once `count` more deliveries of each kind are accepted, or one is refused. */
  more(count: number): Promise<void> {
    const { current, late } = this.accepted;
    const accepted = () => this.accepted.current >= current + count && this.accepted.late >= late + count;
    return this.until(() => accepted() || this.refused.length > 0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#lanes;
  }

  async #send(lane: string, next: () => { kind: "current" | "late"; key: string }): Promise<void> {
    for (let number = 1; !this.#stopped; number++) {
      const { kind, key } = next();
      const delivery = { body: `${lane} ${number}`, key };
      const status = await this.deliver(delivery);
      if (status === 204) this.accepted[kind]++;
      else this.refused.push({ ...delivery, status });
      for (const resolve of this.#onDelivery.splice(0)) resolve();
    }
  }
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

interface Delivering {
  readonly platform: Platform;
  readonly store: Store;
  readonly stack: Project;
}

const files = { "secrets.mts": read("examples/delivery/secrets.ts") };

/**
 * Rotates by a change of the quarter during deliveries, and hands over both secrets in the same up or in the next one.
 */
async function rotateUnderLoad({ platform, store, stack }: Delivering, quarter: string, isStoreThere: boolean) {
  const clock = { now: 0 };
  const handled = new Set<string>();
  const handle = (body: Buffer) => Promise.resolve(void handled.add(body.toString()));
  const read = () => {
    store.reads++;
    return Promise.resolve(store.secrets);
  };
  const url = await open(receiver(read, handle, () => clock.now));
  const old = platform.secret;
  const handedOver = store.secrets;
  store.reads = 0;

  const sender = new Sender(url, platform);
  await sender.more(20);
  expect(sender.refused.length).toBe(0);

  // Before the secrets are handed over, new deliveries are refused. The first one makes the receiver read the old
  // secrets again.
  platform.onRotation = () => (clock.now += 1_000);
  store.beforeWrite = async () => {
    await sender.until(() => sender.refused.length >= backlog);
    return isStoreThere;
  };
  stack.program(rotating(quarter, store));
  const output = await stack.up({ fails: !isStoreThere });
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

  // Only deliveries signed with the new secret before the handover were refused, with a status that platforms retry.
  expect(sender.refused.map(({ key, status }) => [key === both.secret, status])).toEqual(
    Array(backlog).fill([true, 401]),
  );
  const early = sender.refused.splice(0);
  clock.now += 1_000;
  for (const delivery of early) expect(await sender.deliver(delivery)).toBe(204);
  for (const { body } of early) expect(handled).toContain(body);

  // After that, both secrets are accepted at once.
  await sender.more(20);
  await sender.stop();
  expect(sender.refused.length).toBe(0);
  expect(store.reads).toBe(3);

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

  await rotateUnderLoad({ platform, store, stack }, "2026-Q4", true);
  await rotateUnderLoad({ platform, store, stack }, "2027-Q1", false);
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
