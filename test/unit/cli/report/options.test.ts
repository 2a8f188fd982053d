/** The engine's own resource options, and unfinished steps of an update. */
import { asUpdate, digest, fromTo, linesOf, reportOf, sentence, stepAfter, stepOf } from "../../../support/recorded";

test.each([
  [{ protect: true }, {}, "[weakens a guard] recordings: `- protect: true`"],
  [{}, { protect: true }, "recordings: `+ protect: true`"],
  [{}, { ignoreChanges: ["retentionDays", "enabled"] }, 'recordings: `+ ignoreChanges: ["retentionDays", "enabled"]`'],
  [{}, { ignoreChanges: ["reassertOn"] }, '[weakens a guard] recordings: `+ ignoreChanges: ["reassertOn"]`'],
  [{ ignoreChanges: ["enabled"] }, {}, 'recordings: `- ignoreChanges: ["enabled"]`'],
  [{}, { customTimeouts: { create: 300 } }, "recordings: `+ customTimeouts: { create: 300 }`"],
  [{}, { replaceOnChanges: ["enabled"] }, 'recordings: `+ replaceOnChanges: ["enabled"]`'],
])("from %j to %j", async (from, to, text) => {
  const line = await sentence(
    "org-recordings",
    ({ oldState, newState }) => {
      Object.assign(oldState, from);
      Object.assign(newState, to);
    },
    "same",
  );
  expect(line).toBe(text);
});

test("an import sends nothing", async () => {
  expect(await sentence("org-recordings", fromTo({}, { retentionDays: 30 }), "import")).toBe(
    "recordings: taken over as it is, without a request",
  );
});

test.each([
  [true, false, "[weakens a guard] recordings: `~ retainOnDelete: true => false`"],
  [false, true, "recordings: `~ retainOnDelete: false => true`"],
])("retainOnDelete of a resource whose onDelete sends, from %j to %j", async (from, to, text) => {
  const edit = fromTo({ onDelete: "disable" }, {});
  const line = await sentence("org-recordings", (step) => {
    edit(step);
    [step.oldState.retainOnDelete, step.newState.retainOnDelete] = [from, to];
  });
  expect(line).toBe(text);
});

test("an onDelete without effect, because of retainOnDelete, weakens nothing", async () => {
  expect(await sentence("org-recordings", fromTo({ onDelete: "retain" }, { onDelete: "disable" }))).toBe(
    'recordings: `~ onDelete: "retain" => "disable"`; `~ retainOnDelete: false => true`',
  );
});

test.each(["novelty", "constructor", "toString"])("an input of a newer version: %s", async (name) => {
  expect(await sentence("org-recordings", fromTo({}, { [name]: 1 }))).toBe(`recordings: \`+ ${name}: (a value)\``);
});

test("values that the state already has, after a partly failed update, are stored", async () => {
  const edit = ({ oldState, newState }: Parameters<Parameters<typeof sentence>[1]>[0]) => {
    newState.inputs.retentionDays = 90;
    oldState.outputs.retentionDays = 90;
  };
  expect(await sentence("org-recordings", edit, "same")).toBe(
    "recordings: `~ retentionDays: 365 => 90`: stored without a request",
  );
});

test("a replacement that adopts compares with what the state knows", async () => {
  const adopt = { onCreate: "adopt" };
  expect(await sentence("org-recordings", fromTo(adopt, { retentionDays: 730 }), "replace")).toBe(
    "[weakens a guard] recordings: adopted as 730 days without a request, which is not confirmed; the state has other values, " +
      "and the change is not sent; `~ retentionDays: 365 => 730`",
  );
  expect(await sentence("org-recordings", fromTo(adopt, {}), "replace")).toBe(
    "recordings: adopted as 365 days without a request, which is not confirmed",
  );
});

test("retainOnDelete of a resource whose onDelete does nothing is no edit", async () => {
  const preview = stepAfter("org-recordings", ({ newState }) => (newState.retainOnDelete = false), "same");
  expect((await reportOf(preview)).summary).toBe("no changes");
});

test("an updated component is not counted", async () => {
  const preview = digest("unchanged.digest");
  const step = stepOf(preview, "org");
  step.op = "update";
  preview.steps = [step];
  preview.changeSummary = { update: 1 };
  expect((await reportOf(preview)).changeCount).toBe(0);
});

describe("a step of an update", () => {
  const preview = stepAfter("org-recordings", fromTo({}, { retentionDays: 3650 }));
  const [step] = preview.steps;
  const events = (failed: string[]) => asUpdate(preview, failed);

  test("that finished is reported as done", async () => {
    expect(await linesOf(events([]))).toEqual(["recordings: 365 → 3650 days"]);
  });

  test("that failed or was cut off is not", async () => {
    const unfinished = ["did not finish: recordings: 365 → 3650 days"];
    expect(await linesOf(events([step?.urn ?? ""]))).toEqual(unfinished);
    const lines = events([]).split("\n");
    const cut = lines.filter((line) => !line.includes("resOutputsEvent")).join("\n");
    expect(await linesOf(cut.replace('"succeeded"', '"failed"'))).toEqual(unfinished);
  });
});
