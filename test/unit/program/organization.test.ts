import { diagnosticText, inFile } from "../../../src/values/diagnostic";
import { RunError } from "@pulumi/pulumi/errors";
import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi/resource";
import type * as z from "zod";
import { childrenOf } from "../../../src/organization-file/entries.js";
import { readOrganizationFile } from "../../../src/organization-file/reader.js";
import { resources, type ResourceDefinition } from "../../../src/resources/index.js";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, valueOf, warnings } from "../../support/program.js";

const { Organization, Provider, WebhookSecret } = dynamic;
type Provider = dynamic.Provider;

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const webhook = (id: string) => ({ id, onCreate: "rotate" }) as const;
const declared = (webhookId: string) => ({ webhookId, onCreate: "rotate" }) as const;
const eu = { baseUrl: "https://eu.example.com", token: "canary-eu" };

test("its secrets are one secret output, by entry name", async () => {
  const { webhookSecrets } = new Organization("secrets", {
    webhooks: { crm: webhook("w-2"), billing: webhook("w-3") },
  });
  expect(await valueOf(webhookSecrets)).toEqual({
    crm: "secret of secrets-crm",
    billing: "secret of secrets-billing",
  });
  expect(await isSecret(webhookSecrets)).toBe(true);
});

test("every section of the table yields its resource, by the class and by the reader of the file", () => {
  const table = Object.entries<ResourceDefinition>(resources).map(([type, { args, section }]) => {
    const keys = section.key === undefined ? ["crm"] : (args.shape[section.key] as z.ZodEnum).options;
    const entry = Object.entries(section.values ?? {}).map(([property, values]) => [property, Object.keys(values)[0]]);
    return { type, section: section.name, key: String(keys[0]), entry: Object.fromEntries(entry) as object };
  });
  const content = Object.fromEntries(table.map(({ section, key, entry }) => [section, { [key]: entry }]));
  const made: string[] = [];
  class Probe extends Organization {
    static override readonly classes = Object.fromEntries(
      table.map(({ type }) => [
        type,
        function (name: string) {
          made.push(`${type} ${name}`);
        },
      ]),
    ) as unknown as typeof Organization.classes;
  }
  new Probe("every", content);
  expect(made).toEqual(table.map(({ type, key }) => `${type} every-${key}`));
  // What is required is missing in each entry.
  const read = readOrganizationFile(JSON.stringify(content));
  const lines = "problems" in read ? read.problems.map((each) => diagnosticText(inFile(each, "f"))) : [];
  for (const { section, key } of table) expect(lines.join("\n")).toContain(` ${section}.${key}.`);
});

test("no class stands between it and the SDK's, which takes a frame of the call stack for the user's line", () => {
  expect(Object.getPrototypeOf(Organization)).toBe(ComponentResource);
});

test("an object that a single resource also declares is refused, in either order", () => {
  const message = (name: string, other: string, id: string) =>
    `WebhookSecret "${name}" and WebhookSecret "${other}" declare the same object, "${id}" of acme: remove one of them`;
  new WebhookSecret("single", declared("w-4"));
  expect(() => new Organization("twice", { webhooks: { crm: webhook("w-4") } })).toThrow(
    message("twice-crm", "single", "w-4"),
  );
  new Organization("first", { webhooks: { crm: webhook("w-5") } });
  expect(() => new WebhookSecret("second", declared("w-5"))).toThrow(message("second", "first-crm", "w-5"));
});

test.each<[string, typeof dynamic, (provider: Provider) => ComponentResourceOptions]>([
  ["providers", dynamic, (provider) => ({ providers: [provider] })],
  ["provider", dynamic, (provider) => ({ provider })],
  ["native provider", native, (provider) => ({ provider })],
])("its resources use the %s that it is given, and belong to that organization", async (name, classes, optsOf) => {
  const provider = new classes.Provider(`eu-${name}`, eu);
  const organization = new classes.Organization(`org-${name}`, { webhooks: { crm: webhook("w-6") } }, optsOf(provider));
  await valueOf(organization.webhookSecrets);
  expect(organization.webhooks.crm).toBeInstanceOf(classes.WebhookSecret);
  // By its name: a registration of an earlier test may arrive during this one.
  const made = (await registered()).find((registration) => registration.name === `org-${name}-crm`);
  expect(made?.provider).toBe(`eu-${name}`);
  expect(() => new classes.WebhookSecret(`again-${name}`, declared("w-6"), { provider })).toThrow(
    `"w-6" of eu-${name}: remove one of them`,
  );
});

test("options that are about one resource are named, since its resources do not get them", () => {
  const seen = warnings();
  const trunks = { a: { id: "t-7", outboundAuth: "cleared" } } as const;
  new Organization("dropped", { trunks }, { ignoreChanges: ["triggers"], replacementTrigger: 1, protect: true });
  expect(seen).toEqual([
    'Organization "dropped": its resources do not get these options: ignoreChanges, replacementTrigger. ' +
      "Declare the resource that needs them by itself, for example as a RetentionPolicy. [option-ignored]",
  ]);
});

test("customTimeouts are those of its resources", async () => {
  const seen = warnings();
  const trunks = { a: { id: "t-8", outboundAuth: "cleared" } } as const;
  const slow = new native.Organization("slow", { trunks }, { customTimeouts: { create: "5m" } });
  const all = await registered(...Object.values(slow.trunks).map(({ urn }) => urn));
  expect(all.find(({ name }) => name === "slow-a")?.customTimeouts).toMatchObject({ create: "5m" });
  expect(seen).toEqual([]);
});

test("a property of an entry keeps its name, also one that every object inherits, so that its resource refuses it", () => {
  const organization = { trunks: { odd: { id: "t-9", constructor: "x", toString: "y" } } };
  const reader = { members: (map: unknown) => Object.entries(map ?? {}), map: (value: unknown) => value };
  const [child] = childrenOf("trunks", "odd", organization, reader);
  expect(child?.args).toEqual({ trunkId: "t-9", constructor: "x", toString: "y" });
});

describe("values that only untyped programs can write are refused", () => {
  const refusal = (args: object) => expect(() => new Organization("odd", args as dynamic.OrganizationArgs));

  test.each(["Cleared", "toString", "", null, undefined, true])("an unknown outboundAuth, %j", (outboundAuth) => {
    refusal({ trunks: { odd: { id: "t-9", outboundAuth } } }).toThrow(
      new RunError('Organization "odd":\n  trunks.odd.outboundAuth: must be "cleared" or "tracked" [wrong-value]'),
    );
  });

  test("former names that are not free, or not known", () => {
    const reasons = [
      "webhooks.crm.formerly: sales is the name of another entry: give that one another name, or remove it here. Two entries change places in two steps [former-name]",
      "webhooks.sales.formerly: must be a name of an entry, or a list of such names, known before the run [former-name]",
    ];
    refusal({
      webhooks: {
        crm: { id: "w-20", onCreate: "adopt", formerly: "sales" },
        sales: { id: "w-21", onCreate: "adopt", formerly: dynamic.listWebhooks },
      },
    }).toThrow(new RunError(`Organization "odd":\n  ${reasons.join("\n  ")}`));
  });

  test("properties that the component sets itself, with what to write instead", () => {
    const problem = (path: string, instead: string) =>
      `${path}: is not a property of an entry here; write ${instead} instead [unknown-property]`;
    const sections: Record<Exclude<keyof dynamic.OrganizationArgs, "onCreate">, object> = {
      retention: { recordings: { days: 90, resource: "conversations", onCreate: "overwrite", retentionDays: 1 } },
      networkPolicies: { office: { id: "np-9", name: "HQ", networkPolicyId: "np-8", onCreate: "overwrite" } },
      trunks: { a: { id: "t-11", outboundAuth: "tracked", trunkId: "t-12", cleared: true } },
      webhooks: { crm: { id: "w-9", webhookId: "w-8", onCreate: "rotate" } },
    };
    refusal(sections).toThrow(
      new RunError(
        [
          'Organization "odd":',
          problem("retention.recordings.resource", "the key"),
          problem("retention.recordings.retentionDays", "days"),
          problem("networkPolicies.office.networkPolicyId", "id"),
          problem("trunks.a.trunkId", "id"),
          problem("trunks.a.cleared", "outboundAuth"),
          problem("webhooks.crm.webhookId", "id"),
        ].join("\n  "),
      ),
    );
  });
});

describe("Provider", () => {
  test("is refused if its variable is another provider's", () => {
    new Provider("eu-west", eu);
    for (const name of ["eu.west", "EU-WEST", "eu_west"]) {
      const message =
        `the Providers "eu-west" and "${name}" would both take their token from VOICEPLANE_TOKEN_EU_WEST: ` +
        "rename one of them: only letters and digits count, and not their case [token-shared]";
      const error = expect.objectContaining({ message, __pulumiRunError: true }) as Error;
      expect(() => new Provider(name, eu)).toThrow(error);
    }
  });

  test("takes its token from the variable with its label, and never from VOICEPLANE_TOKEN", async () => {
    process.env.VOICEPLANE_TOKEN = "canary-plain";
    process.env.VOICEPLANE_TOKEN_US = "canary-us";
    const us = new Provider("us", { baseUrl: "https://us.example.com" });
    const asia = new Provider("asia", { baseUrl: "https://asia.example.com" });
    expect((await valueOf(us.settings)).client.token).toBe("canary-us");
    expect((await valueOf(asia.settings)).problems.map(({ text }) => text)).toEqual([
      'no token: give the Provider "asia" a token or set VOICEPLANE_TOKEN_ASIA',
    ]);
  });
});
