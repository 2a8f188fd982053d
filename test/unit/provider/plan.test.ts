/** A run that is held to a plan: VOICEPLANE_PLAN names the list of what may be sent. */
import { join } from "node:path";
import type { ResourceType } from "../../../src/resources/index.js";
import { doors, type Door } from "../../support/doors";
import { temporaryFolder, write } from "../../support/folders";
import { ids, type Values } from "../../support/native/wire";

const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const office = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.0/24" };
const carrier = { trunkId: ids.carrier, cleared: true };
const crm = { webhookId: ids.crm, onCreate: "rotate" };

const put = {
  operation: "putRetentionPolicy",
  path: "/v1/retention-policies/recordings",
  body: { retention_days: 90, enabled: true },
};
const rotation = { operation: "rotateWebhookSecret", path: `/v1/webhooks/${ids.crm}/rotate-secret` };
const patch = {
  operation: "patchNetworkPolicy",
  path: `/v1/network-policies/${ids.office}`,
  body: { name: "HQ", source_cidr: "203.0.113.0/24" },
};
const clearing = { operation: "clearTrunkOutboundAuth", path: `/v1/trunks/${ids.carrier}/outbound-auth` };

/** For each type, what creates an object, its request in a plan, and what the server gets. */
const cases: Record<ResourceType, readonly [args: Values, planned: Values, sent: string]> = {
  RetentionPolicy: [recordings, put, 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}'],
  NetworkPolicy: [
    office,
    patch,
    `PATCH /v1/network-policies/${ids.office} {"name":"HQ","source_cidr":"203.0.113.0/24"}`,
  ],
  TrunkOutboundAuth: [carrier, clearing, `DELETE /v1/trunks/${ids.carrier}/outbound-auth`],
  WebhookSecret: [crm, rotation, `POST /v1/webhooks/${ids.crm}/rotate-secret`],
};

const planText = (...requests: readonly Values[]) =>
  JSON.stringify({ version: 1, phase: "preview", complete: true, requests });

describe.each(doors)("the %s provider", (_provider, open) => {
  /** A provider that is held to the text of a file. */
  async function held(text: string): Promise<Door> {
    const folder = temporaryFolder();
    write(folder, { "plan.json": text });
    return open({ env: { VOICEPLANE_PLAN: join(folder, "plan.json") } });
  }

  async function created(door: Door, type: string, args: Values): Promise<string[]> {
    await door.create(type, await door.inputsOf(type, args));
    return door.requests();
  }

  async function refused(door: Door, type: string, args: Values): Promise<string> {
    const inputs = await door.inputsOf(type, args);
    const { message, kept } = await door.failureOf(door.create(type, inputs));
    expect([kept, door.requests()]).toEqual([undefined, []]);
    return message;
  }

  test("sends what the list has", async () => {
    const door = await held(planText(...Object.values(cases).map(([, planned]) => planned)));
    for (const [type, [args, , sent]] of Object.entries(cases)) expect(await created(door, type, args)).toEqual([sent]);
  });

  test("refuses what it does not have, by method and path, and sends the rest", async () => {
    const door = await held(planText(put));
    expect(await refused(door, "WebhookSecret", crm)).toBe(
      `POST /v1/webhooks/${ids.crm}/rotate-secret is not in the plan, so it was not sent. Preview again, and approve what it shows: ` +
        "what was unknown may be known now. [not-planned]",
    );
    for (const [type, [args, planned]] of Object.entries(cases))
      if (planned !== put) expect(await refused(door, type, args)).toContain("is not in the plan");
    expect(await created(door, "RetentionPolicy", recordings)).toHaveLength(1);
  });

  test("refuses other values, and names the members without a value", async () => {
    const door = await held(planText({ ...patch, body: { name: "HQ", source_cidr: "203.0.113.7/32" } }));
    const message = await refused(door, "NetworkPolicy", office);
    expect(message).toContain(
      `PATCH /v1/network-policies/${ids.office} is in the plan with another source_cidr, so it`,
    );
    expect(message).not.toContain("203.0.113");
  });

  test("an empty list sends nothing, and a delete that sends is held too", async () => {
    const free = await open();
    const inputs = await free.inputsOf("TrunkOutboundAuth", { ...carrier, cleared: false, onDelete: "clear" });
    const { id, state } = await free.create("TrunkOutboundAuth", inputs);
    const door = await held(planText());
    const own = { ...state, address: door.plane.url };
    expect((await door.failureOf(door.delete("TrunkOutboundAuth", id, own))).message).toContain("[not-planned]");
    expect(door.requests()).toEqual([]);
  });

  test("what is open allows anything in that place alone", async () => {
    const anyRange = { ...patch, body: { name: "HQ" }, open: ["source_cidr"] };
    const anyWebhook = { ...rotation, path: "/v1/webhooks/{webhook_id}/rotate-secret" };
    const door = await held(planText(anyRange, anyWebhook));
    expect(await created(door, "NetworkPolicy", office)).toHaveLength(1);
    expect(await created(door, "WebhookSecret", crm)).toHaveLength(1);
    expect(await refused(door, "NetworkPolicy", { ...office, networkPolicyId: "another" })).toContain(
      "is not in the plan",
    );
    const other = await held(planText(anyRange));
    expect(await refused(other, "NetworkPolicy", { ...office, name: "Lab" })).toContain("with another name");
  });

  test("a request of another organization or to another address is another one", async () => {
    for (const owner of [{ organization: "globex" }, { address: "https://elsewhere.example.com" }]) {
      const door = await held(planText({ ...put, ...owner }));
      expect(await refused(door, "RetentionPolicy", recordings)).toContain(
        "is in the plan for another organization or address",
      );
    }
    const door = await open();
    const own = await held(planText({ ...put, organization: "acme" }));
    expect(await created(own, "RetentionPolicy", recordings)).toHaveLength(1);
    expect(door.requests()).toEqual([]);
  });

  test.each([
    ["no JSON", "{"],
    ["a failed preview", planText(put).replace('"complete":true', '"complete":false')],
    ["an update", planText(put).replace('"preview"', '"update"')],
    ["another version", planText(put).replace('"version":1', '"version":2')],
    ["a member that this version does not know", planText({ ...put, only: "once" })],
  ])("a plan that cannot be read sends nothing: %s", async (_what, text) => {
    const door = await held(text);
    expect(await refused(door, "RetentionPolicy", recordings)).toMatch(
      /^The plan .*plan\.json cannot be read \(it is not a plan.*\), so nothing was sent\. \[plan-unreadable\]$/,
    );
  });

  test("neither does a plan that is not there; an empty variable names none", async () => {
    const door = await open({ env: { VOICEPLANE_PLAN: join(temporaryFolder(), "none.json") } });
    expect(await refused(door, "RetentionPolicy", recordings)).toContain("cannot be read (ENOENT)");
    const free = await open({ env: { VOICEPLANE_PLAN: "" } });
    expect(await created(free, "RetentionPolicy", recordings)).toHaveLength(1);
  });

  test("a list of webhooks is asked for whatever the plan has", async () => {
    const door = await held(planText(rotation));
    const { id, state } = await door.create("WebhookSecret", await door.inputsOf("WebhookSecret", crm));
    door.requests();
    await door.read("WebhookSecret", id, state);
    expect(door.requests()).toEqual(["GET /v1/webhooks/"]);
  });
});
