/** Which resources an Organization makes: as a class of either module, and as the plugin's component, for programs in other languages. */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import type { Resource } from "@pulumi/pulumi/resource";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import { resources } from "../../../src/resources/index.js";
import { startPlugin } from "../../support/native/plugin";
import { struct, type Values } from "../../support/native/wire";
import { asProgram, registered, valueOf } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token", organization: "acme" });

/** A registration, without what only the dynamic provider has among the inputs. */
type Made = [type: string, name: string, inputs: object, retains: boolean];

const made = (all: readonly { type: string; name: string; inputs: Values; retainOnDelete?: boolean | undefined }[]) =>
  all
    .map(({ type, name, inputs: { __provider, __declaredAs, ...inputs }, retainOnDelete = false }): Made => {
      return [type.slice(type.lastIndexOf(":") + 1), name, inputs, retainOnDelete];
    })
    .sort(([, a], [, b]) => a.localeCompare(b));

const byClass =
  ({ Organization }: Pick<typeof dynamic, "Organization">) =>
  async (name: string, args: dynamic.OrganizationArgs): Promise<Made[]> => {
    const organization = new Organization(name, args);
    await valueOf(organization.webhookSecrets);
    const entries = Object.values(resources).flatMap(({ section }) =>
      Object.values<Resource>(organization[section.name]),
    );
    const all = await registered(...entries.map(({ urn }) => urn));
    return made(all.filter((each) => each.name.startsWith(name)));
  };

async function byComponent(name: string, args: dynamic.OrganizationArgs): Promise<Made[]> {
  const plugin = await startPlugin();
  const request = new pb.ConstructRequest().setType("voiceplane:index:Organization").setName(name);
  request.setMonitorendpoint(plugin.engine.address).setInputs(struct(JSON.parse(JSON.stringify(args)) as Values));
  const urn = (await plugin.call("construct", request)).getUrn();
  expect(urn).toBe(`urn:pulumi:dev::test::voiceplane:index:Organization::${name}`);
  expect(Object.keys(plugin.engine.finished)).toEqual([urn]);
  // It sends nothing itself.
  expect(plugin.requests()).toEqual([]);
  return made(plugin.engine.registrations);
}

test.each([
  ["a class over the dynamic provider", byClass(dynamic), "d"],
  ["a class over the plugin", byClass(native), "n"],
  ["a component of the plugin", byComponent, "c"],
])("%s makes a resource of each entry, which is retained where destroy sends nothing", async (_what, make, name) => {
  const args: Required<dynamic.OrganizationArgs> = {
    onCreate: "adopt",
    retention: {
      recordings: { days: 90 },
      conversations: undefined,
      audit_events: { days: 2555, enabled: false, onDelete: { days: 365, enabled: true } },
    },
    networkPolicies: {
      office: { id: `${name}-1`, onCreate: "overwrite", sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] },
    },
    trunks: {
      a: { id: `${name}-1`, outboundAuth: "cleared", onDelete: "clear" },
      b: { id: `${name}-2`, outboundAuth: "tracked" },
      c: undefined as never,
    },
    webhooks: {
      billing: { id: `${name}-2` },
      crm: { id: `${name}-1`, onCreate: "rotate", rotateAfter: "90d", triggers: { quarter: "2026-Q4" } },
    },
  };
  const adopted = { onCreate: "adopt" };
  const audit = { retentionDays: 2555, enabled: false, onDelete: { retentionDays: 365, enabled: true } };
  const office = { networkPolicyId: `${name}-1`, sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] };
  const crm = { webhookId: `${name}-1`, rotateAfter: "90d", triggers: { quarter: "2026-Q4" } };
  expect(await make(name, args)).toEqual([
    ["Organization", name, {}, false],
    ["TrunkOutboundAuth", `${name}-a`, { trunkId: `${name}-1`, cleared: true, onDelete: "clear", ...adopted }, false],
    ["RetentionPolicy", `${name}-audit_events`, { resource: "audit_events", ...audit, ...adopted }, false],
    ["TrunkOutboundAuth", `${name}-b`, { trunkId: `${name}-2`, cleared: false, ...adopted }, true],
    ["WebhookSecret", `${name}-billing`, { webhookId: `${name}-2`, ...adopted }, false],
    ["WebhookSecret", `${name}-crm`, { ...crm, onCreate: "rotate" }, false],
    ["NetworkPolicy", `${name}-office`, { ...office, onCreate: "overwrite" }, true],
    ["RetentionPolicy", `${name}-recordings`, { resource: "recordings", retentionDays: 90, ...adopted }, true],
  ]);
});
