import { diagnosticText } from "../../../src/values/diagnostic";
import { unknownValue, containsUnknown } from "../../../src/values/engine.js";
import { inspect } from "node:util";
import type { Values } from "../../../src/values/any.js";
import { keepStateIfLost, LostAnswerError } from "../../../src/lifecycle/lost-answer.js";
import type { Context } from "../../../src/lifecycle/context.js";
import { withOwnership } from "../../../src/lifecycle/ownership.js";
import type { OrganizationScoped } from "../../../src/lifecycle/object.js";
import { resources } from "../../../src/resources/index.js";
import { retentionPolicyLifecycle } from "../../../src/resources/retention-policy/lifecycle.js";
import { anyRequestId } from "../../support/ids.js";
import { checkContext } from "../../support/resources/check-context.js";

const contextOf = (address: string, organization = "acme"): Context => checkContext({ address, organization });

const inputs = {
  organization: "acme",
  resource: "recordings",
  onCreate: "overwrite",
  retentionDays: 90,
  enabled: true,
  onDelete: "retain",
} as const;

test("an error that carries state shows none of it", async () => {
  const state = { organization: "acme", secret: "canary-5f1c" };
  const error: unknown = await keepStateIfLost(() => Promise.reject(new Error("lost")), state).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LostAnswerError);
  expect((error as LostAnswerError).state).toEqual(state);
  expect((error as LostAnswerError).stack).toBe("LostAnswerError: lost");
  expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String((error as Error).stack)).not.toContain("canary");
});

test("a value is found to be unknown at any depth", () => {
  expect(containsUnknown({ a: [{ b: unknownValue }] })).toBe(true);
  expect(containsUnknown({ a: [{ b: `${unknownValue} ` }], [unknownValue]: 1, c: null })).toBe(false);
});

describe("onDelete", () => {
  const { onCreate: _create, onDelete: _delete, ...short } = inputs;

  test.each([
    ["is not there", short],
    ["is written, as in an import file", inputs],
  ])('where "retain" %s in the state, nothing changes and a delete sends nothing', async (_what, state) => {
    const ctx = contextOf("https://a.example.com", "acme");
    expect(retentionPolicyLifecycle.diff(ctx, state, inputs)).toEqual({ changes: false });
    expect(retentionPolicyLifecycle.diff(ctx, state, { ...inputs, onDelete: "disable" })).toEqual({ changes: true });
    // The context's client refuses every request.
    await expect(retentionPolicyLifecycle.delete(ctx, state)).resolves.toBeUndefined();
  });
});

describe("where requests go", () => {
  const lifecycle = withOwnership(retentionPolicyLifecycle);
  const args = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } as const;
  const [here, there] = ["https://a.example.com", "https://b.example.com"];
  const checked = (address: string, olds: object = {}) => lifecycle.check(contextOf(address), olds, args).inputs;
  const stateAt = (address: string) =>
    ({ organization: "acme", resource: "recordings", retentionDays: 90, enabled: true, address }) as const;

  test("is an input beside the organization's name, with a previous one if it is another", () => {
    for (const olds of [{}, checked(here)]) {
      expect(checked(here, olds)).toMatchObject({ organization: "acme", address: here });
      expect(checked(here, olds)).not.toHaveProperty("__movedFrom");
    }
    expect(checked(there, checked(here))).toMatchObject({ address: there, __movedFrom: here });
  });

  test("is an update that sends nothing where it is another address", async () => {
    const inputs = checked(there, checked(here));
    expect(lifecycle.diff(contextOf(there), stateAt(here), inputs)).toEqual({ changes: true });
    const updated = await lifecycle.update(contextOf(there), stateAt(here), inputs);
    expect(updated).toEqual({ ...stateAt(there), requestId: anyRequestId });
    expect(lifecycle.diff(contextOf(there), updated, checked(there, inputs))).toEqual({ changes: false });
  });

  test("is no update where it is not known", () => {
    expect(lifecycle.diff(contextOf(""), stateAt(here), checked("", checked(here)))).toEqual({ changes: false });
  });
});

describe("one object", () => {
  const policy = { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ", onDelete: { name: "Free" } };
  const { lifecycle } = resources.NetworkPolicy;

  /** Checks in one run; resolves to their problems. */
  function checkedBy(...checks: [name: string | undefined, args: Values, olds?: Values, organization?: string][]) {
    const { run } = contextOf("");
    return checks.flatMap(([name, args, olds = {}, organization = "acme"]) =>
      lifecycle.check({ ...contextOf("", organization), run, name }, olds, args).problems.map(diagnosticText),
    );
  }

  test("is declared once in a run: the second name is refused, also in another spelling, and by URN", () => {
    const refusal =
      'declares the same object as NetworkPolicy "first", "NP-1" of acme: remove one of them [declared-twice]';
    const other = { ...policy, networkPolicyId: "NP-1" };
    expect(checkedBy(["first", policy], ["second", other])).toEqual([refusal]);
    const urn = (name: string) => `urn:pulumi:dev::p::voiceplane:index:NetworkPolicy::${name}`;
    expect(checkedBy([urn("first"), policy], [urn("second"), other])).toEqual([refusal]);
  });

  test("may be checked twice for one resource, be of two organizations, have other types or unknown ids, or swap its names", () => {
    const old = (networkPolicyId: string) => ({ ...policy, networkPolicyId, organization: "acme" });
    expect(
      checkedBy(
        ...(["first", "first", undefined] as const).map((name) => [name, policy] as [string | undefined, Values]),
        ["other", policy, {}, "other"],
        ["a", { ...policy, networkPolicyId: "np-3" }, old("np-2")],
        ["b", { ...policy, networkPolicyId: "np-2" }, old("np-3")],
        ["c", { ...policy, networkPolicyId: unknownValue }],
        ["d", { ...policy, networkPolicyId: unknownValue }],
      ),
    ).toEqual([]);
  });

  test("keeps its organization where its onDelete sends: a replacement would send that first, and both names may mean one organization", () => {
    const olds = { ...policy, organization: "acme" };
    expect(checkedBy(["it", policy, olds, "other"])).toEqual([
      "this NetworkPolicy belongs to the organization acme, and this provider talks to other. If the same organization is meant, keep the " +
        'name with `pulumi config set voiceplane:organization acme`. To move it, set onDelete to "retain" and run the update first [organization-changed]',
    ]);
    expect(checkedBy(["it", policy, { ...olds, onDelete: "retain" }, "other"])).toEqual([]);
    expect(checkedBy(["it", { ...policy, networkPolicyId: "np-2" }, olds, "other"])).toEqual([]);
  });
});

describe("a delete", () => {
  const lifecycle = withOwnership(retentionPolicyLifecycle);
  const state = { ...inputs, onDelete: "disable" } as const;

  /** What the deletes send that follow these checks, in a run with two organizations at one address. */
  async function sentAfter(checked: string[], deleted: string[]): Promise<unknown[]> {
    const sent: unknown[] = [];
    const contexts = new Map(
      ["acme", "other"].map((organization) => [
        organization,
        {
          ...contextOf("https://a.example.com", organization),
          api: { send: (...request: unknown[]) => Promise.resolve(void sent.push([organization, request[2]])) },
        },
      ]),
    );
    const ctxOf = (organization: string) => contexts.get(organization) ?? contextOf("");
    for (const organization of checked)
      lifecycle.check(ctxOf(organization), {}, { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });
    for (const organization of deleted) await lifecycle.delete(ctxOf(organization), { ...state, organization });
    return sent;
  }

  const off = { retention_days: 90, enabled: false };

  test.each([
    ["is sent where nothing is declared", [], ["acme"], [["acme", off]]],
    ["is sent where another organization at the same address declares it", ["other"], ["acme"], [["acme", off]]],
    ["is not sent where the run declares the object", ["acme"], ["acme"], []],
  ])("%s", async (_what, checked, deleted, sent) => {
    expect(await sentAfter(checked, deleted)).toEqual(sent);
  });
});

describe("what check refuses", () => {
  const send = jest.fn(() => Promise.resolve(undefined));
  const ctx = (): Context => ({ ...contextOf(""), api: { send } });
  const address = "https://a.example.com";
  const network = { organization: "acme", address, networkPolicyId: "np-1", onCreate: "overwrite", onDelete: "retain" };
  const office = { ...network, sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"] };
  const retention = { ...inputs, address };

  beforeEach(() => send.mockClear());

  test.each<[what: string, type: keyof typeof resources, before: Values, after: Values, code: string]>([
    ["fewer days", "RetentionPolicy", retention, { retentionDays: 30 }, "retention-shortened"],
    ["no days", "RetentionPolicy", retention, { retentionDays: 0 }, "wrong-value"],
    ["days as text", "RetentionPolicy", retention, { retentionDays: "30" }, "wrong-value"],
    ["another kind of data", "RetentionPolicy", retention, { resource: "conversations" }, "kind-changed"],
    ["a range without its mustInclude", "NetworkPolicy", office, { sourceCidr: "198.51.100.0/24" }, "wrong-range"],
  ])(
    "is refused again before anything is sent, as after a policy has changed %s",
    async (_what, type, before, after, code) => {
      const { lifecycle } = resources[type];
      const news = { ...before, ...after } as Values & OrganizationScoped;
      await expect(lifecycle.update(ctx(), before as OrganizationScoped, news)).rejects.toMatchObject({
        problems: [{ code }],
      });
      if (!["retention-shortened", "kind-changed"].includes(code))
        await expect(lifecycle.create(ctx(), news)).rejects.toMatchObject({ problems: [{ code }] });
      expect(send).not.toHaveBeenCalled();
    },
  );

  test("is not what a policy spells otherwise: it is sent and stored as a check would", async () => {
    const { lifecycle } = resources.NetworkPolicy;
    const remediated = { ...office, sourceCidr: "203.0.113.9/24" };
    expect(await lifecycle.create(ctx(), remediated)).toMatchObject({ sourceCidr: "203.0.113.0/24", address });
    expect(send.mock.calls).toEqual([
      ["patchNetworkPolicy", { network_policy_id: "np-1" }, { source_cidr: "203.0.113.0/24" }],
    ]);
  });
});
