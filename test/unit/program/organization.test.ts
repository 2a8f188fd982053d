import { diagnosticText, inFile } from "../../../src/values/diagnostic";
import { RunError } from "@pulumi/pulumi/errors";
import { output } from "@pulumi/pulumi/output";
import { ComponentResource, type ComponentResourceOptions } from "@pulumi/pulumi/resource";
import type * as z from "zod";
import { childrenOf } from "../../../src/organization-file/entries.js";
import { readOrganizationFile } from "../../../src/organization-file/reader.js";
import { resources, type ResourceDefinition } from "../../../src/resources/index.js";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { asProgram, isSecret, registered, valueOf, warnings } from "../../support/program.js";

const { Organization, Provider } = dynamic;
type Provider = dynamic.Provider;

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

const webhook = (id: string) => ({ id, onCreate: "rotate" }) as const;
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

test("every section of the table is asked for what its resource requires, by the class and by the reader of the file", () => {
  const table = Object.values<ResourceDefinition>(resources).map(({ args, section }) => {
    const keys = section.key === undefined ? ["crm"] : (args.shape[section.key] as z.ZodEnum).options;
    return { section: section.name, key: String(keys[0]) };
  });
  const content = Object.fromEntries(table.map(({ section, key }) => [section, { [key]: {} }]));
  const read = readOrganizationFile(JSON.stringify(content));
  const lines = "problems" in read ? read.problems.map((each) => diagnosticText(inFile(each, "f"))).join("\n") : "";
  for (const { section, key } of table) {
    expect(lines).toContain(` ${section}.${key}.`);
    expect(() => new Organization("every", content)).toThrow(`\n  ${section}.${key}.`);
  }
});

test("no class stands between it and the SDK's, which takes a frame of the call stack for the user's line", () => {
  expect(Object.getPrototypeOf(Organization)).toBe(ComponentResource);
});

test.each<[string, typeof dynamic, (provider: Provider) => ComponentResourceOptions]>([
  ["providers", dynamic, (provider) => ({ providers: [provider] })],
  ["provider", dynamic, (provider) => ({ provider })],
  ["native-provider", native, (provider) => ({ provider })],
])("its resources use the %s that it is given, and belong to that organization", async (name, classes, optsOf) => {
  const provider = new classes.Provider(`eu-${name}`, eu);
  const organization = new classes.Organization(`org-${name}`, { webhooks: { crm: webhook("w-6") } }, optsOf(provider));
  await valueOf(organization.webhookSecrets);
  expect(organization.webhooks.crm).toBeInstanceOf(classes.WebhookSecret);
  // By its name: a registration of an earlier test may arrive during this one.
  const made = (await registered()).find((registration) => registration.name === `org-${name}-crm`);
  expect(made?.provider).toBe(`eu-${name}`);
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

  test("with all problems, in the names of the entries", () => {
    const args = {
      retention: { recordings: { days: 0, resource: "conversations", onCreate: "overwrite" } },
      trunks: { odd: { id: "t-9", outboundAuth: "toString" } },
      webhooks: { crm: { id: "w-9", webhookId: "w-8", onCreate: "rotate" } },
    };
    const lines = [
      'Organization "odd":',
      "retention.recordings.days: must be a whole number of days from 1 to 3650 [wrong-value]",
      "retention.recordings.resource: is not a property of retention.recordings; known are days, …",
      'trunks.odd.outboundAuth: must be "cleared" (removes its credentials for good) or "tracked" (its credentials are set elsewhere) [wrong-value]',
      "webhooks.crm.webhookId: is not a property of webhooks.crm; known are id, …",
    ];
    const error = thrown(() => new Organization("odd", args as unknown as dynamic.OrganizationArgs));
    // The engine prints errors of this kind as their message alone.
    expect(error).toMatchObject({ __pulumiRunError: true });
    expect(error.message.split("\n  ").map((line) => line.replace(/(known are \w+), .*/, "$1, …"))).toEqual(lines);
  });

  test("former names that another entry has, or that are not known", () => {
    const former = (formerly: unknown) => ({
      webhooks: { crm: { id: "w-20", onCreate: "adopt", formerly }, sales: { id: "w-21", onCreate: "adopt" } },
    });
    const path = 'Organization "odd":\n  webhooks.crm.formerly: ';
    refusal(former("sales")).toThrow(
      new RunError(`${path}sales: the entry sales has this name too, or had it: remove it there or here [former-name]`),
    );
    refusal(former(output("old"))).toThrow(
      new RunError(`${path}must be a name of an entry, or a list of such names, known before the run [former-name]`),
    );
  });
});

function thrown(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error("nothing was thrown");
}

describe("Provider", () => {
  test.each(["eu.west", "EU-WEST", "eu_west", "Büro", ""])(
    "called %j is refused, so that no two names stand for one variable",
    (name) => {
      const message =
        "the name of a Provider has lower-case letters, digits and hyphens, and nothing else [provider-name]";
      expect(() => new Provider(name, eu)).toThrow(
        expect.objectContaining({ message, __pulumiRunError: true }) as Error,
      );
    },
  );

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
