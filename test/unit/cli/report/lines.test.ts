/** What a report says of what only some previews have: hidden parts, unknown Providers, refusals, moves. The usual changes are in changes.test.ts. */
import { isPlanned } from "../../../../src/client/planned-request";
import { editLines, editsOf } from "../../../../src/cli/report/edits";
import {
  changeLines,
  digest,
  fromTo,
  linesOf,
  madeAnew,
  reportOf,
  stepAfter,
  stepOf,
  unknown,
  type Digest,
  type DigestStep,
  type State,
  type Values,
} from "../../../support/recorded";

const office = "a0000000-0000-4000-8000-000000000001";
const address = "http://127.0.0.1:8000";
const withSteps = (...steps: DigestStep[]): Digest => ({ ...digest("unchanged.digest"), steps, changeSummary: {} });
const recorded = (name: string) => stepOf(digest("unchanged.digest"), name);

describe("a text with a hidden part is hidden: the engine replaces each secret of the configuration within it", () => {
  const patch = { operation: "patchNetworkPolicy", path: `/v1/network-policies/${office}` } as const;
  const both = "narrows access, widens access";
  const renamed = { name: "HQ" };

  test.each<[what: string, after: Values, request: object, line: string]>([
    [
      "a range",
      { sourceCidr: "[secret].0/24" },
      { body: { name: "Office" }, open: ["source_cidr"], organization: "example", address },
      `[${both}] office: sets \`name: "Office", sourceCidr: "203.0.113.0/24" → (a secret value)\``,
    ],
    [
      "a name",
      { name: "the office of [secret]" },
      { body: { source_cidr: "203.0.113.0/24" }, open: ["name"], organization: "example", address },
      `[${both}] office: sets \`name: "Office" → (a secret value), sourceCidr: "203.0.113.0/24"\``,
    ],
    [
      "the address, to which the token goes",
      { ...renamed, address: "https://[secret].example.com" },
      { body: { name: "HQ", source_cidr: "203.0.113.0/24" }, organization: "example" },
      `[sends the token elsewhere, ${both}] office: sets \`name: "HQ", sourceCidr: "203.0.113.0/24"\` (to an address that cannot be seen here)`,
    ],
    [
      "the organization",
      { ...renamed, organization: "[secret]-voice" },
      { body: { name: "HQ", source_cidr: "203.0.113.0/24" }, organization: "example", address },
      `[${both}] office: sets \`name: "Office" → "HQ", sourceCidr: "203.0.113.0/24"\` (organization: a secret value)`,
    ],
  ])("%s", async (_what, after, request, line) => {
    const report = await reportOf(stepAfter("org-office", fromTo({}, after)));
    expect(
      changeLines(report).map((each) => each.replace(/^(\[.*?\] )?(?:example|\[secret\]-voice): /, "$1")),
    ).toContainEqual(line);
    expect(report.requests).toEqual([{ ...patch, ...request }]);
  });

  test("an id, whose request may be for any object, and which may turn out to be the old one", async () => {
    const report = await reportOf(
      stepAfter("org-office", fromTo({}, { networkPolicyId: "np-[secret]", name: "HQ" }), "replace"),
    );
    expect(report.requests.map(({ path }) => path)).toContain("/v1/network-policies/{network_policy_id}");
    expect(changeLines(report).join()).toContain("(networkPolicyId: a secret value)");
  });

  test("an address that becomes hidden is a move of the organization", async () => {
    const report = await reportOf(stepAfter("org-crm", fromTo({}, { address: "https://[secret]/api" })));
    expect(changeLines(report)).toEqual([
      "[sends the token elsewhere] from this update on, requests with the token of example go to an address that cannot be seen here " +
        `instead of \`${address}\`; what is unchanged is not sent there, and another server may have other settings and secrets`,
    ]);
  });
});

test("an id that is not known yet, of a policy that adopts, may be the old one: what an update would send is planned", async () => {
  const edit = fromTo({}, { networkPolicyId: unknown, onCreate: "adopt", name: "HQ" });
  const { requests } = await reportOf(stepAfter("org-office", edit, "replace"));
  // Beside it stands what `onDelete` sends for the old one.
  expect(requests.slice(0, 1)).toEqual([
    {
      operation: "patchNetworkPolicy",
      path: "/v1/network-policies/{network_policy_id}",
      body: { name: "HQ", source_cidr: "203.0.113.0/24" },
      organization: "example",
      address,
    },
  ]);
});

test.each([unknown, "[secret]"])("a period that is %s may be due", async (rotateAfter) => {
  const report = await reportOf(stepAfter("org-crm", fromTo({ rotateAfter: "90d" }, { rotateAfter })));
  expect(report.requests).toHaveLength(1);
  expect(changeLines(report).join()).toMatch(/^\[rotates a secret, weakens a guard\] crm: rotates .*rotateAfter: /);
});

describe("what no check has seen, because a setting of its Provider is not known yet", () => {
  const provider = "urn:pulumi:dev::previews::pulumi:providers:voiceplane::acme::04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const settings: State = {
    type: "pulumi:providers:voiceplane",
    inputs: { baseUrl: "https://voice.example.com", token: unknown },
    outputs: {},
  };
  const step = (inputs: Values, op = "create", oldState?: State): Digest =>
    withSteps(
      { op: "create", urn: "urn:pulumi:dev::previews::pulumi:providers:voiceplane::acme", newState: settings },
      {
        op,
        urn: "urn:pulumi:dev::previews::voiceplane:index:NetworkPolicy::office",
        newState: { type: "voiceplane:index:NetworkPolicy", provider, inputs, outputs: {} },
        ...(oldState && { oldState }),
      },
    );
  const owner = { organization: "acme", address: "https://voice.example.com" };
  const request = { operation: "patchNetworkPolicy", path: "/v1/network-policies/np-1", ...owner } as const;

  test("keeps its organization, its address and its id in the plan, with any body, and has the worst risks", async () => {
    const report = await reportOf(
      step({ networkPolicyId: "np-1", onCreate: "overwrite", sourceCidr: "203.0.113.7/24" }),
    );
    expect(report.requests).toEqual([request]);
    expect(report.risks).toEqual(["narrows access", "widens access"]);
    const list = report.requests;
    const sent = { ...request, body: { source_cidr: "203.0.113.0/24" } };
    expect([isPlanned(list, sent), isPlanned(list, { ...sent, organization: "eu" })]).toEqual([true, false]);
    expect(isPlanned(list, { ...sent, path: "/v1/network-policies/np-2" })).toBe(false);
  });

  test("sends nothing if it adopts", async () => {
    expect((await reportOf(step({ networkPolicyId: "np-1", onCreate: "adopt", name: "HQ" }))).requests).toEqual([]);
  });

  test("plans what `onDelete` sends for the old object where the id changes", async () => {
    const inputs = { networkPolicyId: "np-1", onCreate: "overwrite", name: "HQ", ...owner };
    const old = { ...inputs, networkPolicyId: "np-0", onDelete: { name: "free" } };
    const state = { type: "voiceplane:index:NetworkPolicy", provider, inputs: old, outputs: old };
    const { requests } = await reportOf(step({ networkPolicyId: "np-1", onCreate: "overwrite" }, "update", state));
    const freed = { ...request, path: "/v1/network-policies/np-0", body: { name: "free" } };
    expect(requests).toEqual([request, freed]);
  });
});

test("an update without a reason that can be seen may send, with the worst of its type", async () => {
  const report = await reportOf(stepAfter("org-crm", () => undefined));
  expect(changeLines(report)).toEqual([
    "[rotates a secret] crm: rotates its signing secret (for a reason that cannot be seen here)",
  ]);
  expect([report.requests.length, report.editCount]).toEqual([1, 1]);
});

describe("an update is refused", () => {
  const errors = async (...steps: DigestStep[]) => {
    const { complete, errors: found } = await reportOf(withSteps(...steps));
    return { complete, found };
  };
  const provider = (name: string) => `urn:pulumi:dev::previews::pulumi:providers:voiceplane::${name}::1`;

  test("that deletes, by a sending `onDelete`, what another organization's resource at the same address creates", async () => {
    const old = recorded("org-carrier-a");
    Object.assign(old.oldState, { provider: provider("example") });
    old.oldState.outputs.onDelete = "clear";
    Object.assign(old.newState.inputs, { organization: "acme" });
    Object.assign(old.newState, { provider: provider("acme") });
    const steps = madeAnew(old, old.urn.replace("::org-", "::acme-"));
    expect(await errors(...steps)).toEqual({
      complete: false,
      found: [
        "carrier-a: its `onDelete` would be sent after acme-carrier-a has set the same object of another organization at the same address: " +
          'set `onDelete` to "retain", update, and then rename the Provider [organization-changed]',
      ],
    });
    Object.assign(old.newState.inputs, { address: "https://another.example.com" });
    expect(await errors(...steps)).toEqual({ complete: true, found: [] });
  });

  test("whose rename would lose a secret, with the remedy; one that rotates is not", async () => {
    const step = recorded("org-crm");
    step.newState.inputs.onCreate = "adopt";
    const steps = madeAnew(step, step.urn.replace("org-crm", "org-payments"));
    expect((await errors(...steps)).found).toEqual([
      "crm: only this state has the secret of this webhook, so the update is refused: add `formerly: crm` to payments [loses-secret]",
    ]);
    step.newState.inputs.onCreate = "rotate";
    expect((await errors(...steps)).found).toEqual([]);
  });

  test("whose option lets the engine drop a secret without asking", async () => {
    const step = recorded("org-crm");
    step.newState.retainOnDelete = true;
    expect((await errors({ ...step, op: "update" })).found).toEqual([
      "crm: with retainOnDelete, the engine can drop the only stored copy of the secret without asking the provider: " +
        "remove the option, in an update of its own [loses-secret]",
    ]);
  });
});

describe("a renamed object has the remedy for its new declaration", () => {
  const renamed = (to: string, edit: (step: ReturnType<typeof recorded>) => void = () => undefined) => {
    const step = recorded("org-carrier-b");
    edit(step);
    return linesOf(withSteps(...madeAnew(step, to)));
  };
  const { urn } = recorded("org-carrier-b");
  const sends = "carrier-b: renamed to";

  test.each<[string, string, Parameters<typeof renamed>[1], string]>([
    [
      "an entry",
      urn.replace("carrier-b", "trunk"),
      undefined,
      "trunk, sends nothing for the old name: add `formerly: carrier-b` to trunk",
    ],
    [
      "a resource outside its Organization",
      "urn:pulumi:dev::previews::pulumi-nodejs:dynamic/voiceplane:TrunkOutboundAuth::trunk",
      ({ newState }) => delete newState.parent,
      `trunk, sends nothing for the old name: add the alias \`${urn}\` to trunk`,
    ],
    [
      "an entry of an Organization that is renamed",
      urn.replace("org-carrier-b", "acme-carrier-b"),
      ({ newState }) => (newState.parent = (newState.parent ?? "").replace(/org$/, "acme")),
      `acme-carrier-b, sends nothing for the old name: add the alias \`${recorded("org-carrier-b").oldState.parent ?? ""}\` to acme`,
    ],
  ])("%s", async (_what, to, edit, says) => {
    expect((await renamed(to, edit)).join("\n")).toContain(`${sends} ${says}`);
  });

  test("an uncertain one that leaves without a request says so", async () => {
    const step = recorded("org-crm");
    step.oldState.outputs.rotationState = "uncertain";
    const [line] = await linesOf(withSteps({ op: "delete", urn: step.urn, oldState: step.oldState }));
    expect(line).toContain(
      "crm: no longer managed, left as it is; it is unknown whether its last rotation was carried out",
    );
  });
});

describe("a Provider", () => {
  const named = (module: string) => `urn:pulumi:dev::previews::pulumi:providers:${module}::eu`;
  const state = (module: string, baseUrl: string, more: Values = {}): State => {
    const dynamic = module === "pulumi-nodejs";
    const key = (name: string) => (dynamic ? `voiceplane:${name}` : name);
    const inputs = { [key("baseUrl")]: baseUrl, ...(dynamic && { "voiceplane:providerName": "eu" }), ...more };
    return { type: `pulumi:providers:${module}`, inputs, outputs: {} };
  };
  const a = "https://a.example.com";

  test.each<[string, DigestStep[], string[]]>([
    [
      "that moves from dynamic to native is one line",
      [
        { op: "create", urn: named("voiceplane"), newState: state("voiceplane", a) },
        { op: "delete", urn: named("pulumi-nodejs"), oldState: state("pulumi-nodejs", a) },
      ],
      ["eu: settings of the organization changed, perhaps its token too"],
    ],
    [
      "that moves and has another address sends the token there",
      [
        { op: "create", urn: named("voiceplane"), newState: state("voiceplane", "https://b.example.com") },
        { op: "delete", urn: named("pulumi-nodejs"), oldState: state("pulumi-nodejs", a) },
      ],
      [
        "[sends the token elsewhere] from this update on, requests with the token of eu go to `https://b.example.com` instead of " +
          `\`${a}\`; what is unchanged is not sent there, and another server may have other settings and secrets`,
      ],
    ],
    [
      "that allows plain http weakens a guard",
      [
        {
          op: "update",
          urn: named("voiceplane"),
          oldState: state("voiceplane", a),
          newState: state("voiceplane", a, { allowInsecureHttp: true }),
        },
      ],
      ["[weakens a guard] eu: plain http allowed: anyone between this machine and the server can read the token"],
    ],
  ])("%s", async (_what, steps, lines) => {
    expect(await linesOf(withSteps(...steps))).toEqual(lines);
  });
});

test("what is sent again because it is due or uncertain is no edit; what somebody has edited too is one", async () => {
  const edits = async (from: Values, to: Values, state: Values = {}) => {
    const preview = stepAfter("org-conversations", (step) => {
      fromTo(from, to)(step);
      Object.assign(step.oldState.outputs, state);
    });
    const { editCount, requestCount } = await reportOf(preview);
    return { editCount, requestCount };
  };
  const due = { reassertOn: "2027-01-01", __due: "2026-12-01" };
  expect(await edits({ reassertAfter: "30d" }, due)).toEqual({ editCount: 0, requestCount: 1 });
  expect(await edits({}, {}, { uncertain: "update" })).toEqual({ editCount: 0, requestCount: 1 });
  expect(await edits({ reassertAfter: "30d" }, { ...due, retentionDays: 31 })).toEqual({
    editCount: 1,
    requestCount: 1,
  });
  expect(await edits({ reassertAfter: "30d" }, due, { confirmed: false })).toEqual({ editCount: 1, requestCount: 1 });
  // The organization and its policy.
  expect(await edits({ reassertAfter: "30d" }, { ...due, address: "https://b.example.com" })).toEqual({
    editCount: 2,
    requestCount: 1,
  });
});

test.each([
  [2, 0],
  [3, 1],
])("of a rotation by trigger 2 that got no answer, trigger %i is %i edits", async (n, editCount) => {
  const preview = stepAfter("org-crm", (step) => {
    fromTo({ triggers: { n: 1 } }, { triggers: { n } })(step);
    Object.assign(step.oldState.outputs, { triggers: { n: 2 }, rotationState: "uncertain" });
  });
  expect(await reportOf(preview)).toMatchObject({ editCount, requestCount: 1 });
});

test("of several organizations, each line has its own", async () => {
  const [first, second] = [recorded("org-carrier-a"), recorded("org-carrier-b")];
  second.oldState.outputs.organization = "eu";
  const removed = [first, second].map(({ urn, oldState }) => ({ op: "delete", urn, oldState }));
  expect((await linesOf(withSteps(...removed))).join("\n")).toMatch(/\] example: carrier-a: [^]*\] eu: carrier-b: /);
});

describe("an edit of an option is a line of code", () => {
  const shown = (from: Values, to: Values) => editsOf(from, to).flatMap(editLines);

  test.each<[what: string, from: Values, to: Values, lines: string[]]>([
    ["an empty list, which is none for the provider too", { mustInclude: [] }, {}, []],
    [
      "values that check computes",
      {},
      { organization: "b", address: "https://b", rotateOn: "2026-01-01", __due: "x" },
      [],
    ],
    ["a secret", {}, { initialSecret: "[secret]" }, ["+ initialSecret: (a secret value)"]],
    ["a secret that the engine does not know as one", {}, { initialSecret: "canary" }, ["+ initialSecret: (a value)"]],
    ["an input of another version", {}, { novelty: "canary" }, ["+ novelty: (a value)"]],
    ["a long text in a trigger", {}, { triggers: { key: "canary-canary-canary" } }, ["+ triggers.key: (a value)"]],
  ])("%s", (_what, from, to, lines) => {
    expect(shown(from, to)).toEqual(lines);
  });

  test("a value takes one line, and is cut to fit", () => {
    const [line = ""] = shown({}, { name: `a\n\u202e${"x".repeat(500)}` });
    expect(line).toMatch(/^\+ name: "a\\n\\u\{202e\}x+…$/);
    expect(line.length).toBeLessThan(140);
  });
});
