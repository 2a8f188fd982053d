import { fromTo, pastSentence, sentence, type Values } from "../recorded";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
const sentenceFor = (from: Values, to: Values) => sentence("org-recordings", fromTo(from, to));
const toldAfter = (from: Values, to: Values) => pastSentence("org-recordings", fromTo(from, to));

test.each([
  [90, 365, "recordings are kept 365 instead of 90 days"],
  [2, 1, "[deletes data] recordings are kept 1 instead of 2 days: recordings older than 1 day will be deleted"],
])("from %d to %d days", async (from, to, text) => {
  expect(await sentenceFor({ retentionDays: from }, { retentionDays: to })).toBe(text);
});

test("turned on: older data is deleted", async () => {
  expect(await sentenceFor({ enabled: false, retentionDays: 90 }, { enabled: true })).toBe(
    "[deletes data] the retention policy of recordings is turned on, with 90 days: recordings older than 90 days will be deleted",
  );
});

test("turned off: the server decides", async () => {
  expect(await sentenceFor({ enabled: true }, { enabled: false })).toBe(
    "[deletes data] the retention policy of recordings is turned off: what happens to the data then is up to the server",
  );
});

test.each([
  [
    365,
    90,
    "[deletes data] the retention policy of recordings stays off, with 90 instead of 365 days: data may be deleted",
  ],
  [90, 365, "the retention policy of recordings stays off, with 365 instead of 90 days"],
])("off before and after, from %d to %d days", async (from, to, text) => {
  expect(await sentenceFor({ enabled: false, retentionDays: from }, { retentionDays: to })).toBe(text);
});

test.each([
  [{ enabled: unknown }, "whether the retention policy of recordings is turned on is not known yet"],
  [{ enabled: "[secret]" }, "whether the retention policy of recordings is turned on is a secret value"],
  [{ retentionDays: unknown }, "how long recordings are kept is not known yet"],
  [{ retentionDays: "[secret]" }, "how long recordings are kept is a secret value"],
])("%j: a risk, because the value is hidden", async (inputs, text) => {
  expect(await sentenceFor({}, inputs)).toBe(`[deletes data] ${text}: data may be deleted`);
});

describe("a setting that is due again", () => {
  const due = { reassertAfter: "7d", reassertOn: "2026-09-05", __due: "2026-08-29" };
  const before = { reassertAfter: "7d", reassertOn: "2026-08-29", __due: undefined };

  test("replaces an unknown value, which is a risk", async () => {
    expect(await sentenceFor(before, due)).toBe(
      "[deletes data] recordings are set to 365 days again (due 2026-08-29): that replaces whatever was set elsewhere, " +
        "and what has been kept longer until now may be deleted",
    );
  });

  test("is no risk if reassertUnattended is declared and in the state", async () => {
    expect(await sentenceFor({ ...before, reassertUnattended: true }, due)).toBe(
      "recordings are set to 365 days again (due 2026-08-29): that undoes what was changed elsewhere",
    );
  });

  test.each([false, undefined])("is a risk if reassertUnattended is new (until now %j)", async (reassertUnattended) => {
    expect(await sentenceFor({ ...before, reassertUnattended }, { ...due, reassertUnattended: true })).toBe(
      "[deletes data, weakens a guard] recordings are set to 365 days again (due 2026-08-29): that replaces whatever was set " +
        "elsewhere, and what has been kept longer until now may be deleted; " +
        "what `reassertAfter` makes due for recordings may be sent without a person's approval",
    );
  });
});

describe("an edit with a later effect", () => {
  test.each([
    [
      "disable",
      "[weakens a guard] destroy will turn the retention policy of recordings off: what happens to the data then is up to the server",
    ],
    [
      { retentionDays: 30, enabled: true },
      "[weakens a guard] destroy will set recordings to 30 days: data may be deleted then",
    ],
    [
      { retentionDays: 365, enabled: false },
      "[weakens a guard] destroy will set recordings to 365 days, turned off: data may be deleted then",
    ],
    [{ retentionDays: 3650, enabled: true }, "destroy will set recordings to 3650 days"],
    ["[secret]", "[weakens a guard] what destroy will do to recordings is a secret value"],
    [unknown, "[weakens a guard] what destroy will do to recordings is not known yet"],
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
      "destroy will leave recordings as last set",
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
      "[weakens a guard] destroy will turn the retention policy of recordings off: what happens to the data then is up to the server",
    );
  });

  test.each([
    [
      undefined,
      { from: 365, to: 30 },
      "[weakens a guard] `allowShortening: { from: 365, to: 30 }` of recordings allows a step that is not taken now: " +
        "a later change can take it without another check",
    ],
    [
      { from: 730, to: 365 },
      undefined,
      "`allowShortening: { from: 730, to: 365 }` is no longer declared for recordings: the step is refused from now on",
    ],
    [
      [{ from: 730, to: 365 }],
      [
        { from: 730, to: 365 },
        { from: 365, to: 7 },
      ],
      "[weakens a guard] `allowShortening: { from: 365, to: 7 }` of recordings allows a step that is not taken now: " +
        "a later change can take it without another check",
    ],
    [
      undefined,
      "[secret]",
      "[weakens a guard] which steps to fewer days `allowShortening` allows for recordings is a secret value",
    ],
  ])("allowShortening from %j to %j", async (from, to, text) => {
    expect(await sentence("org-recordings", fromTo({ allowShortening: from }, { allowShortening: to }), "same")).toBe(
      text,
    );
  });

  test("allowShortening for the step of this update", async () => {
    expect(await sentenceFor({}, { retentionDays: 90, allowShortening: { from: 365, to: 90 } })).toBe(
      "[deletes data] recordings are kept 90 instead of 365 days: recordings older than 90 days will be deleted; " +
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
      "the retention policy of recordings will be sent again every 7 days, for the first time 7 days after the update",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: "30d", reassertOn: "2026-09-21" },
      "[weakens a guard] the retention policy of recordings will be sent again every 30 days instead of every 7 days, next on 2026-09-21",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: undefined, reassertOn: undefined },
      "[weakens a guard] the retention policy of recordings will no longer be sent again by date (the next was due on 2026-08-29)",
    ],
    [
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      { reassertAfter: unknown },
      "[weakens a guard] recordings: how often it is to be sent again (`reassertAfter`) is not known yet",
    ],
    [
      { reassertUnattended: true },
      { reassertUnattended: undefined },
      "what `reassertAfter` makes due for recordings waits for a person's approval from now on",
    ],
    [
      {},
      { reassertUnattended: "[secret]" },
      "[weakens a guard] whether what `reassertAfter` makes due for recordings waits for a person's approval is a secret value",
    ],
  ])("from %j to %j", async (from, to, text) => {
    expect(await sentence("org-recordings", fromTo(from, to), "same")).toBe(text);
  });

  test.each(["novelty", "constructor", "toString"])("an input of a newer version: %s", async (name) => {
    expect(await sentenceFor({}, { [name]: 1 })).toBe(
      `recordings: \`${name}\` changed; that is stored and nothing is sent`,
    );
  });

  test("values that the state already has, after a partly failed update", async () => {
    const edit = ({ oldState, newState }: Parameters<Parameters<typeof sentence>[1]>[0]) => {
      newState.inputs.retentionDays = 90;
      oldState.outputs.retentionDays = 90;
    };
    expect(await sentence("org-recordings", edit, "same")).toBe(
      "recordings: `retentionDays` changed; that is stored and nothing is sent",
    );
  });
});

describe("after the update", () => {
  test.each([
    [
      {},
      { retentionDays: 90 },
      "[deletes data] recordings were set to be kept 90 instead of 365 days: recordings older than 90 days were no longer kept",
    ],
    [{}, { retentionDays: 730 }, "recordings were set to be kept 730 instead of 365 days"],
    [
      {},
      { enabled: false },
      "[deletes data] the retention policy of recordings was turned off: what happened to the data was up to the server",
    ],
    [
      { enabled: false },
      { enabled: true },
      "[deletes data] the retention policy of recordings was turned on, with 365 days: recordings older than 365 days were no longer kept",
    ],
    [
      { uncertain: "update" },
      {},
      "[deletes data] recordings were set to be kept 365 days (the last answer was lost): what had been kept longer may have been deleted",
    ],
    [
      { __due: undefined },
      { __due: "2026-08-29" },
      "[deletes data] recordings were set to 365 days again (due 2026-08-29): that replaced whatever was set elsewhere, " +
        "and what had been kept longer may have been deleted",
    ],
    [
      { reassertAfter: undefined },
      { reassertAfter: "7d", reassertOn: "2026-08-29" },
      "the retention policy of recordings is to be sent again every 7 days, for the first time on 2026-08-29",
    ],
    [
      { reassertUnattended: undefined },
      { reassertUnattended: true },
      "[weakens a guard] what `reassertAfter` makes due for recordings was allowed to be sent without a person's approval",
    ],
  ])("from %j to %j", async (from, to, text) => {
    expect(await toldAfter(from, to)).toBe(text);
  });

  test("a removal", async () => {
    const gone = ({ newState: _, ...step }: { newState?: unknown }) => step;
    expect(
      await pastSentence(
        "org-recordings",
        (step) => void Object.assign(step, gone(step), { newState: undefined }),
        "delete",
      ),
    ).toBe("[leaves things behind] recordings were no longer managed and stayed as last set (365 days)");
  });
});
