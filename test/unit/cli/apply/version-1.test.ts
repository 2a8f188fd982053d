/** Records, journals and states that version 1 of them has: recorded with the real CLI, and read once more by this version. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { events, Fleet, quietUp } from "../../../support/fake-cli";
import { write } from "../../../support/project-folder";

const webhook = "c0000000-0000-4000-8000-000000000001";
const folderOf = (name: string) => join(__dirname, "version-1", name);
const read = (name: string, file: string) => readFileSync(join(folderOf(name), file), "utf8");
const stateOf = (name: string) => ({ stdout: read(name, "state.json") });

/** A project with a recorded record and its journals, and the state as it was then. */
function recorded(name: string): Fleet {
  const fleet = new Fleet();
  const journals = readdirSync(folderOf(name)).filter((file) => file.startsWith("run-"));
  write(fleet.project.folder, {
    ".voiceplane/apply/acme.json": read(name, "record.json"),
    ...Object.fromEntries(journals.map((file) => [`.voiceplane/apply/acme.journal/${file}`, read(name, file)])),
  });
  return fleet;
}

/** The state after a rotation by this version. */
const rotated = (name: string) => ({
  stdout: read(name, "state.json").replaceAll('"rotationCount"', '"rotationId":"r9","rotationCount"'),
});
const rotating = {
  stdout: events(...quietUp),
  requests: [
    {
      ...{ id: "r9", since: null, operation: "rotateWebhookSecret", path: `/v1/webhooks/${webhook}/rotate-secret` },
      ...{ organization: "acme-eu", result: "answered", succeeded: true, time: "2026-11-25T12:00:00.000Z" },
    },
  ],
};

test("after a run that ended well, the stack is run once, because that record has no revision", async () => {
  const fleet = recorded("ended");
  expect(await fleet.apply({ export: [stateOf("ended")] })).toMatchObject({
    ...{ outcome: "unchanged", uncertain: 0, rotatedAgain: [], rotatedEarlier: [] },
    reason: "the revision was not given, and is abc",
  });
  expect(await fleet.apply({ export: [stateOf("ended")] })).toMatchObject({ outcome: "skipped" });
});

test("a rotation that was lost stays uncertain, and is named once the webhook was rotated again", async () => {
  const fleet = recorded("lost");
  for (let run = 0; run < 2; run++) {
    expect(await fleet.apply({ export: [stateOf("lost")] })).toMatchObject({ outcome: "unchanged", uncertain: 1 });
  }
  expect(await fleet.apply({ up: [rotating], export: [stateOf("lost"), rotated("lost")] })).toMatchObject({
    ...{ rotations: 1, uncertain: 0 },
    rotatedAgain: [{ name: "crm", webhook, why: "its last rotation may have been carried out" }],
  });
  expect(await fleet.apply({ export: [rotated("lost")] })).toMatchObject({ outcome: "skipped" });
});

test("a rotation of a run that was killed is uncertain by its journal, and named by the next rotation", async () => {
  const fleet = recorded("killed");
  expect(await fleet.apply({ export: [stateOf("killed")] })).toMatchObject({ uncertain: 1, rotatedEarlier: [] });
  const again = recorded("killed");
  // It has a previous secret, so the outputs are compared in another export.
  expect(
    await again.apply({ up: [rotating], export: [stateOf("killed"), stateOf("killed"), rotated("killed")] }),
  ).toMatchObject({
    ...{ rotations: 1, uncertain: 0 },
    rotatedAgain: [{ name: "crm", webhook, why: "an earlier run died while rotating it" }],
  });
});

test("a rotation that the CLI of a killed apply has stored is known by its date", async () => {
  const fleet = recorded("finished");
  expect(await fleet.apply({ export: [stateOf("finished")] })).toMatchObject({
    ...{ uncertain: 0, rotatedAgain: [] },
    rotatedEarlier: [{ name: "crm", webhook, at: "2026-11-24T17:18:02.301Z" }],
  });
  // It is not in the state of before.
  const older = recorded("finished");
  expect(await older.apply({ export: [stateOf("ended")] })).toMatchObject({ uncertain: 1 });
});

test("a journal that the record does not name was reported, and goes with the next run", async () => {
  const fleet = recorded("ended");
  write(fleet.project.folder, { ".voiceplane/apply/acme.journal/run-HZGKX6": read("finished", "run-HZGKX6") });
  expect(await fleet.apply({ export: [stateOf("ended")] })).toMatchObject({ uncertain: 0, rotatedEarlier: [] });
  expect(await fleet.apply({ export: [stateOf("ended")] })).toMatchObject({ outcome: "skipped" });
});
