/**
 * The dynamic provider, called as the engine's provider process calls it: through the modules that every state names.
 */
import { inspect } from "node:util";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index.js";
import { ids } from "../../../support/world.js";
import { anyRowId } from "../../../support/ids.js";

const literal = (kind: string) => `exports.handler=()=>require("pulumi-voiceplane/dynamic/${kind}")`;
const isSecret = (value: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  value,
});

type Values = Record<string, unknown>;

/** The verbs, as the engine's host calls them without types. */
interface Provider {
  configure(request: { config: { get(key: string): string | undefined; require(key: string): string } }): Promise<void>;
  check(olds: Values, news: Values): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }>;
  diff(id: string, olds: Values, news: Values): Promise<Values>;
  create(inputs: Values): Promise<{ id: string; outs: Values }>;
  read(id: string, state: Values): Promise<{ id?: string; props?: Values }>;
  update(id: string, olds: Values, news: Values): Promise<{ outs: Values }>;
  delete(id: string, state: Values): Promise<void>;
}

let plane: ControlPlane;
let warnings: string[];
const environment = process.env;

beforeEach(async () => {
  plane = await startControlPlane();
  process.env = {};
  // The declared objects and the clients last as long as a provider's process.
  jest.resetModules();
  warnings = [];
  jest.spyOn(console, "info").mockImplementation();
  jest.spyOn(console, "warn").mockImplementation((message: string) => void warnings.push(message));
});

afterEach(async () => {
  process.env = environment;
  jest.restoreAllMocks();
  await plane.close();
});

function load(kind: string): Provider {
  // The frozen modules must be their own exports, because the frozen text calls `require`.
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require(`../../../../src/provider/dynamic/${kind}`) as Provider;
}

async function configured(kind: string, config: Record<string, string> = {}): Promise<Provider> {
  const provider = load(kind);
  const all: Record<string, string> = {
    "voiceplane:baseUrl": plane.url,
    "voiceplane:token": "vp_dev_full",
    "voiceplane:organization": "acme",
    ...config,
  };
  await provider.configure({ config: { get: (key: string) => all[key], require: (key: string) => all[key] ?? "" } });
  return provider;
}

/** The error that a promise rejects with. */
async function rejection(promise: Promise<unknown>): Promise<Error & Record<string, unknown>> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error("expected a failure");
  return error as Error & Record<string, unknown>;
}

const kinds = ["retention-policy", "network-policy", "trunk-outbound-auth", "webhook-secret"];
const webhook = (args: object = {}) => ({
  webhookId: ids.webhook,
  organization: "acme",
  ...args,
  __provider: literal("webhook-secret"),
});

describe("configure", () => {
  test.each(kinds)(
    "of %s is done when it returns, because the provider is used before its promise resolves",
    async (kind) => {
      const provider = load(kind);
      void provider.configure({
        config: {
          get: (key: string) => ({ "voiceplane:baseUrl": "https://eu.example.com/", "voiceplane:token": "t" })[key],
          require: () => "",
        },
      });
      const { inputs } = await provider.check({}, {});
      expect(inputs).toMatchObject({ organization: "https://eu.example.com" });
    },
  );

  test.each([
    [{}],
    [{ "voiceplane:baseUrl": "::::" }],
    [{ "voiceplane:baseUrl": "ftp://x", "voiceplane:token": "a b" }],
    [{ "voiceplane:providerName": "", "voiceplane:baseUrl": "" }],
    [{ "voiceplane:baseUrl": "04da6b54-80e4-46f7-96ec-b56ff0331ba9" }],
  ] as Record<string, string>[][])("never throws, whatever the configuration is: %j", async (config) => {
    const provider = load("retention-policy");
    const get = (key: string) => config[key];
    await expect(provider.configure({ config: { get, require: () => "" } })).resolves.toBeUndefined();
  });

  test("problems with the settings are check failures together with the others, and nothing is sent", async () => {
    const provider = await configured("retention-policy", { "voiceplane:token": "", "voiceplane:baseUrl": "" });
    const { failures } = await provider.check({}, { resource: "recordings", onCreate: "overwrite", retentionDays: 0 });
    expect(failures).toEqual([
      { property: "", reason: "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL" },
      { property: "", reason: "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN" },
      { property: "", reason: "retentionDays: must be a whole number of days from 1 to 3650" },
    ]); // prettier-ignore
  });

  test("without settings a request fails with the same message", async () => {
    const provider = load("retention-policy");
    const error = await rejection(
      provider.create({ resource: "recordings", onCreate: "overwrite", retentionDays: 90, enabled: true }),
    );
    expect(error.message).toBe(
      "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL\n" +
        "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN",
    );
  });

  test("a destroy without an address fails, and does not forget what it has to send", async () => {
    const provider = load("trunk-outbound-auth");
    const state = { organization: plane.url, trunkId: ids.trunk, cleared: true, onDelete: "clear" };
    expect((await rejection(provider.delete(ids.trunk, state))).message).toContain("no base URL:");
    expect((await rejection(provider.read(ids.trunk, state))).message).toContain("no base URL:");
    expect((await rejection(provider.update(ids.trunk, state, state))).message).toContain("no base URL:");
  });
});

describe("check", () => {
  test("failures of a value name the property in the reason, because the engine would print a named property's value", async () => {
    const provider = await configured("webhook-secret");
    const news = { webhookId: "a/b", onCreate: "canary-1", initialSecret: { text: "canary-2" }, "canary-3": 1 };
    const { failures } = await provider.check({}, { ...news, __provider: literal("webhook-secret") });
    expect(failures.map(({ property }) => property)).toEqual(["", "", "", ""]);
    expect((await provider.check({}, {})).failures).toEqual([
      {
        property: "webhookId",
        reason: expect.stringMatching(/^is missing: it must be a string without slashes/) as string,
      },
      { property: "onCreate", reason: 'is missing: it must be "rotate" or "adopt"' },
    ]);
    expect(failures.map(({ reason }) => reason)).toEqual([
      'webhookId: must be a string without slashes or spaces around it, and not empty, "." or ".."',
      'onCreate: must be "rotate" or "adopt"',
      "initialSecret: must be a non-empty string",
      "canary-3: is not a property of WebhookSecret; known are webhookId, onCreate, triggers, rotateAfter, initialSecret, secretPath",
    ]);
    expect(JSON.stringify(failures)).not.toMatch(/canary-[12]/);
  });

  test("the engine's own properties are accepted, and not returned", async () => {
    const provider = await configured("retention-policy");
    const news = {
      resource: "recordings",
      onCreate: "overwrite",
      retentionDays: 90,
      __provider: literal("retention-policy"),
    };
    expect(await provider.check({}, news)).toEqual({
      inputs: {
        ...{ resource: "recordings", onCreate: "overwrite", retentionDays: 90, enabled: true, onDelete: "retain" },
        ...{ organization: "acme", address: plane.url },
      },
      failures: [],
    });
  });
});

describe("while the engine saves no checkpoints", () => {
  const refusal =
    "a rotation is refused while PULUMI_SKIP_CHECKPOINTS is set: the state is saved only when the run ends, so the new secret " +
    "would be lost if the run died. Unset the variable and run the update again.";
  const args = { webhookId: ids.webhook, onCreate: "rotate" };

  test.each(["1", "true", "True"])("PULUMI_SKIP_CHECKPOINTS=%s refuses rotations only", async (value) => {
    process.env = { PULUMI_SKIP_CHECKPOINTS: value };
    const provider = await configured("webhook-secret");
    const failures = [{ property: "", reason: refusal }];
    const error = `WebhookSecret "${ids.webhook}" of acme: ${refusal}`;
    expect((await provider.check({}, args)).failures).toEqual(failures);
    expect((await rejection(provider.create(webhook()))).message).toBe(error);
    expect((await provider.check({}, { ...args, onCreate: "adopt" })).failures).toEqual([]);
    const { outs } = await provider.create(webhook({ onCreate: "adopt" }));

    const changed = { ...args, triggers: { n: 1 } };
    expect((await provider.check(webhook(), changed)).failures).toEqual(failures);
    expect((await rejection(provider.update(ids.webhook, outs, webhook(changed)))).message).toBe(error);
    expect((await provider.check(webhook(), { ...args, secretPath: "key" })).failures).toEqual([]);
    await provider.update(ids.webhook, outs, webhook({ secretPath: "key" }));
    // The value may turn out to be the old one.
    const unknown = { ...args, triggers: { n: "04da6b54-80e4-46f7-96ec-b56ff0331ba9" } };
    expect((await provider.check(webhook(), unknown)).failures).toEqual([]);

    // Only the state knows that the answer to a rotation was lost.
    const uncertain = { ...outs, rotationState: "uncertain" };
    expect((await rejection(provider.update(ids.webhook, uncertain, webhook()))).message).toBe(error);
    expect(plane.control.journal()).toEqual([]);
  });
});

describe("diff", () => {
  const policy = { resource: "recordings", retentionDays: 90, enabled: true, onDelete: "retain", organization: "acme" };

  test("another provider text is no change", async () => {
    const provider = await configured("retention-policy");
    expect(
      await provider.diff("recordings", { ...policy, __provider: "old" }, { ...policy, __provider: "new" }),
    ).toEqual({
      changes: false,
    });
  });

  test("a state of a native provider is a change that sends nothing and adds the text of this provider", async () => {
    const provider = await configured("retention-policy");
    const inputs = { ...policy, __provider: literal("retention-policy") };
    expect(await provider.diff("recordings", policy, inputs)).toEqual({ changes: true });
    const { onDelete: _, ...kept } = policy;
    expect(await provider.update("recordings", policy, inputs)).toEqual({ outs: { ...kept, requestId: anyRowId } });
    expect(plane.control.journal()).toEqual([]);
  });

  test("another identity is a replacement", async () => {
    const provider = await configured("retention-policy");
    const state = { ...policy, __provider: literal("retention-policy") };
    expect(await provider.diff("recordings", state, { ...state, resource: "conversations" })).toEqual({
      changes: true,
      replaces: ["resource"],
    });
  });
});

describe("secrets", () => {
  test("are returned wrapped by create, update and read, and everything else is plain", async () => {
    const provider = await configured("webhook-secret");
    const { id, outs } = await provider.create(webhook({ triggers: { n: 1 } }));
    expect(id).toBe(ids.webhook);
    const { value: secret } = outs.secret as { value: string };
    expect(outs).toEqual({
      organization: "acme",
      webhookId: ids.webhook,
      triggers: { n: 1 },
      secret: isSecret(secret),
      data: isSecret(expect.objectContaining({ signing_secret: secret }) as never),
      rotatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
      rotationCount: 1,
      requestId: anyRowId,
      rotationState: "rotated",
    });
    // The engine passes secrets back as plain text.
    const state = { ...outs, secret, __provider: literal("webhook-secret") };
    expect((await provider.read(ids.webhook, state)).props).toMatchObject({ secret: isSecret(secret) });
    const updated = await provider.update(ids.webhook, state, webhook({ triggers: { n: 2 } }));
    expect(updated.outs).toMatchObject({ previousSecret: isSecret(secret), rotationCount: 2 });
    expect(updated.outs).toHaveProperty(["secret", "value"], expect.stringMatching(/^[\w-]{43}$/));
  });

  test("an answer without a recognized secret is one secret as a whole", async () => {
    plane.control.setFaults([{ operation: "rotateWebhookSecret", status: 200, commit: true }]);
    const provider = await configured("webhook-secret");
    const { outs } = await provider.create(webhook());
    const { value: data } = outs.data as { value: string };
    expect(outs).toMatchObject({ rotationState: "unread", data: isSecret(data) });
    expect(data).toContain("<h1>200</h1>");
    const { props } = await provider.read(ids.webhook, { ...outs, data });
    expect(props).toMatchObject({ data: isSecret(data) });
  });
});

test("requests that wait for their next attempt say so, in one line for all that wait at the time", async () => {
  const info = jest.spyOn(console, "info").mockImplementation();
  plane.control.setFaults([{ operation: "putRetentionPolicy", status: 503, count: 2 }]);
  const provider = await configured("retention-policy");
  const create = (resource: string) =>
    provider.create({ resource, retentionDays: 90, enabled: true, onDelete: "retain", organization: "acme" });
  await Promise.all(["recordings", "conversations"].map(create));
  expect(info.mock.calls).toEqual([
    [
      expect.stringMatching(
        /^voiceplane: PUT \/v1\/retention-policies\/\w+ failed: 503 SERVICE_UNAVAILABLE .*; attempt 2 follows within 1 s$/,
      ),
    ],
  ]);
});

describe("errors", () => {
  test("print only their message: no stack, no code and no details that the protocol would interpret", async () => {
    const provider = await configured("webhook-secret", { "voiceplane:token": plane.tokens.withoutWebhooksWrite });
    const error = await rejection(provider.create(webhook()));
    expect(error.message).toMatch(
      /^POST \/v1\/webhooks\/\S+\/rotate-secret was refused: 403 FORBIDDEN "credential scope required: webhooks:write" \(request id \S+\)\nThe token needs the scope webhooks:write\. The token is the one of the configuration/,
    );
    expect(String(error)).toBe("voiceplane: see the error of the resource");
    expect(error.stack).toBe("");
    expect(error).not.toHaveProperty("code");
    expect(error).not.toHaveProperty("details");
    expect(error).not.toHaveProperty("id");
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("vp_dev_without_webhooks_write");
  });

  test("of others are printed as they are, also those without a text", () => {
    const print = jest.spyOn(console, "error").mockImplementation();
    load("retention-policy");
    for (const part of [Object.create(null), Symbol("own"), undefined, "own"]) console.error(part, 1);
    console.error("voiceplane: see the error of the resource: ");
    expect(print.mock.calls).toEqual([
      [Object.create(null), 1],
      [expect.any(Symbol), 1],
      [undefined, 1],
      ["own", 1],
    ]);
  });

  test("of delete print only their message too", async () => {
    const provider = await configured("trunk-outbound-auth", { "voiceplane:token": plane.tokens.withoutTrunksWrite });
    const error = await rejection(
      provider.delete(ids.trunk, { organization: "acme", trunkId: ids.trunk, cleared: true, onDelete: "clear" }),
    );
    expect(`${String(error)}: ${String(error.stack)}`).toBe("voiceplane: see the error of the resource: ");
  });

  test.each(["create", "update"] as const)("a lost answer of %s keeps a half-made resource", async (verb) => {
    plane.control.setFaults([{ operation: "rotateWebhookSecret", connection: "reset", commit: true }]);
    const provider = await configured("webhook-secret");
    const state = {
      organization: "acme",
      webhookId: ids.webhook,
      secret: "canary-old",
      rotationCount: 3,
      rotationState: "rotated",
    };
    const inputs = webhook({ triggers: { n: 1 }, onCreate: "rotate", initialSecret: "canary-old" });
    const error = await rejection(
      verb === "create" ? provider.create(inputs) : provider.update(ids.webhook, state, inputs),
    );
    expect(error.id).toBe(ids.webhook);
    expect(error.reasons).toEqual([error.message]);
    expect(error.properties).toMatchObject({
      __provider: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/webhook-secret")',
      secret: isSecret("canary-old"),
      rotationState: "uncertain",
      rotationCount: verb === "create" ? 0 : 3,
    });
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error)).not.toContain("canary-old");
  });

  test("a PUT with a lost answer keeps a half-made resource too", async () => {
    plane.control.setFaults([{ operation: "putRetentionPolicy", status: 500 }]);
    const provider = await configured("retention-policy");
    const sent = { resource: "recordings", retentionDays: 90, enabled: true, organization: "acme" };
    const inputs = { ...sent, onDelete: "retain" };
    const error = await rejection(provider.create({ ...inputs, __provider: literal("retention-policy") }));
    expect(error.id).toBe("recordings");
    expect(error.properties).toEqual({
      ...sent,
      uncertain: "create",
      requestId: anyRowId,
      __provider: 'exports.handler=()=>require("pulumi-voiceplane/dynamic/retention-policy")',
    });
  });
});

describe("an onDelete that is added after the class told the engine not to call delete", () => {
  const news = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" };

  test("is refused, with what to write", async () => {
    const provider = await configured("retention-policy");
    const { failures } = await provider.check({}, { ...news, __kept: true });
    expect(failures).toEqual([
      {
        property: "",
        reason:
          "onDelete: was set by a transform, which is too late: destroy would not send it. Set it in the resource's own " +
          "arguments, or give the resource the option retainOnDelete: false",
      },
    ]);
  });

  test("is accepted if the class did not tell the engine so, or if onDelete sends nothing", async () => {
    const provider = await configured("retention-policy");
    expect((await provider.check({}, news)).failures).toEqual([]);
    expect((await provider.check({}, { ...news, onDelete: "retain", __kept: true })).failures).toEqual([]);
  });
});

describe("declared objects", () => {
  test("a delete of an object that this process has checked sends nothing and warns", async () => {
    const provider = await configured("trunk-outbound-auth");
    await provider.check({}, { trunkId: ids.trunk, cleared: false });
    await provider.delete(ids.trunk, { organization: "acme", trunkId: ids.trunk, cleared: false, onDelete: "clear" });
    expect(plane.control.journal()).toEqual([]);
    expect(warnings).toEqual([
      `warning: voiceplane: TrunkOutboundAuth "${ids.trunk}" of acme: still declared by this program, so deleting it here sent nothing.`,
    ]);
  });

  test("a delete in a process without checks, as in a destroy, is sent", async () => {
    const provider = await configured("trunk-outbound-auth");
    await provider.delete(ids.trunk, { organization: "acme", trunkId: ids.trunk, cleared: false, onDelete: "clear" });
    expect(plane.control.journal().map(({ method }) => method)).toEqual(["DELETE"]);
  });
});

test("a new token in the configuration is used at once", async () => {
  await configured("trunk-outbound-auth", { "voiceplane:token": "wrong" });
  const provider = await configured("trunk-outbound-auth", { "voiceplane:token": plane.tokens.secondFull });
  await provider.create({ organization: "acme", trunkId: ids.trunk, cleared: true, onDelete: "retain" });
  expect(plane.control.journal().map(({ token }) => token)).toEqual(["secondFull"]);
});
