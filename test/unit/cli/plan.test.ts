import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beyondPlan, readPlan, writePlan } from "../../../src/cli/stack/plan";
import type { Report } from "../../../src/cli/report/describe";
import { temporaryFolder } from "../../support/folders";
import { digest, fromTo, reportOf, stepAfter, stepOf, type Digest } from "../../support/recorded";

async function planOf(...preview: Parameters<typeof reportOf>) {
  const file = join(temporaryFolder(), "plan.json");
  writePlan(file, await reportOf(...preview));
  return { file, plan: readPlan(file) };
}

const rename = (name: string) => stepAfter("org-office", fromTo({ name: "office" }, { name }));

test("a plan allows what it has, and less", async () => {
  const { plan } = await planOf(digest("edited.digest"));
  for (const name of ["edited.digest", "unchanged.digest"])
    expect(beyondPlan(plan, await reportOf(digest(name)))).toEqual([]);
});

const elsewhere = rename("hq");
stepOf(elsewhere, "org-office").newState.inputs.address = "https://elsewhere.example.com";
const bucket = { type: "aws:s3:Bucket", counts: { delete: 1 } };

test.each<[what: string, preview: Digest, changes: Partial<Report>, beyond: unknown]>([
  ["the same", rename("hq"), {}, []],
  ["another value", rename("lab"), {}, [expect.stringContaining("lab")]],
  ["another address", elsewhere, {}, expect.arrayContaining(["requests to https://elsewhere.example.com"])],
  ["another stack", rename("hq"), { stack: "prod" }, ["another stack: prod"]],
  ["another project", rename("hq"), { project: "other" }, ["another project: other"]],
  ["a change of another package's resource", rename("hq"), { others: [bucket] }, ["aws:s3:Bucket"]],
])("beyond the plan of a rename: %s", async (_what, preview, changes, beyond) => {
  const { plan } = await planOf(rename("hq"));
  expect(beyondPlan(plan, { ...(await reportOf(preview)), ...changes })).toEqual(beyond);
});

test("beyond a plan is also the same change a second time, as of two states of one resource", async () => {
  const { plan } = await planOf(rename("hq"));
  const report = await reportOf(rename("hq"));
  const [change] = report.changes;
  expect(beyondPlan(plan, { ...report, changes: [...report.changes, ...report.changes] })).toEqual([change?.text]);
});

test("beyond a plan without changes is each request and risk", async () => {
  const { plan } = await planOf(digest("unchanged.digest"));
  expect(plan.changes).toEqual([]);
  expect(beyondPlan(plan, await reportOf(digest("edited.digest")))).toHaveLength(9);
});

test("a failed preview, an update and another file are no plan", async () => {
  const { file } = await planOf(rename("hq"));
  const text = readFileSync(file, "utf8");
  const broken = [
    text.replace('"complete": true', '"complete": false'),
    text.replace('"kind": "preview"', '"kind": "update"'),
    text.slice(0, -20),
    "{}",
  ];
  for (const each of broken) {
    expect(each).not.toBe(text);
    writeFileSync(file, each);
    expect(() => readPlan(file)).toThrow(`${file} is not a plan: write one with \`voiceplane preview --out ${file}\``);
  }
});
