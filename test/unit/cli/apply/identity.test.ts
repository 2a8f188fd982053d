/**
 * What became of each rotation, by its id, where no real CLI can be stopped: between two lines, with a journal that cannot be read.
 * Deaths, clocks, records that are missing and states that went back are shown with the real one in
 * test/campaigns/engine/apply-identity.test.ts and test/engine/http-backend/apply.test.ts.
 */
import fs, { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordFile, type ApplyOptions } from "../../../../src/cli/apply/index";
import { deployment, events, Fleet, quietUp, urn, webhook } from "../../../support/fake-cli";
import { testOnLinux } from "../../../support/machine";
import { temporaryFolder, write } from "../../../support/project-folder";

const recordPath = ".voiceplane/apply/acme.json";
const died = { stderr: "error: the provider is gone", code: 255 };
const quiet = { stdout: events(...quietUp) };

interface Sent {
  readonly id: string;
  /** The rotation that the state had. */
  readonly since: string | null;
  readonly webhook?: string;
  readonly time?: string;
}

/** The line before a rotation, which is all that a killed provider leaves. */
const begun = ({ id, since, webhook: crm = "crm-1", time = "2026-11-20T12:30:00.000Z" }: Sent) => ({
  ...{ id, intent: true, since, operation: "rotateWebhookSecret", path: `/v1/webhooks/${crm}/rotate-secret` },
  ...{ organization: "acme-eu", method: "POST", attempt: 1, time },
});

const answered = (sent: Sent) => [
  begun(sent),
  { ...begun(sent), intent: undefined, result: "answered", status: 200, succeeded: true, outcome: "success" },
];

const state = (rotationId: string | undefined, more: object = {}, pending: object[] = []) => ({
  stdout: deployment([webhook({ rotationId, ...more })], pending),
});
const folderOf = (fleet: Fleet) => join(fleet.project.folder, ".voiceplane/apply/acme.journal");
const journals = (fleet: Fleet): string[] => (existsSync(folderOf(fleet)) ? readdirSync(folderOf(fleet)).sort() : []);

/** An apply that was killed, and left this journal. Its record says that it has not ended. */
async function killed(fleet: Fleet, lines: readonly object[]): Promise<void> {
  const texts: string[] = [];
  const record = {
    read: () => Promise.resolve(undefined),
    write: (text: string) => Promise.resolve(void texts.push(text)),
  };
  await fleet.apply({ up: [died] }, { record, privateFolder: temporaryFolder() });
  write(fleet.project.folder, {
    [recordPath]: texts[0] ?? "",
    ".voiceplane/apply/acme.journal/run-dead": events(...lines),
  });
}

test("a pending update of a setting makes no webhook uncertain", async () => {
  const fleet = new Fleet();
  const setting = { urn: "urn:pulumi:acme::fleet::voiceplane:index:RetentionPolicy::recordings" };
  const pending = state("r1", {}, [{ type: "updating", resource: setting }]);
  expect(await fleet.apply({ export: [pending, state("r1")] })).toMatchObject({ uncertain: 0 });
});

test("a create of a webhook's secret that died and is not declared any more is uncertain while it is pending", async () => {
  const fleet = new Fleet();
  const create = { type: "creating", resource: { ...webhook(), inputs: { account: "acme-eu", webhookId: "crm-1" } } };
  const other = { ...webhook({ rotationId: null }), urn: `${urn}-billing`, id: "billing" };
  const pending = { stdout: deployment([other], [create]) };
  for (let run = 0; run < 2; run++) {
    expect(await fleet.apply({ export: [pending] })).toMatchObject({
      ...{ uncertain: 1, pending: ["creating crm"], rotatedAgain: [] },
    });
  }
});

test("where the state does not have it, it is not known", async () => {
  const fleet = new Fleet();
  const up = [{ ...quiet, requests: [begun({ id: "r2", since: "r1" })] }];
  expect(await fleet.apply({ up, export: [state("r1")] })).toMatchObject({ rotations: 0, uncertain: 1 });
});

test("a journal that is gone or cannot be read after the run leaves what was sent unknown", async () => {
  const fleet = new Fleet();
  const gone = async () => {
    for (const name of journals(fleet)) rmSync(join(folderOf(fleet), name));
    return Promise.resolve("1");
  };
  const result = await fleet.apply({ up: [quiet] }, { stateVersion: gone });
  expect(result).toMatchObject({
    uncertain: 1,
    unreadable: [expect.stringMatching(/run-\w+ cannot be read \(ENOENT\)$/)],
  });

  const unreadable = new Fleet();
  mkdirSync(join(folderOf(unreadable), "run-folder"), { recursive: true });
  const folder = { uncertain: 1, unreadable: [expect.stringMatching(/run-folder cannot be read \(EISDIR\)$/)] };
  // It stays, so no run is skipped.
  for (let run = 0; run < 2; run++) {
    expect(await unreadable.apply({})).toMatchObject({ outcome: "unchanged", ...folder });
  }
});

test.each<[what: string, line: string]>([
  [
    "an encoding that is wrong",
    JSON.stringify({ ...begun({ id: "r2", since: "r1" }), path: "/v1/webhooks/%E0%A4%A/x" }),
  ],
  ["an intent that is an object", JSON.stringify({ ...begun({ id: "r2", since: "r1" }), intent: {} })],
  ["its end missing", '{"id":"r2","intent":true'],
])("a line with %s is reported once, and kept for a person", async (_what, line) => {
  const fleet = new Fleet();
  await killed(fleet, []);
  write(fleet.project.folder, { ".voiceplane/apply/acme.journal/run-dead": `${line}\n` });
  const problem = `1 line of the journal ${join(folderOf(fleet), "run-dead")} cannot be read`;
  expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", uncertain: 1, unreadable: [problem] });
  expect(journals(fleet)).toEqual(["unreadable-run-dead"]);
  expect(await fleet.apply({})).toMatchObject({ outcome: "skipped" });
});

test("a line that the CLI of a killed run adds after the report stays for the next one", async () => {
  const fleet = new Fleet();
  await killed(fleet, answered({ id: "r1", since: null }));
  const onResult = async () => {
    const file = join(folderOf(fleet), "run-dead");
    writeFileSync(file, events(begun({ id: "r2", since: "r1" })), { flag: "a" });
    return Promise.resolve();
  };
  expect(await fleet.apply({ export: [state("r1")] }, { onResult })).toMatchObject({
    rotatedEarlier: [{}],
    uncertain: 0,
  });
  expect(journals(fleet)).toEqual(["run-dead"]);
  expect(await fleet.apply({ export: [state("r1")] })).toMatchObject({ uncertain: 1 });
});

test("what a result names is forgotten only when it was written", async () => {
  const fleet = new Fleet();
  await killed(fleet, answered({ id: "r1", since: null }));
  const progress: string[] = [];
  const broken: Partial<ApplyOptions> = {
    onResult: () => Promise.reject(new Error("nobody reads it")),
    onProgress: (line) => progress.push(line),
  };
  const up = [{ ...quiet, requests: answered({ id: "r2", since: "r1" }) }];
  expect(await fleet.apply({ up, export: [state("r1"), state("r2")] }, broken)).toMatchObject({
    outcome: "failed",
    reason: "the result could not be written (nobody reads it), so the next run reports it again",
    exitCode: 1,
  });
  expect(progress.at(-1)).toContain("nobody reads it");
  expect(await fleet.apply({ export: [state("r2")] })).toMatchObject({ rotatedEarlier: [{}, {}], rotatedAgain: [] });
  expect(await fleet.apply({ export: [state("r2")] })).toMatchObject({ outcome: "skipped" });
});

test("each kind of result is written: of bad input, of a stack that another run holds, and of a skip", async () => {
  const written: string[] = [];
  const onResult = ({ outcome }: { outcome: string }) => Promise.resolve(void written.push(outcome));
  const fleet = new Fleet();
  await fleet.apply({}, { onResult, stack: "a b" });
  const busy = { onResult: () => fleet.apply({}, { onResult }).then(() => undefined) };
  await fleet.apply({}, busy);
  await fleet.apply({}, { onResult });
  expect(written).toEqual(["failed", "locked", "skipped"]);
});

test("a record for two stacks is refused, and neither loses its journal", async () => {
  const fleet = new Fleet();
  const shared = join(fleet.project.folder, "shared.json");
  write(fleet.project.folder, {
    "Pulumi.globex.yaml": "encryptionsalt: v1:abc\n",
    ".state/.pulumi/stacks/fleet/globex.json": "{}",
  });
  const record = recordFile(shared);
  const other: string[] = [];
  const onProgress = (line: string) => {
    if (line.startsWith("runs")) write(fleet.project.folder, { "shared.journal/run-live": `${header}\n` });
  };
  const header = JSON.stringify({
    journal: { backend: fleet.env.PULUMI_BACKEND_URL, project: "fleet", stack: "acme" },
  });
  await fleet.apply({ up: [died] }, { record, onProgress });
  fleet.calls();
  const refused = await fleet.apply({}, { record, stack: "globex", onProgress: (line) => other.push(line) });
  expect(refused).toMatchObject({
    outcome: "failed",
    reason: expect.stringMatching(
      /^the record is of the stack acme of the project fleet in file:.*: give each stack a --record/,
    ) as string,
  });
  rmSync(shared);
  const journal = await fleet.apply({}, { record, stack: "globex" });
  expect(journal.reason).toMatch(/^the journal .*run-live is of the stack acme/);
  expect(fleet.calls()).toEqual([]);
  expect(readdirSync(join(fleet.project.folder, "shared.journal"))).toEqual(["run-live"]);
});

test("an option of a file backend makes it no other one", async () => {
  const fleet = new Fleet();
  await fleet.apply({ export: [state("r1")] });
  const env = { ...fleet.env, PULUMI_BACKEND_URL: `${fleet.env.PULUMI_BACKEND_URL ?? ""}?metadata=skip` };
  expect(await fleet.apply({ export: [state("r1")] }, { env })).toMatchObject({ outcome: "skipped" });
});

test("a rotation on another machine is no state that went back", async () => {
  const fleet = new Fleet();
  await fleet.apply({ export: [state("r1")] });
  write(fleet.project.folder, { ".state/.pulumi/stacks/fleet/acme.json": '{"changed":true}' });
  expect(await fleet.apply({ export: [state("x9")] })).toMatchObject({
    ...{ outcome: "unchanged", uncertain: 0, reason: "the state changed since the last run", rotatedAgain: [] },
  });
});

test("after a run whose state could not be read, the next one decides by the ids", async () => {
  const fleet = new Fleet();
  const broken = { stderr: "error: out of order", code: 255 };
  const up = [{ ...quiet, requests: answered({ id: "r2", since: "r1" }) }];
  expect(await fleet.apply({ up, export: [state("r1"), broken] })).toMatchObject({
    ...{ outcome: "failed", rotations: 1, uncertain: null },
  });
  expect(journals(fleet)).toEqual([]);
  expect(await fleet.apply({ export: [state("r2")] })).toMatchObject({
    uncertain: 0,
    rotatedAgain: [],
    rotatedEarlier: [],
  });

  const lost = new Fleet();
  await lost.apply({ up, export: [state("r1"), broken] });
  expect(await lost.apply({ export: [state("r1")] })).toMatchObject({ outcome: "unchanged", uncertain: 1 });
});

test("the journal of a run is on its own until the CLI has started, and names its stack", async () => {
  const fleet = new Fleet();
  let seen = "";
  const onResult = () => {
    const [name = ""] = journals(fleet);
    seen = readFileSync(join(folderOf(fleet), name), "utf8").split("\n")[0] ?? "";
    return Promise.resolve();
  };
  await fleet.apply({ up: [{ ...quiet, requests: answered({ id: "r2", since: "r1" }) }] }, { onResult });
  expect(JSON.parse(seen)).toEqual({
    journal: { backend: fleet.env.PULUMI_BACKEND_URL, project: "fleet", stack: "acme" },
  });
  expect(journals(fleet)).toEqual([]);
});

test("two resources with one webhook are refused before anything is sent, with both names", async () => {
  const fleet = new Fleet();
  const twice = { stdout: deployment([webhook(), { ...webhook({ rotationId: "r2" }), urn: `${urn}-again` }]) };
  expect(await fleet.apply({ export: [twice] })).toMatchObject({
    outcome: "failed",
    reason:
      "crm and crm-again are one object: WebhookSecret crm-1 of acme-eu. Each would rotate its secret: remove one of " +
      "them with `pulumi state delete URN`",
    needsPerson: true,
    requests: 0,
  });
  expect(fleet.calls()).toEqual(["stack export"]);
});

const inClear = (text: string) => ({
  "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270",
  plaintext: JSON.stringify(text),
});
const encrypted = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", ciphertext: "v1:x" };

/** A state whose output has this secret, encrypted and in clear. */
function withOutput(output: string) {
  const rotated = webhook({ secret: encrypted, previousSecret: encrypted });
  const inClearly = webhook({ secret: inClear("whsec_current"), previousSecret: inClear("whsec_previous") });
  const state = (resource: object, value: object) =>
    deployment([resource]).replace(
      '"type":"pulumi:pulumi:Stack"',
      `"type":"pulumi:pulumi:Stack","outputs":{"crm":${JSON.stringify(value)}}`,
    );
  return [{ stdout: state(rotated, encrypted) }, { stdout: state(inClearly, inClear(output)) }] as const;
}

test("a run that registers an output anew, which had a secret that was rotated since, has changed something", async () => {
  const fleet = new Fleet();
  const [plain, clear] = withOutput("whsec_previous");
  const stale = "the stack output crm has a secret that was rotated since: crm";
  expect(await fleet.apply({ export: [plain, clear] }, { dryRun: true })).toMatchObject({
    ...{ outcome: "previewed", staleOutputs: ["crm"] },
    report: `voiceplane preview: no requests, 1 other change\n\nOutputs\n\n     ${stale}; an update registers it again\n`,
    reason: `there is no record of an earlier run; ${stale}`,
  });
  fleet.calls();
  const result = await fleet.apply({ export: [plain, clear, plain] });
  expect(result).toMatchObject({
    ...{ outcome: "applied", staleOutputs: ["crm"], exitCode: 2 },
    reason: `there is no record of an earlier run; ${stale}; this run registered it again`,
  });
  expect(fleet.calls()[1]).toBe("stack export --show-secrets");
  expect(JSON.stringify(result)).not.toContain("whsec");
  expect(await fleet.apply({ export: [plain] })).toMatchObject({ outcome: "skipped" });
});

test("a failed run names the outputs that it left with such a secret", async () => {
  const fleet = new Fleet();
  const [plain, clear] = withOutput("whsec_previous");
  const current = withOutput("whsec_current");
  expect(await fleet.apply({ up: [died], export: [...current, plain, clear] })).toMatchObject({
    ...{ outcome: "failed", staleOutputs: ["crm"] },
  });
  expect(await fleet.apply({ export: [...current] })).toMatchObject({ outcome: "unchanged", staleOutputs: [] });
});

test("a run that is killed between its last two steps is reported once more, and nothing is rotated for that", async () => {
  const fleet = new Fleet();
  const path = join(fleet.project.folder, recordPath);
  const file = recordFile(path);
  const dying = {
    ...file,
    write: async (text: string) => {
      await file.write(text);
      if (!text.includes('"run"')) throw new Error("killed");
    },
  };
  const up = [{ ...quiet, requests: answered({ id: "r2", since: "r1" }) }];
  expect(await fleet.apply({ up, export: [state("r1"), state("r2")] }, { record: dying })).toMatchObject({
    ...{ outcome: "unchanged", rotations: 1 },
  });
  expect(journals(fleet)).toHaveLength(1);
  expect(await fleet.apply({ export: [state("r2")] })).toMatchObject({
    ...{ outcome: "unchanged", rotations: 0, uncertain: 0, rotatedAgain: [], rotatedEarlier: [{ name: "crm" }] },
  });
  expect(await fleet.apply({ export: [state("r2")] })).toMatchObject({ outcome: "skipped" });
});

testOnLinux(
  "the journal, the record and their folders are on the disk before the CLI starts, and the record again at the end",
  async () => {
    const fleet = new Fleet();
    const saved: string[] = [];
    const fsync = jest.spyOn(fs, "fsyncSync").mockImplementation((fd) => {
      saved.push(readlinkSync(`/proc/self/fd/${fd}`).split("/").at(-1) ?? "");
    });
    await fleet.apply({});
    fsync.mockRestore();
    const names = saved.map((name) => name.replace(/^run-\w+$/, "run").replace(/\d+$/, "new"));
    const record = ["acme.json.new", "apply"];
    // The record of the run, of its CLI, and of its end.
    expect(names).toEqual(["run", "acme.journal", ...record, ...record, ...record]);
  },
);
