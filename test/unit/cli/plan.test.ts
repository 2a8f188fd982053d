import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beyondPlan, differences, planOf, readPlan, writePlan, type Plan } from "../../../src/cli/stack/plan";
import { temporaryFolder } from "../../support/folders";
import { digest, fromTo, reportOf, stepAfter, stepOf, unknown, type Digest } from "../../support/recorded";

async function plan(...preview: Parameters<typeof reportOf>): Promise<Plan> {
  return planOf(await reportOf(...preview));
}

async function planFile(preview: Digest): Promise<string> {
  const file = join(temporaryFolder(), "plan.json");
  writePlan(file, await reportOf(preview));
  return file;
}

const office = "a0000000-0000-4000-8000-000000000001";
const crm = "c0000000-0000-4000-8000-000000000001";
const rename = (name: string) => stepAfter("org-office", fromTo({ name: "office" }, { name }));
const range = (sourceCidr: string) => stepAfter("org-office", fromTo({ sourceCidr: "203.0.113.0/24" }, { sourceCidr }));
const rotated = (quarter: string) =>
  stepAfter("org-crm", fromTo({ triggers: { quarter: "Q1" } }, { triggers: { quarter } }));

test("the requests of a plan are operations with paths, bodies and owners", async () => {
  const owner = { organization: "example", address: "http://127.0.0.1:8000" };
  const { requests } = readPlan(await planFile(range("203.0.113.0/25")));
  expect(requests).toEqual([
    {
      operation: "patchNetworkPolicy",
      path: `/v1/network-policies/${office}`,
      body: { name: "Office", source_cidr: "203.0.113.0/25" },
      ...owner,
    },
  ]);
  expect((await plan(rotated("Q2"))).requests).toEqual([
    { operation: "rotateWebhookSecret", path: `/v1/webhooks/${crm}/rotate-secret`, ...owner },
  ]);
});

test.each([
  ["unknown", unknown],
  ["secret", "[secret]"],
])("a value that is %s is open, and so is the id of an object", async (_what, hidden) => {
  const { requests } = await plan(range(hidden));
  expect(requests).toEqual([expect.objectContaining({ body: { name: "Office" }, open: ["source_cidr"] })]);
  const replaced = stepAfter("org-crm", fromTo({}, { webhookId: hidden, onCreate: "rotate" }), "replace");
  expect((await plan(replaced)).requests).toEqual([
    expect.objectContaining({ path: "/v1/webhooks/{webhook_id}/rotate-secret" }),
  ]);
});

test("a plan allows what it has, and less", async () => {
  const edited = readPlan(await planFile(digest("edited.digest")));
  for (const name of ["edited.digest", "unchanged.digest"])
    expect(beyondPlan(edited, await plan(digest(name)))).toEqual([]);
});

const elsewhere = rename("hq");
stepOf(elsewhere, "org-office").newState.inputs.address = "https://elsewhere.example.com";

test.each<[what: string, before: Digest, now: Digest, beyond: unknown]>([
  ["the same", rename("hq"), rename("hq"), []],
  ["another trigger", rotated("Q2"), rotated("Q3"), []],
  [
    "another value",
    range("203.0.113.0/25"),
    range("203.0.113.0/26"),
    [
      `PATCH /v1/network-policies/${office} {"name":"Office","source_cidr":"203.0.113.0/26"}, ` +
        'instead of {"name":"Office","source_cidr":"203.0.113.0/25"}',
    ],
  ],
  ["a value that is known by now", range(unknown), range("203.0.113.0/26"), []],
  [
    "a value that is no longer known",
    range("203.0.113.0/26"),
    range("[secret]"),
    expect.arrayContaining([expect.stringContaining('"source_cidr":any value')]),
  ],
  [
    "another address",
    rename("hq"),
    elsewhere,
    expect.arrayContaining([
      "requests to https://elsewhere.example.com",
      expect.stringMatching(
        /^PATCH .* for example at https:\/\/elsewhere.example.com, instead of example at http:\/\/127.0.0.1:8000$/,
      ),
    ]),
  ],
])("beyond a plan: %s", async (_what, before, now, beyond) => {
  expect(beyondPlan(await plan(before), await plan(now))).toEqual(beyond);
});

test("beyond a plan is another stack or project", async () => {
  const before = await plan(rename("hq"));
  expect(beyondPlan(before, { ...before, stack: "prod" })).toEqual(["another stack: prod"]);
  expect(beyondPlan(before, { ...before, project: "other" })).toEqual(["another project: other"]);
});

test("a guard that becomes looser in another way is not what was approved, and a request that is the same may have another risk", async () => {
  const guard = (...mustInclude: string[]) =>
    stepAfter("org-office", fromTo({ mustInclude: ["203.0.113.7", "203.0.113.8"] }, { mustInclude }));
  const [one, other] = [await plan(guard("203.0.113.7")), await plan(guard("203.0.113.8"))];
  expect(beyondPlan(one, one)).toEqual([]);
  expect(beyondPlan(one, other)).toEqual(['office: ~ mustInclude: ["203.0.113.7", "203.0.113.8"] => ["203.0.113.8"]']);
  const days = (retentionDays: number) => stepAfter("org-recordings", fromTo({ retentionDays }, { retentionDays: 90 }));
  expect(beyondPlan(await plan(days(60)), await plan(days(365)))).toEqual(["recordings: deletes data"]);
});

describe("resources of other packages are compared by URN, operation and changed properties:", () => {
  const other = (name: string, op: string, before: object, after: object): Digest => {
    const preview = digest("unchanged.digest");
    const state = (inputs: object) => ({ type: "aws:s3:Bucket", inputs: { ...inputs }, outputs: {} });
    const newState = op === "delete" ? undefined : state(after);
    const urn = `urn:pulumi:dev::previews::aws:s3:Bucket::${name}`;
    preview.steps = [{ op, urn, oldState: state(before), ...(newState && { newState }) }];
    preview.changeSummary = { [op]: 1 };
    return preview;
  };
  const urn = "urn:pulumi:dev::previews::aws:s3:Bucket::b";

  test.each<[what: string, before: Digest, now: Digest, beyond: string[]]>([
    ["the same", other("b", "delete", {}, {}), other("b", "delete", {}, {}), []],
    ["another name", other("a", "delete", {}, {}), other("b", "delete", {}, {}), [`delete ${urn}`]],
    [
      "another operation",
      other("b", "update", {}, { tags: 1 }),
      other("b", "replace", {}, { tags: 1 }),
      [`replace ${urn} (tags)`],
    ],
    [
      "another property",
      other("b", "update", {}, { tags: 1 }),
      other("b", "update", {}, { acl: 1 }),
      [`update ${urn} (acl)`],
    ],
    ["fewer properties", other("b", "update", {}, { tags: 1, acl: 1 }), other("b", "update", {}, { acl: 1 }), []],
    ["another value", other("b", "update", {}, { tags: 1 }), other("b", "update", {}, { tags: 2 }), []],
  ])("%s", async (_what, before, now, beyond) => {
    expect(beyondPlan(await plan(before), await plan(now))).toEqual(beyond);
  });
});

test("what a person has approved and is gone is a difference too, and a request with other values is listed once", async () => {
  const [wide, narrow] = [await plan(range("203.0.113.0/25")), await plan(range("203.0.113.0/26"))];
  expect(differences(wide, wide)).toEqual([]);
  expect(differences(wide, narrow)).toEqual([expect.stringMatching(/\/26.* instead of .*\/25/)]);
  expect(differences(wide, await plan(digest("unchanged.digest")))).toEqual([
    `no longer: PATCH /v1/network-policies/${office} {"name":"Office","source_cidr":"203.0.113.0/25"}`,
    "no longer: office: narrows access",
  ]);
});

test("a failed preview, an update and another file are no plan", async () => {
  const file = await planFile(rename("hq"));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const text = readFileSync(file, "utf8");
  const broken = [
    text.replace('"complete": true', '"complete": false'),
    text.replace('"phase": "preview"', '"phase": "update"'),
    text.slice(0, -20),
    "{}",
  ];
  for (const each of broken) {
    expect(each).not.toBe(text);
    writeFileSync(file, each);
    expect(() => readPlan(file)).toThrow(`${file} is not a plan: write one with \`voiceplane preview --out ${file}\``);
  }
});
