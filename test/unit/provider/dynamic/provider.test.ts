/**
 * The dynamic provider, called as the engine's provider process calls it: through the modules that every state names.
 */
import { inspect } from "node:util";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index.js";
import { dynamicProviderOf as load, providerText, type DynamicProvider } from "../../../support/doors";
import { ids } from "../../../support/world.js";
import { anyRowId } from "../../../support/ids.js";

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

async function configured(kind: string, config: Record<string, string> = {}): Promise<DynamicProvider> {
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
  __provider: providerText("webhook-secret"),
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
});

describe("check", () => {
  test("names the property of a failure only where nothing is there, as the engine would print its value", async () => {
    const provider = await configured("webhook-secret");
    const news = { webhookId: "a/b", onCreate: "canary-1", initialSecret: { text: "canary-2" }, "canary-3": 1 };
    const { failures } = await provider.check({}, news);
    expect(failures.map(({ property }) => property)).toEqual(["", "", "", ""]);
    const missing = (await provider.check({}, {})).failures;
    expect(missing.map(({ property }) => property)).toEqual(["webhookId", "onCreate"]);
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
    const inputs = { ...policy, __provider: providerText("retention-policy") };
    expect(await provider.diff("recordings", policy, inputs)).toEqual({ changes: true });
    const { onDelete: _, ...kept } = policy;
    expect(await provider.update("recordings", policy, inputs)).toEqual({ outs: { ...kept, requestId: anyRowId } });
    expect(plane.control.journal()).toEqual([]);
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

  test("show nothing of the state that a lost answer keeps", async () => {
    plane.control.setFaults([{ operation: "rotateWebhookSecret", connection: "reset", commit: true }]);
    const provider = await configured("webhook-secret");
    const error = await rejection(provider.create(webhook({ onCreate: "rotate", initialSecret: "canary-old" })));
    expect(error.properties).toMatchObject({ secret: { value: "canary-old" } });
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error)).not.toContain("canary-old");
  });
});
