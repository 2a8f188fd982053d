import { asUpdate, fromTo, linesOf, sentence, stepAfter, unknown, type Values } from "../../../../support/recorded";

const sentenceFor = (from: Values, to: Values, op?: string) => sentence("org-crm", fromTo(from, to), op);
const rotates = (why: string) =>
  `[rotates a secret] crm: rotates its signing secret (${why}): the old secret stops working`;

test("unknown outputs alone are no rotation", async () => {
  const outputs = { secret: unknown, previousSecret: unknown, rotatedAt: unknown, rotationState: unknown };
  const edit = fromTo({}, { secretPath: "key" });
  expect(
    await sentence("org-crm", (step) => {
      edit(step);
      step.newState.outputs = outputs;
    }),
  ).toBe("crm: looks for the secret at `key` of an answer from now on");
});

test("a due date that the state already has is no rotation", async () => {
  expect(await sentenceFor({ __due: "2026-11-20" }, { secretPath: "key" })).toBe(
    "crm: looks for the secret at `key` of an answer from now on",
  );
});

test.each([
  ["an added trigger", { quarter: "2026-Q3", leak: 1 }, "trigger leak added"],
  ["a removed trigger", {}, "trigger quarter removed"],
  ["no triggers any more", undefined, "trigger quarter removed"],
  ["one of each", { incident: 1 }, "trigger incident added, trigger quarter removed"],
  ["many triggers", { quarter: "2026-Q3", a: 1, b: 1, c: 1, d: 1, e: 1 }, "triggers a, b, c, d, … added"],
  [
    "a trigger that changed beside one that cannot be seen",
    { quarter: "2026-Q4", hidden: "[secret]" },
    "trigger hidden added, trigger quarter changed",
  ],
])("%s", async (_what, triggers, why) => {
  expect(await sentenceFor({ triggers: { quarter: "2026-Q3" } }, { triggers })).toBe(rotates(why));
});

test("a due date", async () => {
  expect(await sentenceFor({}, { __due: "2026-11-20" })).toBe(rotates("due 2026-11-20"));
});

test.each([
  [{ quarter: "[secret]" }, { quarter: "[secret]" }, "trigger quarter is a secret value"],
  [{ quarter: "2026-Q3" }, { quarter: unknown }, "trigger quarter is not known yet"],
  [{ a: 1, b: 2 }, { a: "[secret]", b: "[secret]" }, "triggers a, b are secret values"],
  [{ a: 1, b: 2 }, { a: unknown, b: unknown }, "triggers a, b are not known yet"],
  ["[secret]", "[secret]", "triggers are secret values"],
  [{ a: 1 }, unknown, "triggers are not known yet"],
])("triggers from %j to %j are hidden", async (from, to, why) => {
  expect(await sentenceFor({ triggers: from }, { triggers: to })).toBe(
    `[rotates a secret] crm: may rotate its signing secret (${why}): if so, the old secret stops working`,
  );
});

test.each([
  [undefined, "crm: rotated every 90 days, for the first time on 2026-10-01"],
  ["1d", "[weakens a guard] crm: rotated every 90 days instead of every day, next on 2026-10-01"],
])("an update that is done knows the next date, whatever the old period (%s)", async (period, line) => {
  const from = { rotateAfter: period, rotateOn: period && "2026-08-23" };
  const to = { rotateAfter: "90d", rotateOn: "2026-10-01" };
  const update = async (...failed: string[]) => await linesOf(asUpdate(stepAfter("org-crm", fromTo(from, to)), failed));
  expect(await update()).toEqual([line]);
  const { urn = "" } = stepAfter("org-crm", fromTo(from, to)).steps[0] ?? {};
  const unfinished = line
    .replace("crm: ", "did not finish: crm: ")
    .replace("on 2026-10-01", "90 days after the update");
  expect(await update(urn)).toEqual([unfinished]);
});

describe("an edit with a later effect", () => {
  test.each([
    [
      { rotateAfter: "90d", rotateOn: "2026-11-20" },
      { rotateAfter: "1d", rotateOn: "2026-08-23" },
      "crm: rotated every day instead of every 90 days, next on 2026-08-23",
    ],
    [
      { rotateAfter: "1d", rotateOn: "2026-08-23" },
      // Not counted from the old date: a clock was wrong, or the date has passed.
      { rotateAfter: "90d", rotateOn: "2026-10-01" },
      "[weakens a guard] crm: rotated every 90 days instead of every day, next 90 days after the update",
    ],
    [
      { rotateAfter: "90d", rotateOn: "2026-11-20" },
      { rotateAfter: undefined, rotateOn: undefined },
      "[weakens a guard] crm: no longer rotated by date (the next was due on 2026-11-20)",
    ],
    [
      { rotateAfter: undefined, rotateOn: undefined },
      { rotateAfter: "90d", rotateOn: "2026-11-20" },
      "crm: rotated every 90 days, for the first time 90 days after the update",
    ],
    [
      {},
      { rotateAfter: "[secret]" },
      "[weakens a guard] crm: how often it is rotated (`rotateAfter`) is a secret value",
    ],
    [
      {},
      { onCreate: "adopt" },
      "crm: if it is replaced, for example by `--replace`, or renamed, its signing secret stays as it is",
    ],
    [
      { onCreate: "adopt" },
      { onCreate: "rotate" },
      "crm: if it is replaced, for example by `--replace`, or renamed, its signing secret is rotated",
    ],
    [
      {},
      { onCreate: unknown },
      "crm: if it is replaced, for example by `--replace`, or renamed, whether its signing secret is rotated is not known yet",
    ],
    [
      { secretPath: "key" },
      { secretPath: undefined },
      "crm: looks for the secret in the usual places of an answer from now on",
    ],
    [{}, { secretPath: unknown }, "crm: where it looks for the secret in an answer is not known yet"],
    [
      { initialSecret: "[secret]" },
      { initialSecret: undefined },
      "crm: `initialSecret` changed, which has no effect after a rotation",
    ],
  ])("from %j to %j", async (from, to, text) => {
    expect(await sentenceFor(from, to, "same")).toBe(text);
  });

  test("names no date together with a rotation, which restarts the period on the day of the update", async () => {
    const edit = { rotateAfter: "30d", rotateOn: "2026-09-21", triggers: { leak: 1 } };
    expect(await sentenceFor({ rotateAfter: "90d", rotateOn: "2026-11-20", triggers: undefined }, edit)).toBe(
      "[rotates a secret] crm: rotates its signing secret (trigger leak added): the old secret stops working; " +
        "rotated every 30 days instead of every 90 days, next 30 days after the update",
    );
  });

  test("of initialSecret sets an adopted secret, and its removal keeps it", async () => {
    const adopted = { rotationState: "adopted", rotationCount: 0, secret: "[secret]" };
    expect(await sentenceFor({ ...adopted, secret: undefined }, { initialSecret: "[secret]" })).toBe(
      "crm: takes its secret from `initialSecret`",
    );
    expect(await sentenceFor({ ...adopted, initialSecret: "[secret]" }, { initialSecret: undefined })).toBe(
      "crm: `initialSecret` no longer declared: its secret stays as it is known",
    );
    expect(await sentenceFor({ ...adopted, initialSecret: "[secret]" }, {})).toBe(
      "crm: something that is not shown changed: stored without a request",
    );
  });
});

describe("a webhook that is no longer declared", () => {
  const remove = (outputs: Values) => (step: { oldState: { outputs: Values }; newState?: unknown }) => {
    Object.assign(step.oldState.outputs, outputs);
    delete step.newState;
  };

  test("with its secret loses the only copy", async () => {
    expect(await sentence("org-crm", remove({ secret: "[secret]" }), "delete")).toBe(
      "[forgets a secret, leaves things behind] crm: signing secret no longer managed; " +
        "deletes its only known copy, in the state, while the webhook keeps using it",
    );
  });

  test("without its secret loses nothing", async () => {
    const outputs = { secret: undefined };
    expect(await sentence("org-crm", remove(outputs), "delete")).toBe(
      "[leaves things behind] crm: signing secret no longer managed, left as last set",
    );
  });
});
