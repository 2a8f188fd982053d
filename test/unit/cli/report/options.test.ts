/** The engine's own resource options, and unfinished steps of an update. */
import { asUpdate, digest, fromTo, linesOf, reportOf, sentence, stepAfter, stepOf } from "../../../support/recorded";

test.each([
  [{ protect: true }, {}, "[weakens a guard] recordings: no longer protected: it can be deleted now"],
  [{}, { protect: true }, "recordings: protected: a delete is refused from now on"],
  [
    {},
    { ignoreChanges: ["retentionDays", "enabled"] },
    "recordings: ignores edits of `retentionDays`, `enabled` from now on (`ignoreChanges`)",
  ],
  [
    {},
    { ignoreChanges: ["reassertOn"] },
    "[weakens a guard] recordings: ignores edits of `reassertOn` from now on (`ignoreChanges`)",
  ],
  [{ ignoreChanges: ["enabled"] }, {}, "recordings: no longer ignores edits (`ignoreChanges`)"],
  [{}, { customTimeouts: { create: 300 } }, "recordings: `customTimeouts` changed: stored without a request"],
  [{}, { replaceOnChanges: ["enabled"] }, "recordings: `replaceOnChanges` changed: stored without a request"],
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
