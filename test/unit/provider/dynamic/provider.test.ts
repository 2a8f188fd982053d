/** What only the dynamic provider does, called as the engine's host calls it: through the modules that every state names. */
import { inspect } from "node:util";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index.js";
import { anyRequestId } from "../../../support/ids.js";
import { configured, dynamicProviderOf, errorOf, providerText, type DynamicProvider } from "../../../support/doors";
import { ids } from "../../../support/native/wire";

let plane: ControlPlane;
let said: jest.SpyInstance;
const environment = process.env;

beforeEach(async () => {
  plane = await startControlPlane();
  process.env = {};
  // The declared objects and the clients last as long as a provider's process.
  jest.resetModules();
  said = jest.spyOn(console, "info").mockImplementation();
  jest.spyOn(console, "warn").mockImplementation();
});

afterEach(async () => {
  process.env = environment;
  jest.restoreAllMocks();
  await plane.close();
});

async function open(kind: string, token = "vp_dev_full"): Promise<DynamicProvider> {
  const provider = dynamicProviderOf(kind);
  await configured(provider, { baseUrl: plane.url, token, organization: "acme" });
  return provider;
}

const policy = {
  ...{ resource: "recordings", onCreate: "overwrite", retentionDays: 90, enabled: true },
  ...{ onDelete: "retain", organization: "acme" },
};
const webhook = { webhookId: ids.crm, organization: "acme", onCreate: "rotate" };

test.each(["retention-policy", "network-policy", "trunk-outbound-auth", "webhook-secret"])(
  "configure of %s is done when it returns, because the provider is used before its promise resolves",
  async (kind) => {
    const provider = dynamicProviderOf(kind);
    void configured(provider, { baseUrl: "https://eu.example.com/", token: "t", organization: "acme" });
    const own = { organization: "acme", address: "https://eu.example.com" };
    expect((await provider.check({}, {})).inputs).toMatchObject(own);
  },
);

describe("diff", () => {
  test("another provider text is no change", async () => {
    const provider = await open("retention-policy");
    const diff = provider.diff("recordings", { ...policy, __provider: "old" }, { ...policy, __provider: "new" });
    expect(await diff).toEqual({ changes: false });
  });

  test("a state of a native provider is a change that sends nothing and adds the text of this provider", async () => {
    const provider = await open("retention-policy");
    const inputs = { ...policy, __provider: providerText("retention-policy") };
    expect(await provider.diff("recordings", policy, inputs)).toEqual({ changes: true });
    const { onDelete, onCreate, ...kept } = policy;
    expect(await provider.update("recordings", policy, inputs)).toEqual({ outs: { ...kept, requestId: anyRequestId } });
    expect(plane.control.journal()).toEqual([]);
  });
});

test("requests that wait for their next attempt say so, in one line for all that wait at the time", async () => {
  plane.control.setFaults([{ operation: "putRetentionPolicy", status: 503, count: 2 }]);
  const provider = await open("retention-policy");
  await Promise.all(["recordings", "conversations"].map((resource) => provider.create({ ...policy, resource })));
  const line = /^voiceplane: PUT \S+ failed: 503 SERVICE_UNAVAILABLE .*; attempt 2 follows within 1 s$/;
  expect(said.mock.calls).toEqual([[expect.stringMatching(line)]]);
});

describe("errors", () => {
  test("print only their message: no stack, no code and no details that the protocol would interpret", async () => {
    const { noRights } = plane.tokens;
    const trunk = { organization: "acme", trunkId: ids.carrier, cleared: true, onDelete: "clear" };
    for (const verb of [
      async () => (await open("webhook-secret", noRights)).create(webhook),
      async () => (await open("trunk-outbound-auth", noRights)).delete(ids.carrier, trunk),
    ]) {
      const error = await errorOf(verb());
      expect(error.message).toMatch(
        /^(POST|DELETE) \/v1\/\S+ was refused: 403 FORBIDDEN "credential scope required: \S+" \(request id \S+\)\nThe token needs the scope/,
      );
      expect(String(error)).toBe(`voiceplane: ${error.message}`);
      expect(error.stack).toBe("");
      for (const member of ["code", "details", "id"]) expect(error).not.toHaveProperty(member);
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("vp_dev_no_rights");
    }
  });

  test("show nothing of the state that a lost answer keeps", async () => {
    plane.control.setFaults([{ operation: "rotateWebhookSecret", connection: "reset", commit: true }]);
    const provider = await open("webhook-secret");
    const error = await errorOf(provider.create({ ...webhook, initialSecret: "canary-old" }));
    expect(error.properties).toMatchObject({ secret: { value: "canary-old" } });
    expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String(error)).not.toContain("canary-old");
  });
});
