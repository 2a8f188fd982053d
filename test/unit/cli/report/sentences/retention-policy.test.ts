import { fromTo, sentence, unknown, type Values } from "../../../../support/recorded";

const sentenceFor = (from: Values, to: Values) => sentence("org-recordings", fromTo(from, to));

test.each([
  [90, 365, "recordings: 90 → 365 days"],
  [2, 1, "[deletes data] recordings: 2 → 1 day; deletes what is older"],
])("from %d to %d days", async (from, to, text) => {
  expect(await sentenceFor({ retentionDays: from }, { retentionDays: to })).toBe(text);
});

test("turned on: older data is deleted", async () => {
  expect(await sentenceFor({ enabled: false, retentionDays: 90 }, { enabled: true })).toBe(
    "[deletes data] recordings: turns the policy on, with 90 days; deletes what is older",
  );
});

test("turned off: the server decides", async () => {
  expect(await sentenceFor({ enabled: true }, { enabled: false })).toBe(
    "[deletes data] recordings: turns the policy off: what happens to the data is up to the server",
  );
});

test.each([
  [365, 90, "[deletes data] recordings: 365 → 90 days, still turned off; may delete data"],
  [90, 365, "recordings: 90 → 365 days, still turned off"],
])("off before and after, from %d to %d days", async (from, to, text) => {
  expect(await sentenceFor({ enabled: false, retentionDays: from }, { retentionDays: to })).toBe(text);
});

test.each([
  [{ enabled: unknown }, "recordings: whether the policy is on is not known yet"],
  [{ enabled: "[secret]" }, "recordings: whether the policy is on is a secret value"],
  [{ retentionDays: unknown }, "recordings: the number of days is not known yet"],
  [{ retentionDays: "[secret]" }, "recordings: the number of days is a secret value"],
])("%j: a risk, because the value is hidden", async (inputs, text) => {
  expect(await sentenceFor({}, inputs)).toBe(`[deletes data] ${text}; may delete data`);
});

describe("a setting that is due again", () => {
  const due = { reassertAfter: "7d", reassertOn: "2026-09-05", __due: "2026-08-29" };
  const before = { reassertAfter: "7d", reassertOn: "2026-08-29", __due: undefined };

  test("replaces an unknown value, which is a risk", async () => {
    expect(await sentenceFor(before, due)).toBe(
      "[deletes data] recordings: sends 365 days again (due 2026-08-29); replaces whatever was set elsewhere " +
        "and may delete what is older",
    );
  });

  test("is no risk if reassertUnattended is declared and in the state", async () => {
    expect(await sentenceFor({ ...before, reassertUnattended: true }, due)).toBe(
      "recordings: sends 365 days again (due 2026-08-29); replaces whatever was set elsewhere",
    );
  });

  test.each([false, undefined])("is a risk if reassertUnattended is new (until now %j)", async (reassertUnattended) => {
    expect(await sentenceFor({ ...before, reassertUnattended }, { ...due, reassertUnattended: true })).toBe(
      "[deletes data, weakens a guard] recordings: sends 365 days again (due 2026-08-29); replaces whatever was set " +
        "elsewhere and may delete what is older; " +
        "what `reassertAfter` makes due needs no person's approval from now on",
    );
  });
});

describe("an edit with a later effect", () => {
  test.each([
    [
      "disable",
      "[weakens a guard] recordings: destroy will turn the policy off: what happens to the data is up to the server",
    ],
    [
      { retentionDays: 30, enabled: true },
      "[weakens a guard] recordings: destroy will set 30 days, which may delete data",
    ],
    [
      { retentionDays: 365, enabled: false },
      "[weakens a guard] recordings: destroy will set 365 days, turned off, which may delete data",
    ],
    [{ retentionDays: 3650, enabled: true }, "recordings: destroy will set 3650 days"],
    ["[secret]", "[weakens a guard] recordings: what destroy will do is a secret value"],
    [unknown, "[weakens a guard] recordings: what destroy will do is not known yet"],
  ])("onDelete: %j", async (onDelete, text) => {
    const edit = fromTo({ onDelete: "retain" }, { onDelete });
    expect(
      await sentence("org-recordings", (step) => {
        edit(step);
        step.newState.retainOnDelete = false;
      }),
    ).toBe(text);
  });

  test("onDelete: retain again", async () => {
    expect(await sentenceFor({ onDelete: "disable" }, { onDelete: "retain" })).toBe(
      "recordings: destroy will leave it as last set",
    );
  });

  test("onDelete without effect because of retainOnDelete", async () => {
    expect(await sentenceFor({ onDelete: "retain" }, { onDelete: "disable" })).toBe(
      "recordings: destroy sends nothing, whatever `onDelete` says, because of `retainOnDelete`",
    );
  });

  test("retainOnDelete removed: onDelete acts again", async () => {
    const edit = fromTo({ onDelete: "disable" }, {});
    expect(
      await sentence(
        "org-recordings",
        (step) => {
          edit(step);
          step.newState.retainOnDelete = false;
        },
        "same",
      ),
    ).toBe(
      "[weakens a guard] recordings: destroy will turn the policy off: what happens to the data is up to the server",
    );
  });

  test.each([
    [
      undefined,
      { from: 365, to: 30 },
      "[weakens a guard] recordings: `allowShortening: { from: 365, to: 30 }` allows a step that this change does not take: " +
        "a later change can take it without another check",
    ],
    [
      { from: 730, to: 365 },
      undefined,
      "recordings: `allowShortening: { from: 730, to: 365 }` no longer declared: the step is refused from now on",
    ],
    [
      [{ from: 730, to: 365 }],
      [
        { from: 730, to: 365 },
        { from: 365, to: 7 },
      ],
      "[weakens a guard] recordings: `allowShortening: { from: 365, to: 7 }` allows a step that this change does not take: " +
        "a later change can take it without another check",
    ],
    [
      undefined,
      "[secret]",
      "[weakens a guard] recordings: which steps to fewer days `allowShortening` allows is a secret value",
    ],
  ])("allowShortening from %j to %j", async (from, to, text) => {
    expect(await sentence("org-recordings", fromTo({ allowShortening: from }, { allowShortening: to }), "same")).toBe(
      text,
    );
  });

  test("allowShortening for the step of this update", async () => {
    expect(await sentenceFor({}, { retentionDays: 90, allowShortening: { from: 365, to: 90 } })).toBe(
      "[deletes data] recordings: 365 → 90 days; deletes what is older; " +
        "`allowShortening: { from: 365, to: 90 }` allows the step",
    );
  });

  test("allowShortening for the new setting of onDelete", async () => {
    const onDelete = { retentionDays: 30, enabled: true };
    expect(await sentenceFor({ onDelete: "disable" }, { onDelete, allowShortening: { from: 365, to: 30 } })).toContain(
      "`allowShortening: { from: 365, to: 30 }` allows the step",
    );
  });

  test.each([
    [
      { reassertAfter: undefined },
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      "recordings: sent again every 7 days, for the first time 7 days after the update",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: "30d", reassertOn: "2026-09-21" },
      "[weakens a guard] recordings: sent again every 30 days instead of every 7 days, next on 2026-09-21",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: undefined, reassertOn: undefined },
      "[weakens a guard] recordings: no longer sent again by date (the next was due on 2026-08-29)",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: unknown },
      "[weakens a guard] recordings: how often it is sent again (`reassertAfter`) is not known yet",
    ],
    [
      { reassertUnattended: true },
      { reassertUnattended: undefined },
      "recordings: what `reassertAfter` makes due waits for a person's approval from now on",
    ],
    [
      {},
      { reassertUnattended: "[secret]" },
      "[weakens a guard] recordings: whether what `reassertAfter` makes due waits for a person's approval is a secret value",
    ],
  ])("from %j to %j", async (from, to, text) => {
    expect(await sentence("org-recordings", fromTo(from, to), "same")).toBe(text);
  });

  test.each(["novelty", "constructor", "toString"])("an input of a newer version: %s", async (name) => {
    expect(await sentenceFor({}, { [name]: 1 })).toBe(`recordings: \`${name}\` changed: stored without a request`);
  });

  test("values that the state already has, after a partly failed update", async () => {
    const edit = ({ oldState, newState }: Parameters<Parameters<typeof sentence>[1]>[0]) => {
      newState.inputs.retentionDays = 90;
      oldState.outputs.retentionDays = 90;
    };
    expect(await sentence("org-recordings", edit, "same")).toBe(
      "recordings: `retentionDays` changed: stored without a request",
    );
  });
});

describe("a setting that was adopted, and of which nothing was sent", () => {
  const adopted = { confirmed: false };

  test.each([
    [
      365,
      730,
      "365 → 730 days; 365 days were adopted, not confirmed: if the server keeps data longer than 730 days, older data is deleted",
    ],
    [365, 90, "365 → 90 days; deletes what is older; 365 days were adopted, not confirmed"],
    [
      1,
      2,
      "1 → 2 days; 1 day was adopted, not confirmed: if the server keeps data longer than 2 days, older data is deleted",
    ],
  ])("from %d to %d days: may delete data, also with more days", async (from, to, text) => {
    expect(await sentenceFor({ retentionDays: from, ...adopted }, { retentionDays: to })).toBe(
      `[deletes data] recordings: ${text}`,
    );
  });

  test("is sent for the first time when it is due, which needs approval also with reassertUnattended", async () => {
    const due = { reassertAfter: "7d", reassertOn: "2026-09-05", __due: "2026-08-29" };
    const before = { reassertAfter: "7d", reassertOn: "2026-08-29", __due: undefined, reassertUnattended: true };
    expect(await sentenceFor({ ...before, ...adopted }, due)).toBe(
      "[deletes data] recordings: sends 365 days (due 2026-08-29); 365 days were adopted, not confirmed: if the server keeps data " +
        "longer than 365 days, older data is deleted",
    );
  });

  test("says nothing of a claim after a lost answer, or once it was sent", async () => {
    expect(await sentenceFor({ ...adopted, uncertain: "update" }, { retentionDays: 730 })).toBe(
      "[deletes data] recordings: sets 730 days (its last request may have been carried out); may delete what is older",
    );
  });
});
