import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beyondPlan, readPlan, writePlan } from "../../../src/cli/plan";
import { temporaryFolder } from "../../support/folders";
import { digest, fromTo, reportOf, stepAfter, stepOf } from "../../support/recorded";

async function planOf(...preview: Parameters<typeof reportOf>) {
  const file = join(temporaryFolder(), "plan.json");
  writePlan(file, await reportOf(...preview));
  return { file, plan: readPlan(file) };
}

const rename = (name: string) => stepAfter("org-office", fromTo({ name: "office" }, { name }));

test("a plan allows what it has, and less", async () => {
  const { plan, file } = await planOf(digest("edited.digest"));
  expect(beyondPlan(plan, await reportOf(digest("edited.digest")))).toEqual([]);
  expect(beyondPlan(plan, await reportOf(digest("unchanged.digest")))).toEqual([]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("another request, another value, and another risk are beyond it", async () => {
  const { plan } = await planOf(rename("hq"));
  expect(beyondPlan(plan, await reportOf(rename("hq")))).toEqual([]);
  expect(beyondPlan(plan, await reportOf(rename("lab")))).toEqual([expect.stringContaining("lab")]);
  expect((await planOf(digest("unchanged.digest"))).plan.changes).toEqual([]);
  const nothing = (await planOf(digest("unchanged.digest"))).plan;
  expect(beyondPlan(nothing, await reportOf(digest("edited.digest")))).not.toEqual([]);
});

test("another address, stack or project is beyond it", async () => {
  const { plan } = await planOf(rename("hq"));
  const elsewhere = rename("hq");
  const { newState } = stepOf(elsewhere, "org-office");
  newState.inputs.address = "https://elsewhere.example.com";
  expect(beyondPlan(plan, await reportOf(elsewhere))).toContain("requests to https://elsewhere.example.com");
  const report = await reportOf(rename("hq"));
  expect(beyondPlan(plan, { ...report, stack: "prod" })).toContain("another stack: prod");
  expect(beyondPlan(plan, { ...report, project: "other" })).toContain("another project: other");
});

test("a change of another package's resource is beyond it", async () => {
  const { plan } = await planOf(rename("hq"));
  const report = await reportOf(rename("hq"));
  expect(beyondPlan(plan, { ...report, others: [{ type: "aws:s3:Bucket", counts: { delete: 1 } }] })).toEqual([
    "aws:s3:Bucket",
  ]);
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
