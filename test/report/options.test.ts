/** The engine's own resource options, and unfinished steps of an update. */
import { asUpdate, digest, fromTo, reportOf, sentence, stepAfter, stepOf, changeLines } from "./recorded";

test.each([
  [{ protect: true }, {}, "[weakens a guard] recordings is no longer protected: deleting it is no longer refused"],
  [{}, { protect: true }, "recordings is protected: deleting it is refused from now on"],
  [
    {},
    { ignoreChanges: ["retentionDays", "enabled"] },
    "recordings: edits of `retentionDays`, `enabled` are ignored from now on (`ignoreChanges`)",
  ],
  [
    {},
    { ignoreChanges: ["reassertOn"] },
    "[weakens a guard] recordings: edits of `reassertOn` are ignored from now on (`ignoreChanges`)",
  ],
  [{ ignoreChanges: ["enabled"] }, {}, "recordings: edits are no longer ignored (`ignoreChanges`)"],
  [{}, { customTimeouts: { create: 300 } }, "recordings: `customTimeouts` changed; that is stored and nothing is sent"],
  [{}, { replaceOnChanges: ["enabled"] }, "recordings: `replaceOnChanges` changed; that is stored and nothing is sent"],
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

test("retainOnDelete of a resource whose onDelete does nothing is no edit", async () => {
  const preview = stepAfter("org-recordings", ({ newState }) => (newState.retainOnDelete = false), "same");
  expect((await reportOf(JSON.stringify(preview))).summary).toBe("no changes");
});

test("an updated component is not counted", async () => {
  const preview = digest("unchanged.digest");
  const step = stepOf(preview, "org");
  step.op = "update";
  preview.steps = [step];
  preview.changeSummary = { update: 1 };
  expect((await reportOf(JSON.stringify(preview))).changeCount).toBe(0);
});

describe("a step of an update", () => {
  const preview = stepAfter("org-recordings", fromTo({}, { retentionDays: 3650 }));
  const [step] = preview.steps;
  const events = (failed: string[]) => asUpdate(preview, failed);

  test("that finished is reported as done", async () => {
    expect(changeLines(await reportOf(events([])))).toEqual([
      "recordings were set to be kept 3650 instead of 365 days",
    ]);
  });

  test("that failed or was cut off is not", async () => {
    const unfinished = ["did not finish: recordings are kept 3650 instead of 365 days"];
    expect(changeLines(await reportOf(events([step?.urn ?? ""])))).toEqual(unfinished);
    const lines = events([]).split("\n");
    const cut = lines.filter((line) => !line.includes("resOutputsEvent")).join("\n");
    expect(changeLines(await reportOf(cut.replace('"succeeded"', '"failed"')))).toEqual(unfinished);
  });
});
