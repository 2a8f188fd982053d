import { fromTo, sentence, unknown, type Values } from "../../../../support/recorded";

const sentenceFor = (from: Values, to: Values, op?: string) => sentence("org-carrier-a", fromTo(from, to), op);

test("cleared becomes true: the provider cannot undo it", async () => {
  expect(await sentenceFor({ cleared: false }, { cleared: true })).toBe(
    "[cuts a trunk] carrier-a: clears its outbound credentials, which this provider cannot restore",
  );
});

test("cleared becomes false: nothing is sent", async () => {
  expect(await sentenceFor({ cleared: true }, { cleared: false })).toBe(
    "carrier-a: only tracked from now on: credentials that were cleared are not restored",
  );
});

test("a trigger of a trunk that is not cleared sends nothing", async () => {
  expect(await sentenceFor({ cleared: false }, { triggers: { year: 2027 } })).toBe(
    "carrier-a: `triggers` changed: stored without a request",
  );
});

test.each([
  [unknown, "not known yet"],
  ["[secret]", "a secret value"],
])("cleared is hidden, %j: a risk", async (cleared, words) => {
  expect(await sentenceFor({ cleared: false }, { cleared })).toBe(
    `[cuts a trunk] carrier-a: may clear its outbound credentials (whether it is cleared is ${words}), which this provider cannot restore`,
  );
});

const again = "carrier-a: clears its outbound credentials once more";
const end = ", which this provider cannot restore";

test.each([
  [{ year: 2026 }, { year: 2027 }, `[cuts a trunk] ${again} (trigger year changed)${end}`],
  [{}, { year: 2027 }, `[cuts a trunk] ${again} (trigger year added)${end}`],
  [{ year: 2026 }, undefined, `[cuts a trunk] ${again} (trigger year removed)${end}`],
  [
    { year: 2026 },
    { year: "[secret]" },
    `[cuts a trunk] carrier-a: may clear its outbound credentials once more (trigger year is a secret value)${end}`,
  ],
])("triggers from %j to %j", async (from, to, text) => {
  expect(await sentenceFor({ cleared: true, triggers: from }, { triggers: to })).toBe(text);
});

describe("a due clearing", () => {
  const due = { __due: "2026-11-20" };

  test("is a risk", async () => {
    expect(await sentenceFor({ cleared: true }, due)).toBe(`[cuts a trunk] ${again} (due 2026-11-20)${end}`);
  });

  test("is no risk with reassertUnattended", async () => {
    expect(await sentenceFor({ cleared: true, reassertUnattended: true }, due)).toBe(`${again} (due 2026-11-20)${end}`);
  });

  test("is a risk together with a changed trigger, or after a lost answer", async () => {
    const unattended = { cleared: true, reassertUnattended: true };
    expect(await sentenceFor(unattended, { ...due, triggers: { year: 2027 } })).toContain("[cuts a trunk]");
    expect(await sentenceFor({ ...unattended, uncertain: "update" }, due)).toContain("[cuts a trunk]");
  });
});

test.each([
  [
    {},
    { onDelete: "clear" },
    "[weakens a guard] carrier-a: destroy will clear its outbound credentials, which this provider cannot restore",
  ],
  [{ onDelete: "clear" }, { onDelete: "retain" }, "carrier-a: destroy will leave it as it is"],
  [
    { onDelete: "retain" },
    { onDelete: "[secret]" },
    "[weakens a guard] carrier-a: what destroy will do is a secret value",
  ],
  [
    {},
    { reassertAfter: "7d", reassertOn: "2026-08-29" },
    "carrier-a: cleared again every 7 days, for the first time 7 days after the update",
  ],
])("an edit with a later effect, from %j to %j", async (from, to, text) => {
  expect(await sentenceFor({ onDelete: "retain", ...from }, to, "same")).toBe(text);
});
