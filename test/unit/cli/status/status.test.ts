/** What `voiceplane status` shows of a stack's state, in each form. */
import { readFileSync } from "node:fs";
import { show } from "../../../../src/cli/status";
import { readStackState } from "../../../../src/cli/pulumi/state";
import { everything, exported, mark, setting, webhook, well } from "./exports";

const now = new Date("2026-11-21T12:00:00Z");
const shown = (text: string, form: Parameters<typeof show>[1]) => show(readStackState(text), form, now);
test("the table shows each object, what was sent and when, the age of each secret, what is due and what is wrong", () => {
  expect(shown(everything, "terminal")).toBe(`acme/prod, as of 2026-11-20 21:22 UTC

KIND       NAME                     SENT LAST          WHEN        SECRET AGE  NEXT DUE    STATE

us
retention  a-name-that-is-far-too…  90 days, disabled  2026-02-03  -           2026-11-20  overdue
retention  recordings               365 days           2026-02-03  -           2026-11-21  ok
network    office                   2001:db8::/48 HQ   2026-02-03  -           -           failed
trunk      carrier                  cleared            2026-02-03  -           -           ok
trunk      elsewhere                -                  -           -           -           leaving

eu
webhook    adopted                  -                  -           unknown     -           ok
webhook    crm                      rotation 3         2026-10-22  30d         2026-12-01  ok
webhook    lost                     rotation 1         2026-11-21  0d          -           uncertain
webhook    silent                   rotation 1         2026-01-02  323d        -           unread

pending: updating aws:s3/bucket:Bucket logs
uncertain: the last request may have been carried out; the next \`pulumi up\` sends it once more
unread: rotated, but no secret was found in the answer: set secretPath, or change triggers
failed: the last update ended with an error: run \`pulumi up\` again
leaving: a deletion or replacement is left: run \`pulumi up\` again
overdue: a due date has passed: run \`pulumi up\`
pending: an update was interrupted: run \`pulumi up\`, after \`pulumi cancel\` if the stack is locked
9 objects: 4 ok, 1 uncertain, 1 unread, 1 failed, 1 leaving, 1 overdue, 1 pending
`);
});

test("values that were adopted are not said to be sent, and count as well", () => {
  const text = exported([
    setting("RetentionPolicy", "recordings", {}, { retentionDays: 365, enabled: true, confirmed: false }),
    setting("NetworkPolicy", "office", {}, { name: "HQ", confirmed: false, uncertain: "update" }),
    setting("TrunkOutboundAuth", "carrier", {}, { cleared: true, confirmed: false }),
  ]);
  const lines = shown(text, "terminal").split("\n");
  expect(lines.filter((line) => /^(retention|network|trunk)/.test(line))).toEqual([
    "retention  recordings  adopted, not sent  -     -           -         ok",
    "network    office      HQ                 -     -           -         uncertain",
    "trunk      carrier     adopted, not sent  -     -           -         ok",
  ]);
  expect(JSON.parse(shown(text, "json"))).toMatchObject({ objects: [{ adopted: true }, { adopted: true }, {}] });
});

test("the table in docs/operate/what-to-watch.md is one that it prints", () => {
  const [, example] =
    /<!-- shown: table -->\n\n```text\n(.*?)```/s.exec(readFileSync("docs/operate/what-to-watch.md", "utf8")) ?? [];
  const state = exported([
    webhook(
      "crm",
      { rotateOn: "2027-01-20" },
      { rotatedAt: "2026-10-22T09:00:00Z", rotationCount: 3, rotationState: "rotated" },
    ),
    webhook("billing", {}, { rotatedAt: "2026-11-20T21:22:20Z", rotationCount: 1, rotationState: "uncertain" }),
    webhook("legacy", { onCreate: "adopt" }, { rotationState: "adopted" }),
    setting(
      "RetentionPolicy",
      "recordings",
      { organization: "eu", reassertOn: "2026-11-19" },
      { organization: "eu", retentionDays: 90, enabled: true },
    ),
    setting(
      "NetworkPolicy",
      "office",
      { organization: "eu" },
      { organization: "eu", name: "HQ", sourceCidr: "203.0.113.0/24" },
    ),
  ]);
  expect(example).toBe(shown(state, "terminal"));
});

test("an object with two resources is shown with both names", () => {
  const policy = (name: string) =>
    setting("NetworkPolicy", name, { organization: "eu" }, { organization: "eu", name: "HQ" }, { id: "np-1" });
  const text = exported([policy("office"), policy("headquarters")]);
  expect(shown(text, "terminal")).toMatch(/^network +headquarters .* duplicate$/m);
  expect(shown(text, "terminal").split("\n").slice(-4)).toEqual([
    "duplicate: office and headquarters are one object: NetworkPolicy np-1 of eu",
    "duplicate: one object, two resources: `pulumi state delete URN` of the one not in the program",
    "2 objects: 0 ok, 2 duplicate",
    "",
  ]);
  expect(shown(text, "markdown")).toContain("- duplicate: office and headquarters are one object: ");
  const { ok, objects } = JSON.parse(shown(text, "json")) as Record<string, unknown>;
  expect(ok).toBe(false);
  expect(objects).toMatchObject([{ conditions: ["duplicate"] }, { conditions: ["duplicate"] }]);
});

test("an entry of the only organization has its own name, as in a report", () => {
  const component = (name: string) => ({
    urn: `urn:pulumi:prod::acme::voiceplane:index:Organization::${name}`,
    type: "voiceplane:index:Organization",
  });
  const entry = setting("NetworkPolicy", "org-office", {}, { name: "HQ" });
  const own = webhook("org-crm", {}, { rotationState: "adopted" });
  const one = exported([component("org"), entry, own]);
  expect(shown(one, "terminal")).toMatch(/^network +office +HQ /m);
  expect(shown(one, "terminal")).toMatch(/^webhook +org-crm /m);
  expect(JSON.parse(shown(one, "json"))).toMatchObject({ objects: [{ name: "office" }, { name: "org-crm" }] });
  expect(shown(exported([component("org"), component("us"), entry]), "terminal")).toMatch(/^network +org-office +HQ /m);
});

test("columns are aligned by what a terminal shows, and numbers in names are in their order", () => {
  const named = (name: string) => setting("NetworkPolicy", name, {}, { name: "HQ" });
  const rows = shown(exported([named("office-10"), named("大阪"), named("office-2"), named("café\u0301")]), "terminal")
    .split("\n")
    .filter((line) => line.startsWith("network"));
  expect(rows.map((row) => row.slice(0, row.indexOf("HQ")))).toEqual([
    "network  café\u0301       ",
    "network  office-2   ",
    "network  office-10  ",
    "network  大阪       ",
  ]);
});

test("no line of the table is longer than 100 columns, and a cut one ends with an ellipsis", () => {
  const long = "x".repeat(300);
  const wide = exported(
    [
      setting(
        "NetworkPolicy",
        long,
        { organization: long },
        { organization: long, name: long, reassertOn: "2026-01-01" },
      ),
      webhook("crm", {}, { rotationState: "uncertain" }),
    ],
    { pending_operations: [{ type: long, resource: { urn: `urn:pulumi:${long}::${long}::a::b` } }] },
  );
  const lines = shown(wide, "terminal").split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBe(100);
  expect(lines.filter((line) => line.includes("…")).length).toBeGreaterThanOrEqual(3);
});

test("a name cannot bring a control character to the terminal", () => {
  const text = exported([setting("NetworkPolicy", "a\u001b[31mred\nline", {}, { name: "x\u202ey" })]);
  expect(shown(text, "terminal")).toMatch(/^network {2}a\\u\{1b\}\[31mred\\u\{a\}line {2}x\\u\{202e\}y /m);
  for (const format of ["terminal", "markdown"] as const) {
    expect(shown(text, format)).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test("in Markdown, the notes are a list above the table, and names are escaped", () => {
  const state = exported([
    setting("NetworkPolicy", "a|b", { organization: "eu" }, { organization: "eu", name: "<HQ> @all" }),
    webhook("crm", {}, { rotationState: "uncertain" }),
  ]);
  const lines = shown(state, "markdown").split("\n");
  expect(lines.slice(0, 2)).toEqual([expect.stringMatching(/^### acme\/prod, as of 2026-11-20 21:22 UTC$/), ""]);
  expect(lines).toContain("- 2 objects: 1 ok, 1 uncertain");
  expect(lines).toContain("| ORGANIZATION | KIND | NAME | SENT LAST | WHEN | SECRET AGE | NEXT DUE | STATE |");
  expect(lines).toContain("| --- | --- | --- | --- | --- | --- | --- | --- |");
  expect(lines.find((line) => line.startsWith("| eu | network |"))).toContain("| a\\|b | \\<HQ\\> @<!-- -->all |");
});

test("colors mark what is wrong, if they are wanted", () => {
  const state = readStackState(everything);
  const colored = show(state, "terminal", now, true);
  expect(colored).toContain("\u001b[31muncertain");
  expect(colored).not.toContain("\u001b[31mok");
  // eslint-disable-next-line no-control-regex
  expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(show(state, "terminal", now));
});

test("the JSON has each object with its conditions, the age of a secret that was rotated, and the pending operations", () => {
  const status = JSON.parse(shown(everything, "json")) as { objects: { name: string; conditions: string[] }[] };
  const { objects, ...rest } = status;
  expect(rest).toEqual({
    version: 1,
    ok: false,
    project: "acme",
    stack: "prod",
    time: "2026-11-20T21:22:23.25Z",
    pendingOperations: [{ type: "updating", urn: "urn:pulumi:prod::acme::aws:s3/bucket:Bucket::logs", name: "logs" }],
  });
  expect(objects).toHaveLength(9);
  expect(objects[0]).toEqual({
    urn: "urn:pulumi:prod::acme::pulumi-nodejs:dynamic/voiceplane:WebhookSecret::crm",
    name: "crm",
    type: "WebhookSecret",
    organization: "eu",
    id: "wh-crm",
    sent: {},
    sentAt: "2026-10-22T12:00:00.000Z",
    created: "2026-01-02T03:04:05.5Z",
    modified: "2026-01-02T03:04:05.5Z",
    rotation: { state: "rotated", count: 3, at: "2026-10-22T12:00:00.000Z" },
    adopted: false,
    uncertain: false,
    unread: false,
    initErrors: 0,
    leaving: false,
    deleted: false,
    dueOn: "2026-12-01",
    secretAgeSeconds: 2_592_000,
    conditions: [],
  });
  expect(objects[1]).not.toHaveProperty("secretAgeSeconds");
  const conditions = Object.fromEntries(objects.map(({ name, conditions }) => [name, conditions]));
  expect(conditions).toMatchObject({
    lost: ["uncertain"],
    silent: ["unread"],
    office: ["failed"],
    elsewhere: ["leaving"],
  });
  expect(JSON.parse(shown(well, "json"))).toMatchObject({ version: 1, ok: true });
});

test("no form shows a secret of the export, in clear or encrypted", () => {
  const canaries = [
    "secret",
    "previousSecret",
    "initialSecret",
    "data",
    "trigger",
    "id",
    "days",
    "token",
    "error",
    "output",
  ];
  const forms = [
    (text: string) => mark({ ciphertext: text }),
    (text: string) => mark({ plaintext: JSON.stringify(text) }),
    (text: string) => mark({ value: text }),
  ];
  for (const form of forms) {
    const of = (name: string) => form(`canary-${name}`);
    const text = exported([
      {
        urn: "urn:pulumi:a::b::c:d:E::f",
        type: "pulumi:providers:pulumi-nodejs",
        inputs: { "voiceplane:token": of("token") },
      },
      webhook(
        "canaries",
        { initialSecret: of("initialSecret"), webhookId: of("id"), onCreate: "rotate" },
        {
          ...{
            secret: of("secret"),
            previousSecret: of("previousSecret"),
            data: of("data"),
            triggers: { a: of("trigger") },
          },
          ...{ rotationState: "unread", rotationCount: 1 },
        },
        { id: "canary-id" },
      ),
      setting("RetentionPolicy", "recordings", { retentionDays: of("days") }, { retentionDays: "canary-days" }),
      setting("TrunkOutboundAuth", "carrier", {}, { cleared: true }, { initErrors: ["canary-error"] }),
      { urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::g", type: "pulumi:pulumi:Stack", outputs: { x: of("output") } },
    ]);
    for (const name of canaries) expect(text).toContain(`canary-${name}`);
    for (const as of ["terminal", "json", "markdown"] as const) {
      expect(shown(text, as)).toContain("carrier");
      expect(shown(text, as)).not.toContain("canary-");
    }
  }
});
