/** Whatever a server answers, and whatever a verb throws, the engine gets one answer that its protocol can carry: from both providers. */
import type { ServiceError } from "@grpc/grpc-js";
import { Struct, type JavaScriptValue } from "google-protobuf/google/protobuf/struct_pb.js";
import fc from "fast-check";
import { defaultDeps, defaultLimits } from "../../../../src/client/settings.js";
import * as providers from "../../../../src/provider/dynamic/providers.js";
import { LostAnswerError } from "../../../../src/lifecycle/lost-answer.js";
import { resources, type ResourceType } from "../../../../src/resources/index.js";
import { anyCharacter } from "../../../support/properties";
import { startRawServer, type RawServer } from "../../../support/client/raw-server.js";
import { halfMadeIn, startPlugin, type TestPlugin } from "../../../support/native/plugin";
import type { Values } from "../../../support/native/wire";
import { property } from "../../../support/resources/property.js";

// A retry waits for nothing, so a 429 would be repeated as often as the deadline allows.
Object.assign(defaultDeps, { sleep: () => Promise.resolve() });
Object.assign(defaultLimits, { maxRateLimitedAttempts: 3 });

/** What the engine got: an error's message, with the state to keep if there is one, or a state. */
interface Answer {
  readonly message?: string;
  readonly reasons?: readonly string[];
  readonly state?: Values | undefined;
}

interface Resource {
  readonly type: ResourceType;
  readonly dynamic: typeof providers.webhookSecret;
  readonly inputs: Values;
}

const organization = { organization: "acme" };
const retention: Resource = {
  type: "RetentionPolicy",
  dynamic: providers.retentionPolicy,
  inputs: {
    ...organization,
    ...{ resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "retain" },
  },
};
const network: Resource = {
  type: "NetworkPolicy",
  dynamic: providers.networkPolicy,
  inputs: { ...organization, networkPolicyId: "np_1", onCreate: "overwrite", name: "Office" },
};

const trunk: Resource = {
  type: "TrunkOutboundAuth",
  dynamic: providers.trunkOutboundAuth,
  inputs: { ...organization, trunkId: "t_1", cleared: true },
};

let webhooks = 0;

/** Another one each time: a webhook whose rotation was lost is not rotated again in the same run. */
function newWebhook(): Resource {
  return {
    type: "WebhookSecret",
    dynamic: providers.webhookSecret,
    inputs: { ...organization, webhookId: `wh_${++webhooks}`, onCreate: "rotate" },
  };
}

const resourceOf: Record<ResourceType, () => Resource> = {
  RetentionPolicy: () => retention,
  NetworkPolicy: () => network,
  TrunkOutboundAuth: () => trunk,
  WebhookSecret: newWebhook,
};

let next: Buffer;
let server: RawServer;
let config: Record<string, string>;

beforeAll(async () => {
  server = await startRawServer([(socket) => socket.end(next)]);
  config = { baseUrl: server.baseUrl, token: "vp_test_4f9c1d7e2b", organization: "acme" };
  for (const { dynamic } of Object.values(resourceOf).map((make) => make())) {
    const get = (key: string) => config[key.replace("voiceplane:", "")];
    await dynamic.configure?.({ config: { get, require: (key) => get(key) ?? "" } });
  }
  jest.spyOn(console, "info").mockImplementation(expectFit);
  jest.spyOn(console, "warn").mockImplementation(expectFit);
});

afterAll(async () => {
  jest.restoreAllMocks();
  await server.close();
});

/** By the verb create of the plugin, over gRPC. */
async function overPlugin(plugin: TestPlugin, { type, inputs }: Resource): Promise<Answer> {
  const answer = await plugin.create(type, inputs).then(
    ({ state }): Answer => ({ state }),
    (error: unknown): Answer => ({ message: (error as ServiceError).details, ...halfMadeIn(error as ServiceError) }),
  );
  for (const { message } of plugin.engine.messages.splice(0)) expectFit(message);
  return answer;
}

type Failure = Error & { reasons?: string[]; properties?: Values };

/** By the dynamic provider's create, and what its host does with the result: it serializes it. */
async function overDynamic({ dynamic, inputs }: Resource): Promise<Answer> {
  const carried = (values: unknown): Values => {
    expectWhole(values);
    return Struct.deserializeBinary(
      Struct.fromJavaScript(values as Record<string, JavaScriptValue>).serializeBinary(),
    ).toJavaScript();
  };
  const made: { outs: Values } | Failure = await dynamic
    .create({ ...inputs, __provider: "x" })
    .then(({ outs }) => ({ outs: outs as Values }))
    .catch((error: unknown) => error as Failure);
  if ("outs" in made) return { state: carried(made.outs) };
  const { message, reasons, properties } = made;
  return { message, ...(reasons && { reasons }), ...(properties && { state: carried(properties) }) };
}

/** gRPC sends messages by `encodeURI`. */
function expectFit(text: string): void {
  expect(text.isWellFormed()).toBe(true);
  expect(text.length).toBeLessThanOrEqual(8100);
  expect(text).not.toMatch(/(?!\n)[\p{Cc}\u202e\u2066]/u);
  encodeURI(text);
}

/** `JSON.stringify` escapes halves of characters alone. */
function expectWhole(value: unknown): void {
  expect(JSON.stringify(value)).not.toMatch(/\\ud[89a-f]/);
}

const anyText = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom(
    ...[`${"x".repeat(299)}\u{1f600} more`, "\ud83d", "a\udc00b\ud800", "\u001b[2J\r::error::x", "\u202eabc\u2066"],
    ...["e\u0301".repeat(300), "\u{1f468}\u200d\u{1f469}".repeat(99), "y".repeat(70_000), "\u4e2d".repeat(9_000)],
  ),
);

/** As servers escape it: whole, or with each half of a character by itself. */
const json = (value: unknown): string =>
  JSON.stringify(value).replaceAll(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`);

const anyBody = fc.oneof(
  anyText.map((text) => Buffer.from(json({ success: false, error: { code: text, message: text } }))),
  anyText.map((text) => Buffer.from(json({ success: true, data: { signing_secret: text, [text]: text } }))),
  anyText.map((text) => Buffer.from(json({ success: true, data: { [text]: [text, { [text]: text }] } }))),
  anyText.map((text) => Buffer.from(text)),
  anyText.map((text) => Buffer.from(`<html><title>${text}</title>`, "utf16le")),
  fc.jsonValue({ maxDepth: 5 }).map((value) => Buffer.from(JSON.stringify({ data: value }))),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.from('{"data":{"__proto__":{"a":1},"constructor":2,"toString":3}}')),
  fc.constant(Buffer.alloc(5_000_000, "z")),
);

/** A header's value may be any bytes but these. */
const anyHeader = fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes.filter((byte) => ![0, 10, 13].includes(byte)))); // prettier-ignore

const anyAnswer = fc
  .record({
    status: fc.oneof(
      fc.constantFrom(200, 200, 200, 204, 302, 404, 422, 429, 500, 503),
      fc.integer({ min: 100, max: 999 }),
    ),
    type: fc.constantFrom("application/json", "text/html; charset=utf-16le", "text/plain; charset=latin1", "x"),
    value: anyHeader,
    body: anyBody,
  })
  .map(({ status, type, value, body }) =>
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} X\r\ncontent-type: ${type}\r\nconnection: close\r\n`),
      ...["x-request-id", "location", "retry-after", "date", "link"].map((name) =>
        // Some seconds to wait would make the test slow.
        Buffer.concat([Buffer.from(`${name}: ${name === "retry-after" ? "x" : ""}`), value, Buffer.from("\r\n")]),
      ),
      ...[Buffer.from("\r\n"), body],
    ]),
  );

let plugin: TestPlugin | undefined;

property(
  "any status, headers and body end with an answer to the engine that its protocol can carry",
  fc.record({
    of: fc.constantFrom(...Object.values(resourceOf)),
    bytes: anyAnswer,
  }),
  async ({ of, bytes }) => {
    const resource = of();
    next = bytes;
    plugin ??= await startPlugin({ config });
    const [dynamic, native] = [await overDynamic(resource), await overPlugin(plugin, resource)];
    for (const { message, reasons, state } of [dynamic, native]) {
      for (const text of [message ?? "", ...(reasons ?? [])]) expectFit(text);
      expectWhole(state ?? {});
    }
    expect(native.message).toBe(dynamic.message);
  },
  100,
);

type Create = (resource: Resource) => Promise<Answer>;

async function openPlugin(): Promise<Create> {
  const opened = await startPlugin({ config });
  return (resource) => overPlugin(opened, resource);
}

describe.each<[string, () => Promise<Create>]>([
  ["dynamic", () => Promise.resolve(overDynamic)],
  ["native", openPlugin],
])("in the %s provider", (_name, open) => {
  const unkept = new LostAnswerError("whether it was done is unknown", Object.create(null) as typeof organization);
  Object.defineProperty(unkept, "state", {
    get() {
      throw new Error("not to be read");
    },
  });
  test.each([
    ["half a character", new Error("half \ud83d"), "half \ufffd"],
    ["a message without end", new Error("y".repeat(1_000_000)), `${"y".repeat(8000)}…`],
    ["nothing", undefined, "undefined"],
    ["a state that cannot be kept", unkept, "whether it was done is unknown"],
    [
      "what the protocol would interpret",
      Object.assign(new Error("it broke"), { code: 99, details: "\ud83d" }),
      "it broke",
    ],
  ])("a verb that throws %s is answered, and so are the calls beside it", async (_what, thrown, message) => {
    next = Buffer.from("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n{}");
    const create = await open();
    jest.spyOn(resources.RetentionPolicy.lifecycle, "create").mockRejectedValueOnce(thrown);
    const webhook = newWebhook();
    const [failed, beside] = await Promise.all([create(retention), create(webhook)]);
    expect(failed).toEqual({ message });
    expect(beside.state).toMatchObject({ webhookId: webhook.inputs.webhookId, rotationState: "unread" });
  });
});
