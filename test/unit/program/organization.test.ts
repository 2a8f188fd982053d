import { RunError } from "@pulumi/pulumi/errors";
import { Organization, Provider, WebhookSecret, type OrganizationArgs } from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, valueOf, warnings } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

test("its secrets are one secret output, by entry name", async () => {
  const organization = new Organization("secrets", {
    webhooks: { crm: { id: "w-2", onCreate: "rotate" }, billing: { id: "w-3", onCreate: "rotate" } },
  });
  expect(await valueOf(organization.webhookSecrets)).toEqual({
    crm: "secret of secrets-crm",
    billing: "secret of secrets-billing",
  });
  expect(await isSecret(organization.webhookSecrets)).toBe(true);
});

test("an object that a single resource also declares is refused, in either order", () => {
  new WebhookSecret("single", { webhookId: "w-4", onCreate: "rotate" });
  expect(() => new Organization("twice", { webhooks: { crm: { id: "w-4", onCreate: "rotate" } } })).toThrow(
    'WebhookSecret "twice-crm" and WebhookSecret "single" declare the same object, "w-4" of acme: remove one of them',
  );
  new Organization("first", { webhooks: { crm: { id: "w-5", onCreate: "rotate" } } });
  expect(() => new WebhookSecret("second", { webhookId: "w-5", onCreate: "rotate" })).toThrow(
    'WebhookSecret "second" and WebhookSecret "first-crm" declare the same object, "w-5" of acme: remove one of them',
  );
});

test.each([
  ["providers", (eu: Provider) => ({ providers: [eu] })],
  ["provider", (eu: Provider) => ({ provider: eu })],
])("its resources use the %s that it is given, and belong to that organization", async (name, optsOf) => {
  const eu = new Provider(`eu-${name}`, { baseUrl: "https://eu.example.com", token: "canary-eu" });
  const args: OrganizationArgs = { webhooks: { crm: { id: "w-6", onCreate: "rotate" } } };
  const organization = new Organization(`org-${name}`, args, optsOf(eu));
  await valueOf(organization.webhookSecrets);
  const all = await registered();
  // By its name: a registration of an earlier test may arrive during this one.
  expect(all.find((registration) => registration.name === `org-${name}-crm`)?.provider).toBe(`eu-${name}`);
  expect(() => new WebhookSecret(`again-${name}`, { webhookId: "w-6", onCreate: "rotate" }, { provider: eu })).toThrow(
    `"w-6" of eu-${name}: remove one of them`,
  );
});

describe("options", () => {
  const trunks = { a: { id: "t-7", outboundAuth: "cleared" } } as const;

  test("that are about one resource are named, since its resources do not get them", () => {
    const seen = warnings();
    new Organization("dropped", { trunks }, { ignoreChanges: ["triggers"], replacementTrigger: 1, protect: true });
    expect(seen).toEqual([
      'Organization "dropped": its resources do not get these options: ignoreChanges, replacementTrigger. ' +
        "Declare the resource that needs them by itself, for example as a RetentionPolicy.",
    ]);
  });

  test("customTimeouts are those of its resources", async () => {
    const seen = warnings();
    const customTimeouts = { create: "5m" };
    const slow = new native.Organization("slow", { trunks }, { customTimeouts });
    const all = await registered(...Object.values(slow.trunks).map(({ urn }) => urn));
    expect(all.find(({ name }) => name === "slow-a")?.createTimeout).toBe("5m");
    expect(seen).toEqual([]);
  });
});

describe("values that only untyped programs can write", () => {
  test.each(["Cleared", "toString", "", null, undefined, true])(
    "an unknown outboundAuth, %j, is refused under its own name",
    (wish) => {
      const trunks = { odd: { id: "t-9", outboundAuth: wish as "cleared" } };
      expect(() => new Organization("odd", { trunks })).toThrow(
        new RunError('Organization "odd": trunks.odd.outboundAuth: must be "cleared" or "tracked"'),
      );
    },
  );

  test("properties that the component sets itself are refused, with what to write instead", () => {
    const args = {
      retention: { recordings: { days: 90, resource: "conversations", onCreate: "overwrite", retentionDays: 1 } },
      networkPolicies: { office: { id: "np-9", name: "HQ", networkPolicyId: "np-8", onCreate: "overwrite" } },
      trunks: { a: { id: "t-11", outboundAuth: "tracked", trunkId: "t-12", cleared: true } },
      webhooks: { crm: { id: "w-9", webhookId: "w-8", onCreate: "rotate" } },
    } as OrganizationArgs;
    expect(() => new Organization("own", args)).toThrow(
      new RunError(
        [
          'Organization "own": retention.recordings.resource: is not a property of an entry here; write the key instead',
          "  retention.recordings.retentionDays: is not a property of an entry here; write days instead",
          "  networkPolicies.office.networkPolicyId: is not a property of an entry here; write id instead",
          "  trunks.a.trunkId: is not a property of an entry here; write id instead",
          "  trunks.a.cleared: is not a property of an entry here; write outboundAuth instead",
          "  webhooks.crm.webhookId: is not a property of an entry here; write id instead",
        ].join("\n"),
      ),
    );
  });
});

describe("Provider", () => {
  test.each(["eu.west", "EU-WEST", "eu_west"])("is refused if its variable is another provider's: %s", (name) => {
    new Provider("eu-west", { baseUrl: "https://eu.example.com", token: "canary-eu" });
    const message =
      `the Providers "eu-west" and "${name}" would both take their token from VOICEPLANE_TOKEN_EU_WEST: ` +
      "rename one of them: only letters and digits count, and not their case";
    expect(() => new Provider(name, { baseUrl: "https://other.example.com", token: "canary-other" })).toThrow(
      expect.objectContaining({ message, __pulumiRunError: true }) as Error,
    );
  });

  test("takes its token from the variable with its label, and never from VOICEPLANE_TOKEN", async () => {
    process.env.VOICEPLANE_TOKEN = "canary-plain";
    process.env.VOICEPLANE_TOKEN_US = "canary-us";
    const us = new Provider("us", { baseUrl: "https://us.example.com" });
    const asia = new Provider("asia", { baseUrl: "https://asia.example.com" });
    expect((await valueOf(us.settings)).client.token).toBe("canary-us");
    expect((await valueOf(asia.settings)).problems).toEqual([
      'no token: give the Provider "asia" a token or set VOICEPLANE_TOKEN_ASIA',
    ]);
    expect(await isSecret(new Provider("p", { baseUrl: "https://x", token: "t" }).settings)).toBe(true);
  });
});
