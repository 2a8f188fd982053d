/** The report of each recorded preview and update, as people see it: approved/NAME.md. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { formatReport } from "../../../../src/cli/report/formats";
import { expectApproved } from "../../../support/approved";
import { asUpdate, changeLines, digest, linesOf, recording, recordingFile, reportOf } from "../../../support/recorded";

const approved = (name: string) => join(__dirname, "approved", name);
const recordings = readdirSync(recordingFile("")).filter((name) => /\.(digest|events)$/.test(name));
const digests = recordings.filter((name) => name.endsWith(".digest"));

/** The two forms of the same preview have one text. Of these, the events are of an update, or have the policies' reasons. */
const apart = ["another-organization.events", "policies-refused.events"];
const textOf = (name: string) => (apart.includes(name) ? `${name}.md` : name.replace(/\.\w+$/, ".md"));

test.each(recordings)("%s", async (name) => {
  expectApproved(approved(textOf(name)), formatReport(await reportOf(recording(name)), "markdown"));
});

/** Whether it happened is not known afterwards either. */
const done = { delete: "deleted", lock: "locked", clear: "cleared", rotate: "rotated" };
const asDone = (text: string): string =>
  text.replaceAll(/\bmay (delete|lock|clear|rotate)\b/g, (_may, verb: keyof typeof done) => `may have ${done[verb]}`);

test.each(digests)(
  "%s: an update has the sentences of its preview as done, without lines to run before it",
  async (name) => {
    const withoutLines = (lines: readonly string[]) =>
      lines.map((line) =>
        asDone(line).replace(
          /: (add `formerly|add an alias|add the alias|rename them in two steps).*$|; to avoid this, .*$/,
          "",
        ),
      );
    expect(await linesOf(asUpdate(digest(name)))).toEqual(withoutLines(await linesOf(recording(name))));
  },
);

test.each(digests)("%s: the native types give the same report", async (name) => {
  const dynamic = recording(name);
  const native = dynamic.replaceAll("pulumi-nodejs:dynamic/voiceplane:", "voiceplane:index:");
  const unnamed = ({ changes, ...report }: Awaited<ReturnType<typeof reportOf>>) =>
    JSON.stringify({ ...report, changes }).replaceAll("pulumi-nodejs:dynamic/voiceplane:", "voiceplane:index:");
  expect(unnamed(await reportOf(native))).toEqual(unnamed(await reportOf(dynamic)));
});

test("an update is reported from its own events, in the sentences of its preview as done", async () => {
  const { phase, ...rest } = await reportOf(recording("up-created.events"));
  const { phase: _kind, ...created } = await reportOf(recording("created.digest"));
  expect([phase, rest]).toEqual(["update", JSON.parse(asDone(JSON.stringify(created)))]);
});

test("the worst sentences, in words that a user's safety hangs on", async () => {
  const lines = async (name: string) => changeLines(await reportOf(recording(`${name}.digest`)));
  expect(await lines("moved")).toContain(
    "[sends the token elsewhere] from this update on, requests with the token of eu go to `https://voice.example.net/api` " +
      "instead of `http://127.0.0.1:8000`; what is unchanged is not sent, and another server there may have other settings and " +
      "secrets: eu-billing, eu-recordings",
  );
  expect(await lines("tainted")).toEqual([
    "[deletes data] recordings: 365 → 90 days, still turned on; deletes what is older; " +
      "the guard for fewer days does not apply here, and no `allowShortening: { from: 365, to: 90 }` is declared",
  ]);
  expect(await lines("destroyed")).toEqual(
    expect.arrayContaining([
      "[deletes data] conversations: by `onDelete`, turns the policy off, with 30 days: what happens to the data is up to the server",
      "[cuts a trunk] carrier-a: by `onDelete`, clears its outbound credentials, which this provider cannot restore",
      "[forgets a secret, stops managing] billing: signing secret no longer managed; " +
        "deletes its only known copy, in the state, while the webhook keeps using it",
      "[narrows access] office: by `onDelete`, admits 203.0.113.0/25, half of 203.0.113.0/24",
    ]),
  );
  expect(await lines("uncertain")).toContain(
    "[rotates a secret] crm: rotates its signing secret (trigger quarter changed, " +
      "its last rotation may have been carried out): the old secret stops working",
  );
  expect(await lines("organization-renamed")).toContain(
    "[stops managing] the organization example renamed to acme, which makes it another organization: " +
      "the objects of example are no longer managed, and every setting is sent to acme (PUT, PATCH, DELETE); " +
      "to avoid this, run `pulumi config set voiceplane:organization example`",
  );
});
