import { sentence, type Values } from "./recorded";

const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

describe("recordings", () => {
  const told = (from: Values, to: Values) =>
    sentence("org-recordings", ({ oldState, newState }) => {
      Object.assign(oldState.outputs, from);
      Object.assign(newState.inputs, to);
    });

  test.each([
    [90, 365, "recordings are kept 365 instead of 90 days"],
    [2, 1, "[deletes data] recordings are kept 1 instead of 2 days: recordings older than 1 day will be deleted"],
  ])("from %d to %d days", async (from, to, text) => {
    expect(await told({ retentionDays: from }, { retentionDays: to })).toBe(text);
  });

  test("turned on, what is older is deleted", async () => {
    expect(await told({ enabled: false, retentionDays: 90 }, { enabled: true, retentionDays: 90 })).toBe(
      "[deletes data] the retention policy of recordings is turned on, with 90 days: " +
        "recordings older than 90 days will be deleted",
    );
  });

  test("turned off, the platform's own limit may delete", async () => {
    expect(await told({ enabled: true }, { enabled: false })).toBe(
      "[deletes data] the retention policy of recordings is turned off: " +
        "the platform's own limit holds then and may delete data",
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
    expect(await told({ enabled: false, retentionDays: from }, { enabled: false, retentionDays: to })).toBe(text);
  });

  test.each([{ enabled: unknown }, { retentionDays: "[secret]" }])("%j: a risk", async (inputs) => {
    expect(await told({}, inputs)).toBe(
      "[deletes data] recordings are kept as long as is not known yet: data may be deleted",
    );
  });
});

describe("office", () => {
  const both = "[narrows access, widens access]";
  const told = (from: string | undefined, to: string | undefined) =>
    sentence("org-office", ({ oldState, newState }) => {
      oldState.outputs = { ...oldState.outputs, name: "HQ", sourceCidr: from };
      newState.inputs = { ...newState.inputs, name: "HQ", sourceCidr: to };
    });

  test.each([
    [
      "203.0.113.0/24",
      "203.0.113.128/25",
      "[narrows access] office may be reached from 203.0.113.128/25, half of today's range",
    ],
    [
      "203.0.113.0/24",
      "203.0.113.0/26",
      "[narrows access] office may be reached from 203.0.113.0/26, a quarter of today's range",
    ],
    [
      "203.0.113.0/24",
      "203.0.113.7/32",
      "[narrows access] office may be reached from 203.0.113.7/32, 1/256 of today's range",
    ],
    [
      "::/0",
      "2001:db8::/32",
      "[narrows access] office may be reached from 2001:db8::/32, a tiny part of today's range",
    ],
    [
      "203.0.113.0/25",
      "203.0.113.0/24",
      "[widens access] office may be reached from 203.0.113.0/24, twice today's range",
    ],
    [
      "203.0.113.0/26",
      "203.0.113.0/24",
      "[widens access] office may be reached from 203.0.113.0/24, 4 times today's range",
    ],
    ["203.0.113.0/24", "0.0.0.0/0", "[widens access] office may be reached from 0.0.0.0/0, many times today's range"],
    [
      "203.0.113.0/24",
      "198.51.100.0/24",
      `${both} office may be reached from 198.51.100.0/24 and no longer from 203.0.113.0/24, which is another range`,
    ],
    [
      "203.0.113.0/24",
      "2001:db8::/32",
      `${both} office may be reached from 2001:db8::/32 and no longer from 203.0.113.0/24, which is another range`,
    ],
    [
      undefined,
      "203.0.113.0/24",
      `${both} office may be reached from 203.0.113.0/24: which range that replaces is not known`,
    ],
    ["203.0.113.0/24", "[secret]", `${both} office may be reached from a range that cannot be seen here`],
    ["203.0.113.0/24", unknown, `${both} office may be reached from a range that cannot be seen here`],
    ["203.0.113.0/24", undefined, "[leaves things behind] office's range is no longer managed and stays as last set"],
  ])("from %s to %s", async (from, to, text) => {
    expect(await told(from, to)).toBe(text);
  });
});

describe("carrier-a", () => {
  const told = (from: Values, to: Values) =>
    sentence("org-carrier-a", ({ oldState, newState }) => {
      Object.assign(oldState.outputs, from);
      Object.assign(newState.inputs, to);
    });

  test("only tracked from now on: nothing is sent", async () => {
    expect(await told({ cleared: true }, { cleared: false })).toBe(
      "carrier-a is only tracked from now on: nothing is sent, and credentials do not come back",
    );
  });

  test("a trigger of a trunk that is only tracked cuts nothing", async () => {
    expect(await told({ cleared: false }, { cleared: false, triggers: { year: 2027 } })).toBe(
      "carrier-a: onDelete, triggers changed; that is stored and nothing is sent",
    );
  });

  test("whether it is cleared is not known yet: a risk", async () => {
    expect(await told({ cleared: false }, { cleared: unknown })).toBe(
      "[cuts a trunk] carrier-a may lose its outbound credentials",
    );
  });

  test("due", async () => {
    expect(await told({ cleared: true }, { cleared: true, __due: "2026-11-20" })).toBe(
      "[cuts a trunk] carrier-a loses its outbound credentials once more (due 2026-11-20)",
    );
  });
});

describe("crm", () => {
  const told = (from: Values, to: Values, outputs: Values = {}) =>
    sentence("org-crm", ({ oldState, newState }) => {
      const triggers = { quarter: "2026-Q3" };
      oldState.inputs = { ...oldState.inputs, triggers };
      newState.inputs = { ...newState.inputs, triggers, ...to };
      oldState.outputs = { ...oldState.outputs, triggers, ...from };
      newState.outputs = { ...newState.outputs, ...outputs };
    });

  test("unknown outputs alone are no rotation", async () => {
    const outputs = { secret: unknown, previousSecret: unknown, rotatedAt: unknown, rotationState: unknown };
    expect(await told({}, { rotateAfter: "30d", rotateOn: "2026-10-01" }, outputs)).toBe(
      "crm: rotateAfter changed; that is stored and nothing is sent",
    );
  });

  test("a due date that the state has seen already is no rotation", async () => {
    expect(await told({ __due: "2026-11-20" }, { __due: "2026-11-20", secretPath: "key" })).toBe(
      "crm: secretPath changed; that is stored and nothing is sent",
    );
  });

  test.each([
    ["an added trigger", { triggers: { quarter: "2026-Q3", leak: 1 } }, "trigger leak changed"],
    ["a removed trigger", { triggers: {} }, "trigger quarter changed"],
    ["no triggers any more", { triggers: undefined }, "trigger quarter changed"],
    [
      "many triggers",
      { triggers: { quarter: "2026-Q3", a: 1, b: 1, c: 1, d: 1, e: 1 } },
      "triggers a, b, c, d, … changed",
    ],
    [
      "a trigger that changed beside one that cannot be seen",
      { triggers: { quarter: "2026-Q4", hidden: "[secret]" } },
      "trigger quarter changed",
    ],
    ["a due date", { __due: "2026-11-20" }, "due 2026-11-20"],
    ["a due date that is none", { __due: "| <b>" }, "due now"],
  ])("%s", async (_what, inputs, why) => {
    expect(await told({}, inputs)).toBe(
      `[rotates a secret] crm's signing secret will be rotated (${why}): today's secret stops working`,
    );
  });

  test("triggers that are secret as a whole", async () => {
    expect(await told({ triggers: "[secret]" }, { triggers: "[secret]" })).toBe(
      "[rotates a secret] crm's signing secret may be rotated (triggers cannot be seen here): " +
        "today's secret stops working if so",
    );
  });
});
