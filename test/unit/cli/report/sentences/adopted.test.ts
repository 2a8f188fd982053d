/** What the report says where `onCreate` takes a setting over without a request. */
import { fromTo, sentence, type DigestStep, type Values } from "../../../../support/recorded";

const adopt = { onCreate: "adopt" };

/** A create, of an object of which no other state is known. */
const created = (name: string, to: Values) =>
  sentence(
    name,
    (step) => {
      fromTo({}, { ...adopt, ...to })(step);
      delete (step as DigestStep).oldState;
    },
    "create",
  );

test.each([
  ["org-recordings", {}, "recordings: adopted as 365 days without a request, which is not confirmed"],
  [
    "org-recordings",
    { retentionDays: 30, enabled: false },
    "recordings: adopted as 30 days, turned off without a request, which is not confirmed",
  ],
  [
    "org-recordings",
    { retentionDays: "[secret]" },
    "recordings: adopted as values that cannot be seen here without a request, which is not confirmed",
  ],
  [
    "org-office",
    {},
    'office: adopted as 203.0.113.0/24 and the name "Office" without a request, which is not confirmed',
  ],
  ["org-carrier-a", { cleared: true }, "carrier-a: adopted as cleared without a request, which is not confirmed"],
  ["org-carrier-a", { cleared: false }, "carrier-a: tracked, with its outbound credentials left as they are"],
])("%s with %j", async (name, values, text) => {
  expect(await created(name, values)).toBe(text);
});

test.each([
  ["org-recordings", {}, ""],
  ["org-recordings", { retentionDays: 730 }, "; the state has other values, and the change is not sent"],
])("%s, replaced with %j: what the state knows is compared", async (name, values, end) => {
  const text = await sentence(name, fromTo(adopt, values), "replace");
  expect(text).toContain(` without a request, which is not confirmed${end}`);
  expect(text.includes("weakens a guard")).toBe(end !== "");
});

test("a change of onCreate alone says what it is for, and is stored", async () => {
  expect(await sentence("org-recordings", fromTo({}, adopt))).toBe(
    "recordings: if it is created anew, it is adopted without a request",
  );
  expect(await sentence("org-office", fromTo(adopt, { onCreate: undefined }))).toBe(
    "office: if it is created anew, it is sent",
  );
  expect(await sentence("org-office", fromTo({}, { onCreate: "[secret]" }))).toBe(
    "office: if it is created anew, whether it is sent is a secret value",
  );
});

test("a trunk that was adopted as cleared is cleared for the first time, not once more", async () => {
  const adopted = { cleared: true, confirmed: false, triggers: { year: 2026 } };
  expect(await sentence("org-carrier-a", fromTo(adopted, { triggers: { year: 2027 } }))).toBe(
    "[cuts a trunk] carrier-a: clears its outbound credentials (trigger year changed), which this provider cannot restore",
  );
});
