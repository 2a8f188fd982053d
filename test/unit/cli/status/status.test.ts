/** What `voiceplane status` shows of a stack's state, in each form. approved/status.md has the forms. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { formatStatus } from "../../../../src/cli/commands/status/formats";
import { readStackState } from "../../../../src/cli/state/state";
import { testApproved } from "../../../support/approved";
import { everything, exported, mark, setting, webhook, well } from "./exports";

const now = new Date("2026-11-21T12:00:00Z");
type Form = Parameters<typeof formatStatus>[1];
const shown = (text: string, form: Form) => formatStatus(readStackState(text), form, now);
const terminal = (...resources: object[]) => as("terminal", exported(resources));
const as = (form: Form, text: string) => () => Promise.resolve(shown(text, form));

const eu = { organization: "eu" };
const named = (name: string, rest: object = {}) => setting("NetworkPolicy", name, {}, { name: "HQ" }, rest);
const duplicates = ["office", "headquarters"].map((name) => named(name, { id: "np-1" }));
const component = (name: string) => ({
  urn: `urn:pulumi:prod::acme::voiceplane:index:Organization::${name}`,
  type: "voiceplane:index:Organization",
});
const entries = [named("org-office"), webhook("org-crm", {}, { rotationState: "adopted" })];
const unusual = ["office-10", "大阪", "office-2", "café\u0301"];

testApproved(join(__dirname, "approved/status.md"), {
  "each object: what was sent and when, the age of each secret, what is due and what is wrong": as(
    "terminal",
    everything,
  ),
  "the same as JSON": as("json", everything),
  "a stack that is well, as JSON": as("json", well),
  "values that were adopted are not said to be sent": terminal(
    setting("RetentionPolicy", "recordings", {}, { retentionDays: 365, enabled: true, confirmed: false }),
    setting("NetworkPolicy", "office", {}, { name: "HQ", confirmed: false, uncertain: "update" }),
    setting("TrunkOutboundAuth", "carrier", {}, { cleared: true, confirmed: false }),
  ),
  "an object with two resources is shown with both names": terminal(...duplicates),
  "and is a duplicate in JSON": as("json", exported(duplicates)),
  "an entry of the only organization has its own name, as in a report": terminal(component("org"), ...entries),
  "entries of two organizations have their resources' names": terminal(component("org"), component("us"), ...entries),
  "columns are aligned by what a terminal shows, and numbers in names are in their order": terminal(
    ...unusual.map((name) => named(name)),
  ),
  "in Markdown, the notes are a list above the table, and names are escaped": as(
    "markdown",
    exported([
      setting("NetworkPolicy", "a|b", eu, { ...eu, name: "<HQ> @all" }),
      webhook("crm", {}, { rotationState: "uncertain" }),
    ]),
  ),
});

test("the table in docs/operate/what-to-watch.md is one that it prints", () => {
  const [, example] =
    /<!-- shown: table -->\n\n```text\n(.*?)```/s.exec(readFileSync("docs/operate/what-to-watch.md", "utf8")) ?? [];
  const rotated = { rotatedAt: "2026-10-22T09:00:00Z", rotationCount: 3, rotationState: "rotated" };
  const uncertain = { rotatedAt: "2026-11-20T21:22:20Z", rotationCount: 1, rotationState: "uncertain" };
  const days = { retentionDays: 90, enabled: true };
  const state = exported([
    webhook("crm", { rotateOn: "2027-01-20" }, rotated),
    webhook("billing", {}, uncertain),
    webhook("legacy", { onCreate: "adopt" }, { rotationState: "adopted" }),
    setting("RetentionPolicy", "recordings", { ...eu, reassertOn: "2026-11-19" }, { ...eu, ...days }),
    setting("NetworkPolicy", "office", eu, { ...eu, name: "HQ", sourceCidr: "203.0.113.0/24" }),
  ]);
  expect(example).toBe(shown(state, "terminal"));
});

test("a name cannot bring a control character to the terminal", () => {
  const text = exported([setting("NetworkPolicy", "a\u001b[31mred\nline", {}, { name: "x\u202ey" })]);
  expect(shown(text, "terminal")).toMatch(/^NetworkPolicy {2}a\\u\{1b\}\[31mred\\u\{a\}line {2}x\\u\{202e\}y /m);
  for (const format of ["terminal", "markdown"] as const) {
    expect(shown(text, format)).not.toMatch(/[^\P{Cc}\n]|[\p{Cf}\p{Zl}\p{Zp}]/u);
  }
});

test("colors mark what is wrong, if they are wanted", () => {
  const state = readStackState(everything);
  const colored = formatStatus(state, "terminal", now, true);
  expect(colored).toContain("\u001b[31muncertain");
  expect(colored).not.toContain("\u001b[31mok");
  // eslint-disable-next-line no-control-regex
  expect(colored.replaceAll(/\u001b\[\d+m/g, "")).toBe(formatStatus(state, "terminal", now));
});

test.each([
  ["encrypted", (text: string) => mark({ ciphertext: text })],
  ["in clear", (text: string) => mark({ plaintext: JSON.stringify(text) })],
  ["as a value", (text: string) => mark({ value: text })],
])("no form shows a secret of the export that is %s", (_how, sealed) => {
  const of = (name: string) => sealed(`canary-${name}`);
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
        ...{ secret: of("secret"), previousSecret: of("previousSecret"), data: of("data") },
        ...{ triggers: { a: of("trigger") }, rotationState: "unread", rotationCount: 1 },
      },
      { id: "canary-id" },
    ),
    setting("RetentionPolicy", "recordings", { retentionDays: of("days") }, { retentionDays: "canary-days" }),
    setting("TrunkOutboundAuth", "carrier", {}, { cleared: true }, { initErrors: ["canary-error"] }),
    { urn: "urn:pulumi:a::b::pulumi:pulumi:Stack::g", type: "pulumi:pulumi:Stack", outputs: { x: of("output") } },
  ]);
  expect(text.match(/canary-/g)?.length).toBeGreaterThan(9);
  for (const as of ["terminal", "json", "markdown"] as const) {
    expect(shown(text, as)).toContain("carrier");
    expect(shown(text, as)).not.toContain("canary-");
  }
});
