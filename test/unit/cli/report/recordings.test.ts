/** The report of each recorded preview, as people see it: approved/NAME.md. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { formatReport } from "../../../../src/cli/report/formats";
import { expectApproved } from "../../../support/approved";
import { changeLines, recording, recordingFile, reportOf } from "../../../support/recorded";

const recordings = readdirSync(recordingFile("")).filter((name) => /\.(digest|events)$/.test(name));

test.each(recordings)("%s", async (name) => {
  const file = join(__dirname, "approved", name.replace(/\.\w+$/, ".md"));
  expectApproved(file, formatReport(await reportOf(recording(name)), "markdown"));
});

test.each(recordings)("%s: the native types give the same report", async (name) => {
  const asNative = (text: string) => text.replaceAll("pulumi-nodejs:dynamic/voiceplane:", "voiceplane:index:");
  const dynamic = recording(name);
  expect(JSON.stringify(await reportOf(asNative(dynamic)))).toEqual(asNative(JSON.stringify(await reportOf(dynamic))));
});

test("the worst lines, in words that a user's safety hangs on", async () => {
  const lines = async (name: string) => changeLines(await reportOf(recording(`${name}.digest`)));
  expect(await lines("moved")).toContain(
    "[sends the token elsewhere] from this update on, requests with the token of eu go to `https://voice.example.net/api` " +
      "instead of `http://127.0.0.1:8000`; what is unchanged is not sent there, and another server may have other settings and " +
      "secrets",
  );
  expect(await lines("tainted")).toEqual(["[deletes data] recordings: sets `retentionDays: 365 → 90, enabled: true`"]);
  expect(await lines("destroyed")).toEqual(
    expect.arrayContaining([
      "[deletes data] conversations: sets `retentionDays: 30, enabled: true → false` (by `onDelete`)",
      "[cuts a trunk] carrier-a: clears its outbound credentials, which cannot be restored (by `onDelete`)",
      "[forgets a secret, stops managing] billing: no longer managed, left as it is",
      '[narrows access] office: sets `sourceCidr: "203.0.113.0/24" → "203.0.113.0/25"` (by `onDelete`)',
    ]),
  );
  expect(await lines("uncertain")).toContain(
    '[rotates a secret] crm: rotates its signing secret (its last request may have been carried out); `~ triggers.quarter: "2026-Q3" => "2026-Q4"`',
  );
});
