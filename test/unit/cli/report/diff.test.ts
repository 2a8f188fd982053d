import { readPreview } from "../../../../src/cli/pulumi/preview-or-update";
import { editsOf, editLines } from "../../../../src/cli/report/situations/diff";
import { eventsOf, fromTo, stepAfter, unknown, type Values } from "../../../support/recorded";

function diff(from: Values, to: Values): string[] {
  const { steps } = readPreview(eventsOf(stepAfter("org-crm", fromTo(from, to))));
  return steps.flatMap(({ before, after }) => editsOf(before?.inputs ?? {}, after?.inputs ?? {}).flatMap(editLines));
}

const computed = { organization: "b", address: "https://b", rotateOn: "2026-01-01", reassertOn: "2026-01-01" };

test.each<[what: string, from: Values, to: Values, lines: string[]]>([
  ["another value", { rotateAfter: "90d" }, { rotateAfter: "1d" }, ['~ rotateAfter: "90d" => "1d"']],
  ["no value any more", { secretPath: "a" }, { secretPath: undefined }, ['- secretPath: "a"']],
  ["a list", {}, { mustInclude: ["::1", "::2"] }, ['+ mustInclude: ["::1", "::2"]']],
  ["an empty list, which is none for the provider too", { mustInclude: [] }, { mustInclude: undefined }, []],
  ["an object", {}, { onDelete: { days: 30, enabled: false } }, ["+ onDelete: { days: 30, enabled: false }"]],
  [
    "triggers",
    { triggers: { a: 1, b: true } },
    { triggers: { a: 2, c: "x" } },
    ["~ triggers.a: 1 => 2", "- triggers.b: true", '+ triggers.c: "x"'],
  ],
  ["values that check computes", {}, { ...computed, __due: "2026-01-01" }, []],
  ["a secret", {}, { initialSecret: "[secret]" }, ["+ initialSecret: (a secret value)"]],
  ["a secret that the engine does not know as one", {}, { initialSecret: "canary" }, ["+ initialSecret: (a value)"]],
  ["what is not known yet", { name: "a" }, { name: unknown }, ['~ name: "a" => (not known yet)']],
  ["an input of another version", {}, { novelty: "canary" }, ["+ novelty: (a value)"]],
  ["a long text in a trigger", {}, { triggers: { key: "canary-canary-canary" } }, ["+ triggers.key: (a value)"]],
  ["an object in a trigger", {}, { triggers: { key: { a: "canary-canary" } } }, ["+ triggers.key: (a value)"]],
  ["triggers that are secret", {}, { triggers: "[secret]" }, ["+ triggers: (a secret value)"]],
])("%s", (_what, from, to, lines) => {
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

test("a value takes one line, and is cut to fit", () => {
  const [line = ""] = diff({}, { name: `a\n\u202e${"x".repeat(500)}` });
  expect(line).toMatch(/^\+ name: "a\\n\\u\{202e\}x+…$/);
  expect(line.length).toBeLessThan(140);
});
