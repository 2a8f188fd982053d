/** What the engine gets from either provider: the rules that both have. What only one of them does is in its own folder. */
import { resources, type ResourceType } from "../../../src/resources/index.js";
import { doors, type Door } from "../../support/doors";
import { anyRequestId, seeded } from "../../support/ids.js";
import { ids, secret, type Values } from "../../support/native/wire";
import { settings, type Setting } from "../../support/resources/settings.js";
import { types, type SettingType } from "../../support/resources/table.js";

const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const crm = { webhookId: ids.crm, onCreate: "rotate" };
const policy = { networkPolicyId: ids.office, onCreate: "overwrite", name: "HQ", sourceCidr: "203.0.113.7/24" };
const recordings = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 };
const trunk = { organization: "acme", trunkId: ids.carrier };
const clearing = { ...trunk, cleared: false, onDelete: "clear" };
const unset = [
  "no base URL: run `pulumi config set voiceplane:baseUrl https://…` or set VOICEPLANE_BASE_URL [base-url]",
  "no token: run `pulumi config set --secret voiceplane:token` or set VOICEPLANE_TOKEN [token]",
  "no name of the organization: run `pulumi config set voiceplane:organization NAME` [organization-missing]",
];
const nothing = { baseUrl: "", token: "", organization: "" };
const aSecret = secret(expect.stringMatching(/^[\w-]{43}$/));
const rotated = {
  data: secret(expect.objectContaining({ signing_secret: expect.any(String) as string })),
  rotatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
  rotationCount: 1,
  rotationState: "rotated",
};

type Life = Pick<Setting, "id" | "args" | "state" | "request" | "change" | "changed" | "undo">;
const lives: Record<ResourceType, Life> = {
  ...settings,
  WebhookSecret: {
    id: ids.crm,
    args: crm,
    state: { webhookId: ids.crm, secret: aSecret, ...rotated },
    request: rotation,
    change: { triggers: { n: 1 } },
    changed: rotation,
    undo: {},
  },
};
const settingTypes = Object.keys(settings) as SettingType[];

async function created(door: Door, type: string, args: Values) {
  const inputs = await door.inputsOf(type, args);
  const made = await door.create(type, inputs);
  const requests = door.requests();
  door.said();
  return { inputs, ...made, requests };
}

describe.each(doors)("the %s provider", (_provider, open) => {
  describe("checks", () => {
    test("with defaults, canonical spellings and the organization, without its own properties or a request", async () => {
      const door = await open();
      const own = { organization: "acme", address: door.plane.url };
      expect(await door.inputsOf("NetworkPolicy", policy)).toEqual({
        ...{ ...policy, sourceCidr: "203.0.113.0/24", onDelete: "retain", ...own },
      });
      expect(await door.inputsOf("WebhookSecret", { ...crm, rotateAfter: "90d", __declaredAs: "crm" })).toEqual({
        ...{ ...crm, rotateAfter: "90d", __period: "90d", ...own },
        rotateOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
      });
      expect(door.requests()).toEqual([]);
    });

    test("all at once, by the user's own names and without a value that may be secret", async () => {
      const door = await open();
      const { reasons, properties } = await door.check("WebhookSecret", {
        webhookId: "canary/1",
        onCreate: "canary-2",
        rotateAfter: secret("canary-3"),
        initialSecret: { text: secret("canary-4") },
        canary: 5,
      });
      expect(reasons).toEqual([
        'webhookId: must be a string without slashes or spaces around it, and not empty, "." or ".." [wrong-value]',
        'onCreate: must be "rotate" or "adopt" [wrong-value]',
        'rotateAfter: must be text such as "90d", from "1d" to "9999d" [wrong-value]',
        "initialSecret: must be a signing secret: ASCII characters without white space [wrong-value]",
        "canary: is not a property of WebhookSecret; known are webhookId, onCreate, triggers, rotateAfter, initialSecret, secretPath [unknown-property]",
      ]);
      // The engine prints the value of a property that a failure names.
      expect(new Set(properties)).toEqual(new Set([""]));
    });

    test("the settings too, together with the others, but for the token, which no preview needs", async () => {
      const door = await open({ config: nothing });
      const { reasons } = await door.check("RetentionPolicy", { ...recordings, retentionDays: 0 });
      const [address = "", , name = ""] = unset;
      expect(reasons).toEqual([
        address,
        name,
        "retentionDays: must be a whole number of days from 1 to 3650 [wrong-value]",
      ]);
    });

    test("that each object is declared once, by the names of its resources", async () => {
      const door = await open();
      const second = { ...policy, networkPolicyId: ids.office.toUpperCase() };
      await door.check("NetworkPolicy", policy, {}, "first");
      await door.check("NetworkPolicy", policy, {}, "first");
      expect((await door.check("NetworkPolicy", second, {}, "second")).reasons).toEqual([
        `declares the same object as NetworkPolicy "first", "${ids.office.toUpperCase()}" of acme: remove one of them [declared-twice]`,
      ]);
    });

    test("without the old values of computed inputs, which ignoreChanges puts among the user's; others are refused", async () => {
      const door = await open();
      const args = { ...crm, onCreate: "adopt", rotateAfter: "90d" };
      const olds = await door.inputsOf("WebhookSecret", args);
      const due = { ...olds, rotateOn: "2020-01-01" };
      const { rotateOn, ...rest } = await door.inputsOf("WebhookSecret", { ...args, ...due }, due);
      expect(rest).toMatchObject({ __due: "2020-01-01", organization: "acme" });
      expect((await door.check("WebhookSecret", { ...args, rotateOn }, due)).reasons).toEqual([
        expect.stringContaining("rotateOn: is not a property of WebhookSecret") as string,
      ]);
    });
  });

  test("takes the time of VOICEPLANE_NOW for the present, and says so once, unless it is today", async () => {
    const door = await open({ env: { VOICEPLANE_NOW: "2027-03-01" } });
    const dated = await door.inputsOf("WebhookSecret", { ...crm, onCreate: "adopt", rotateAfter: "90d" });
    expect(dated.rotateOn).toBe("2027-05-30");
    await door.inputsOf("WebhookSecret", { webhookId: ids.billing, onCreate: "adopt" });
    expect(door.said()).toEqual([
      "VOICEPLANE_NOW is set: this run takes 2027-03-01T00:00:00.000Z for the present, and sends what is due by then. [time-set]",
    ]);
    const today = await open({ env: { VOICEPLANE_NOW: new Date().toISOString() } });
    await today.inputsOf("WebhookSecret", { ...crm, onCreate: "adopt", rotateAfter: "90d" });
    expect(today.said()).toEqual([]);
  });

  describe("without settings", () => {
    test.each(types)("fails each verb of a %s that sends or forgets something, and sends nothing", async (type) => {
      const door = await open({ config: nothing });
      const { id, args, undo } = lives[type];
      const state = { ...args, ...undo, organization: "acme" };
      for (const verb of [
        () => door.create(type, args),
        () => door.read(type, id, state),
        () => door.update(type, id, state, state),
        () => door.delete(type, id, state),
      ])
        expect((await door.failureOf(verb())).message).toBe(unset.join("\n"));
      expect(door.requests()).toEqual([]);
    });

    test("never fails to configure, and a token that comes later is used at once", async () => {
      const door = await open({ config: { baseUrl: "::::" } });
      for (const token of ["vp_dev_full", "vp_dev_second_full"]) {
        await door.configure({ baseUrl: door.plane.url, token, organization: "acme" });
        await door.create("TrunkOutboundAuth", { ...trunk, cleared: true });
      }
      expect(door.plane.control.journal().map(({ token }) => token)).toEqual(["full", "secondFull"]);
    });
  });

  describe("sends", () => {
    test.each(types)("one request to create and to change a %s, and stores what was sent", async (type) => {
      const door = await open();
      const { id, args, state: sent, request, change, changed } = lives[type];
      const { inputs, requests, ...made } = await created(door, type, args);
      const own = { organization: "acme", address: door.plane.url, requestId: anyRequestId };
      expect({ ...made, requests }).toEqual({ id, state: { ...sent, ...own }, requests: [request] });
      await door.update(type, id, made.state, await door.inputsOf(type, { ...args, ...change }, inputs));
      expect(door.requests()).toEqual([changed]);
    });

    test("one request to rotate, and marks secrets in the states of create, read and update, and nothing else", async () => {
      const door = await open();
      const args = { ...crm, initialSecret: secret("canary") };
      const { id, inputs, state } = await created(door, "WebhookSecret", args);
      expect(id).toBe(ids.crm);
      expect(state).toEqual({
        ...{ webhookId: ids.crm, secret: aSecret, previousSecret: secret("canary") },
        ...rotated,
        requestId: anyRequestId,
        ...{ organization: "acme", address: door.plane.url },
      });
      expect((await door.read("WebhookSecret", id, state)).state).toEqual(state);
      door.requests();
      const news = await door.inputsOf("WebhookSecret", { ...args, triggers: { n: 2 } }, inputs);
      const updated = await door.update("WebhookSecret", id, state, news);
      expect(updated).toMatchObject({ secret: aSecret, previousSecret: state.secret, rotationCount: 2 });
      expect(door.requests()).toEqual([rotation]);
    });

    test("what onDelete says, also in secret, to delete; nothing for what stays, and says why it stays", async () => {
      const door = await open();
      const deleted = async (type: string, id: string, state: Values) => {
        await door.delete(type, id, state);
        return [...door.requests(), ...door.said()];
      };
      const trunk = `TrunkOutboundAuth "${ids.carrier}" of acme`;
      const { carrierB } = seeded;
      expect(await deleted("TrunkOutboundAuth", carrierB, { ...clearing, trunkId: carrierB })).toEqual([
        `DELETE /v1/trunks/${carrierB}/outbound-auth`,
      ]);
      expect(await deleted("TrunkOutboundAuth", ids.carrier, { ...clearing, onDelete: "retain" })).toEqual([
        `${trunk}: stays as it was last set, because onDelete is "retain". Nothing was sent. [object-left]`,
      ]);
      await door.inputsOf("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: false });
      // Such as under another name.
      expect(await deleted("TrunkOutboundAuth", ids.carrier, clearing)).toEqual([
        `${trunk}: still declared by this program, so deleting it here sent nothing. [still-declared]`,
      ]);
      const onDelete = secret({ sourceCidr: "203.0.113.7/32" });
      expect(await deleted("NetworkPolicy", ids.office, { ...policy, organization: "acme", onDelete })).toEqual([
        `PATCH /v1/network-policies/${ids.office} {"source_cidr":"203.0.113.7/32"}`,
      ]);
    });

    test("nothing for a state that the other provider has left, and stores nothing of that", async () => {
      const door = await open();
      const { id, inputs, state } = await created(door, "RetentionPolicy", recordings);
      const left = { ...state, __provider: "text of the other one" };
      expect(await door.update("RetentionPolicy", id, left, inputs)).toEqual(state);
      expect(door.requests()).toEqual([]);
    });

    test.each(types)("nothing for a state that does not name its %s, and says how to go on", async (type) => {
      const door = await open();
      const { id, args, change, undo } = lives[type];
      const nameless = { organization: "acme", ...change, ...undo };
      for (const verb of [
        () => door.read(type, id, nameless),
        () => door.update(type, id, nameless, args),
        () => door.delete(type, id, nameless),
      ])
        expect((await door.failureOf(verb())).message).toBe(
          `the state of this ${type} has no ${resources[type].lifecycle.identity}, so nothing was sent: restore it with \`pulumi stack import\`, ` +
            "or remove the resource with `pulumi state delete` [state-incomplete]",
        );
      expect(door.requests()).toEqual([]);
    });

    test("a further attempt only after it has said so", async () => {
      const door = await open();
      door.plane.control.setFaults([{ operation: "putRetentionPolicy", status: 503, count: 1 }]);
      await door.create("RetentionPolicy", await door.inputsOf("RetentionPolicy", recordings));
      expect(door.requests()).toHaveLength(2);
      const attempt = /^PUT \/v1\/retention-policies\/recordings failed: 503.*; attempt 2 follows within 1 s$/;
      expect(door.said()).toEqual([
        expect.stringMatching(/^RetentionPolicy "recordings" of acme: .* \[deletes-data\]$/) as string,
        expect.stringMatching(attempt) as string,
      ]);
    });
  });

  test("makes a refusal an error of one message, without the token, and keeps nothing", async () => {
    const door = await open({ config: { token: "vp_dev_no_rights" } });
    const inputs = await door.inputsOf("TrunkOutboundAuth", { trunkId: ids.carrier, cleared: true });
    const { message, kept } = await door.failureOf(door.create("TrunkOutboundAuth", inputs));
    expect(message).toMatch(/^DELETE \/v1\/trunks\/\S+\/outbound-auth was refused: 403 FORBIDDEN /);
    expect(message).toContain("The token needs the scope trunks:write. The token is the one of the configuration");
    expect(message).not.toContain("vp_dev");
    expect(kept).toBeUndefined();
  });

  describe("after a lost answer keeps", () => {
    test("a rotation with what is known, and has sent it once", async () => {
      const door = await open();
      door.plane.control.setFaults([{ operation: "*", connection: "reset", commit: true }]);
      const inputs = await door.inputsOf("WebhookSecret", { ...crm, initialSecret: secret("canary") });
      const { message, kept } = await door.failureOf(door.create("WebhookSecret", inputs));
      expect(message).toContain("Whether the secret was rotated is unknown, so it was not tried again");
      expect(message).not.toContain("canary");
      expect(kept).toEqual({
        id: ids.crm,
        reasons: [message],
        state: {
          ...{ organization: "acme", webhookId: ids.crm, secret: secret("canary"), rotationCount: 0 },
          ...{ requestId: anyRequestId, rotationState: "uncertain" },
        },
      });
      expect(door.requests()).toEqual([rotation]);
    });

    test.each(settingTypes)("a %s with its inputs, and later with its old values", async (type) => {
      const door = await open();
      const { id, args, state: sent, change } = settings[type];
      // Which is not tried again.
      door.plane.control.setFaults([{ operation: "*", status: 501, commit: true }]);
      const inputs = await door.inputsOf(type, args);
      const { kept } = await door.failureOf(door.create(type, inputs));
      const state = { ...sent, organization: "acme" };
      expect(kept).toMatchObject({ id, state: { ...state, requestId: anyRequestId, uncertain: "create" } });
      const news = await door.inputsOf(type, { ...args, ...change }, inputs);
      const again = await door.failureOf(door.update(type, id, state, news));
      expect(again.kept).toMatchObject({ id, state: { ...state, requestId: anyRequestId, uncertain: "update" } });
    });
  });
});
