import { readPreviewOrUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { linesOf } from "../../../../src/cli/report/diff";
import { editsOf } from "../../../../src/cli/report/resources";
import { eventsOf, fromTo, stepAfter, unknown, type Values } from "../../../support/recorded";

function diff(from: Values, to: Values): string[] {
  const { steps } = readPreviewOrUpdate(eventsOf(stepAfter("org-crm", fromTo(from, to))));
  return steps.flatMap(({ before, after }) => editsOf(before?.inputs ?? {}, after?.inputs ?? {}).flatMap(linesOf));
}

test.each([
  [{ rotateAfter: "90d" }, { rotateAfter: "1d" }, ['~ rotateAfter: "90d" => "1d"']],
  [{ secretPath: "a" }, { secretPath: undefined }, ['- secretPath: "a"']],
  [{}, { mustInclude: ["::1", "::2"] }, ['+ mustInclude: ["::1", "::2"]']],
  // For the provider too, an empty list is the same as none.
  [{ mustInclude: [] }, { mustInclude: undefined, mustExclude: [] }, []],
  [{}, { onDelete: { retentionDays: 30, enabled: false } }, ["+ onDelete: { retentionDays: 30, enabled: false }"]],
  [
    { triggers: { a: 1, b: true } },
    { triggers: { a: 2, c: "x" } },
    ["~ triggers.a: 1 => 2", "- triggers.b: true", '+ triggers.c: "x"'],
  ],
])("from %j to %j", (from, to, lines) => {
  expect(diff({ triggers: undefined, ...from }, to)).toEqual(lines);
});

test.each([
  ["RetentionPolicy", ["resource", "retentionDays", "enabled", "allowShortening"]],
  ["NetworkPolicy", ["networkPolicyId", "name", "sourceCidr", "mustInclude", "mustExclude"]],
  ["TrunkOutboundAuth", ["trunkId", "cleared"]],
  ["WebhookSecret", ["webhookId", "rotateAfter", "secretPath"]],
  ["every setting", ["onCreate", "onDelete", "reassertAfter", "reassertUnattended"]],
])("the values of %s are shown, except secrets", (_resource, names) => {
  const all = (value: unknown) => Object.fromEntries(names.map((name) => [name, value]));
  const lines = names.map((name) => `+ ${name}: "new"`);
  expect(diff(all(undefined), all("new")).sort()).toEqual(lines.sort());
});

test("values that check computes are not shown", () => {
  const computed = {
    organization: "b",
    address: "https://b",
    rotateOn: "2026-01-01",
    reassertOn: "2026-01-01",
    __due: "2026-01-01",
  };
  expect(diff({}, computed)).toEqual([]);
});

test.each([
  ["a secret", { initialSecret: "[secret]" }, "+ initialSecret: (a secret value)"],
  ["a secret that the engine does not know as one", { initialSecret: "canary" }, "+ initialSecret: (a value)"],
  ["what is not known yet", { rotateAfter: unknown }, '~ rotateAfter: "90d" => (not known yet)'],
  ["an input of another version", { novelty: "canary" }, "+ novelty: (a value)"],
  ["a long text in a trigger", { triggers: { key: "canary-canary-canary" } }, "+ triggers.key: (a value)"],
  ["an object in a trigger", { triggers: { key: { a: "canary-canary" } } }, "+ triggers.key: (a value)"],
  ["triggers that are secret", { triggers: "[secret]" }, "+ triggers: (a secret value)"],
])("%s is not shown", (_what, to, line) => {
  expect(diff({ triggers: undefined, rotateAfter: "90d" }, to)).toEqual([line]);
});

test("a value takes one line, and is cut to fit", () => {
  const [line = ""] = diff({}, { name: `a\n\u202e${"x".repeat(500)}` });
  expect(line).toMatch(/^\+ name: "a\\n\\u\{202e\}x+…$/);
  expect(line.length).toBeLessThan(140);
});
