import { fromTo, sentence, unknown, type Values } from "../../../../support/recorded";

const both = "[narrows access, widens access]";
const lockout = "; may lock this pipeline out, as no `mustInclude` names its address";
const sentenceFor = (from: Values, to: Values) => sentence("org-office", fromTo(from, to));

describe("the range", () => {
  test.each([
    [
      "203.0.113.0/24",
      "203.0.113.128/25",
      `[narrows access] office: admits 203.0.113.128/25, half of 203.0.113.0/24${lockout}`,
    ],
    [
      "203.0.113.0/24",
      "203.0.113.0/26",
      `[narrows access] office: admits 203.0.113.0/26, a quarter of 203.0.113.0/24${lockout}`,
    ],
    [
      "203.0.113.0/24",
      "203.0.113.7/32",
      `[narrows access] office: admits 203.0.113.7/32, 1/256 of 203.0.113.0/24${lockout}`,
    ],
    [
      "::/0",
      "2001:db8::/32",
      `[narrows access] office: admits 2001:db8::/32, a tiny part of the whole internet (::/0)${lockout}`,
    ],
    ["203.0.113.0/25", "203.0.113.0/24", "[widens access] office: admits 203.0.113.0/24, twice 203.0.113.0/25"],
    ["203.0.113.0/26", "203.0.113.0/24", "[widens access] office: admits 203.0.113.0/24, 4 times 203.0.113.0/26"],
    [
      "203.0.113.0/24",
      "0.0.0.0/0",
      "[widens access] office: admits the whole internet (0.0.0.0/0) instead of 203.0.113.0/24",
    ],
    ["2001:db8::/32", "::/0", "[widens access] office: admits the whole internet (::/0) instead of 2001:db8::/32"],
    [
      "203.0.113.0/24",
      "198.51.100.0/24",
      `${both} office: admits 198.51.100.0/24 and no longer 203.0.113.0/24, which is another range${lockout}`,
    ],
    [
      "203.0.113.0/24",
      "2001:db8::/32",
      `${both} office: admits 2001:db8::/32 and no longer 203.0.113.0/24, which is another range${lockout}`,
    ],
    [
      undefined,
      "203.0.113.0/24",
      `${both} office: admits 203.0.113.0/24; replaces a range that is not known${lockout}`,
    ],
    ["203.0.113.0/24", "[secret]", `${both} office: which range it admits is a secret value${lockout}`],
    ["203.0.113.0/24", unknown, `${both} office: which range it admits is not known yet${lockout}`],
    [
      "203.0.113.0/24",
      undefined,
      "[leaves things behind] office: range no longer managed, left as last set (203.0.113.0/24)",
    ],
  ])("from %s to %s", async (from, to, text) => {
    expect(await sentenceFor({ sourceCidr: from }, { sourceCidr: to })).toBe(text);
  });

  test("with a mustInclude cannot lock anyone out", async () => {
    expect(await sentenceFor({ mustInclude: ["203.0.113.7"] }, { sourceCidr: "203.0.113.0/25" })).toBe(
      "[narrows access] office: admits 203.0.113.0/25, half of 203.0.113.0/24",
    );
  });

  test("with an empty mustInclude can", async () => {
    expect(await sentenceFor({ mustInclude: [] }, { sourceCidr: "203.0.113.0/25" })).toContain(lockout);
  });
});

describe("the name", () => {
  test.each([
    ["HQ", 'office: sets the name "HQ" instead of "Office"'],
    ["[secret]", "office: sets a name that is a secret value"],
    [unknown, "office: sets a name that is not known yet"],
    [undefined, "[leaves things behind] office: name no longer managed, left as last set (Office)"],
  ])("%j", async (name, text) => {
    expect(await sentenceFor({}, { name })).toBe(text);
  });
});

describe("a setting that is due again", () => {
  const due = { reassertAfter: "7d", reassertOn: "2026-09-05", __due: "2026-08-29" };
  const before = { reassertAfter: "7d", reassertOn: "2026-08-29" };

  test("replaces an unknown value, which is a risk", async () => {
    expect(await sentenceFor(before, due)).toBe(
      `${both} office: sends 203.0.113.0/24 and the name "Office" again (due 2026-08-29); replaces whatever was set elsewhere`,
    );
  });

  test("is no risk with reassertUnattended", async () => {
    expect(await sentenceFor({ ...before, reassertUnattended: true }, due)).toBe(
      'office: sends 203.0.113.0/24 and the name "Office" again (due 2026-08-29); replaces whatever was set elsewhere',
    );
  });

  test("is no risk for a policy that declares only the name", async () => {
    expect(await sentenceFor({ ...before, sourceCidr: undefined }, due)).toBe(
      'office: sends the name "Office" again (due 2026-08-29); replaces whatever was set elsewhere',
    );
  });

  test("is a risk together with a new name, and with a new range has that range's risk", async () => {
    expect(await sentenceFor(before, { ...due, name: "HQ" })).toBe(
      `${both} office: sends 203.0.113.0/24 again (due 2026-08-29); replaces whatever was set elsewhere; ` +
        'sets the name "HQ" instead of "Office"',
    );
    expect(await sentenceFor(before, { ...due, sourceCidr: "203.0.112.0/20" })).toBe(
      "[widens access] office: admits 203.0.112.0/20, 16 times 203.0.113.0/24 (due 2026-08-29)",
    );
  });
});

describe("an edit with a later effect", () => {
  test.each([
    [
      { mustInclude: ["203.0.113.7"] },
      { mustInclude: undefined },
      "[weakens a guard] office: `mustInclude` no longer names 203.0.113.7: nothing protects 203.0.113.7 now",
    ],
    [
      { mustExclude: ["203.0.113.7"] },
      { mustExclude: undefined },
      "[weakens a guard] office: `mustExclude` no longer names 203.0.113.7: nothing keeps out 203.0.113.7 now",
    ],
    [
      { mustInclude: ["203.0.113.7"] },
      { mustInclude: ["203.0.113.8"] },
      "[weakens a guard] office: `mustInclude` no longer names 203.0.113.7: nothing protects 203.0.113.7 now; " +
        "`mustInclude` names 203.0.113.8 from now on",
    ],
    [{}, { mustInclude: ["203.0.113.7"] }, "office: `mustInclude` names 203.0.113.7 from now on"],
    [
      { mustInclude: ["1.1.1.1", "1.1.1.2", "1.1.1.3", "1.1.1.4", "1.1.1.5"] },
      { mustInclude: [] },
      "[weakens a guard] office: `mustInclude` no longer names 1.1.1.1, 1.1.1.2, 1.1.1.3, 1.1.1.4, …: " +
        "nothing protects 1.1.1.1, 1.1.1.2, 1.1.1.3, 1.1.1.4, … now",
    ],
    [
      { mustInclude: ["203.0.113.7"] },
      { mustInclude: "[secret]" },
      "[weakens a guard] office: what `mustInclude` names is a secret value",
    ],
    [
      { mustInclude: ["[secret]"] },
      { mustInclude: undefined },
      "[weakens a guard] office: `mustInclude` replaces a value that cannot be seen here",
    ],
    [
      {},
      { onDelete: { sourceCidr: "0.0.0.0/0", name: "open" } },
      "[weakens a guard] office: destroy will make the organization admit the whole internet (0.0.0.0/0) " +
        'and set the name "open"',
    ],
    [{}, { onDelete: { name: "old" } }, 'office: destroy will set the name "old"'],
    [{}, { onDelete: "retain" }, "office: destroy will leave it as last set"],
    [{}, { onDelete: unknown }, "[weakens a guard] office: what destroy will do is not known yet"],
    [
      { reassertAfter: undefined },
      { reassertAfter: "1d", reassertOn: "2026-08-23" },
      "office: sent again every day, for the first time 1 day after the update",
    ],
  ])("from %j to %j", async (from, to, text) => {
    expect(await sentence("org-office", fromTo(from, to), "same")).toBe(text);
  });
});

test("a range that was adopted and never sent may be another one on the server", async () => {
  expect(await sentenceFor({ confirmed: false }, { sourceCidr: "203.0.113.0/25" })).toBe(
    `${both} office: admits 203.0.113.0/25; replaces a range that was adopted as 203.0.113.0/24, not confirmed${lockout}; ` +
      'sets the name "Office"',
  );
  expect(await sentenceFor({ confirmed: false }, { name: undefined })).toBe(
    "[leaves things behind] office: name no longer managed, left as it is",
  );
});
