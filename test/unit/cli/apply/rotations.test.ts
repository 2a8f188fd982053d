/**
 * What became of each rotation and setting, where no real CLI can be stopped: between two lines, with a journal that cannot be read.
 * Deaths, clocks, records that are missing and states that went back are shown with the real one in
 * test/campaigns/engine/apply-identity.test.ts, apply-deaths.test.ts there, and test/campaigns/http-backend/apply.test.ts.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { recordFile } from "../../../../src/cli/apply/index";
import {
  begun,
  broken,
  deployment,
  events,
  Fleet,
  journalFolder,
  memory,
  ofWebhook,
  prelude,
  quiet,
  recordPath,
  rotation,
  stateWith,
  urn,
  webhook,
} from "../../../support/fake-cli";
import { write } from "../../../support/project-folder";

const [earlierState, laterState] = [stateWith("r1"), stateWith("r2")];
/** An update that rotates the secret of the state. */
const rotating = { ...quiet, requests: [rotation("r2", "r1")] };
const pendingCreate = { type: "creating", resource: webhook() };
const notStored = "its last rotation may have been carried out";
const earlier = [{ name: "crm", webhook: "crm-1", at: "2026-11-20T12:00:00Z" }];
const fileOf = ({ project }: Fleet, name: string) => join(project.folder, journalFolder, name);

describe("a rotation whose provider was killed", () => {
  let fleet: Fleet;

  beforeEach(async () => {
    fleet = new Fleet();
    const killed = { ...broken, requests: [begun("lost", "r1")] };
    expect(await fleet.apply({ up: [killed], export: [earlierState] })).toMatchObject({
      ...{ outcome: "failed", requests: 1, rotations: 0, uncertain: 1, rotatedAgain: [] },
    });
  });

  test("is uncertain until a later one is stored, which is named", async () => {
    // A run that does not rotate it leaves it uncertain, and is not skipped afterwards.
    for (const reason of ["the last run failed", "the secret of crm is not known for sure"]) {
      expect(await fleet.apply({ export: [earlierState] })).toMatchObject({
        ...{ outcome: "unchanged", reason, uncertain: 1, rotatedAgain: [], rotatedEarlier: [] },
      });
    }
    expect(await fleet.apply({ up: [rotating], export: [earlierState, laterState] })).toMatchObject({
      ...{ outcome: "unchanged", rotations: 1, uncertain: 0, rotatedEarlier: [] },
      rotatedAgain: [{ name: "crm", webhook: "crm-1", why: notStored }],
    });
    expect(fleet.journals()).toEqual([]);
    expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
  });

  test("is named once if somebody else made up for it, and not uncertain any more", async () => {
    expect(await fleet.apply({ export: [laterState] })).toMatchObject({
      ...{ uncertain: 0, rotatedAgain: [{ name: "crm", webhook: "crm-1", why: notStored }] },
    });
    expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
  });

  test("is not uncertain once its webhook is not declared any more", async () => {
    const gone = { stdout: deployment([]) };
    expect(await fleet.apply({ export: [earlierState, gone] })).toMatchObject({ outcome: "unchanged", uncertain: 0 });
    expect(await fleet.apply({ export: [gone] })).toMatchObject({ outcome: "skipped" });
  });
});

test("a rotation without an answer is not known in a run that ended well either", async () => {
  const up = [{ ...quiet, requests: [begun("r2", "r1")] }];
  expect(await new Fleet().apply({ up, export: [earlierState] })).toMatchObject({ rotations: 0, uncertain: 1 });
});

test("a webhook of which an earlier rotation is uncertain is named only by a run that rotated it", async () => {
  const fleet = new Fleet();
  const [before, after] = [
    stateWith("r2", { rotationState: "uncertain" }),
    stateWith("r3", { rotationState: "uncertain" }),
  ];
  const unanswered = { ...broken, requests: [rotation("r3", "r2", { result: "lost", outcome: "unknown" })] };
  expect(await fleet.apply({ up: [broken], export: [before] })).toMatchObject({ uncertain: 1, rotatedAgain: [] });
  expect(await fleet.apply({ up: [unanswered], export: [before, after] })).toMatchObject({
    ...{ uncertain: 1, rotatedAgain: [{ name: "crm", webhook: "crm-1", why: notStored }] },
  });
});

test("a rotation that the state had when the next one was sent is told, and not named as one that was made up for", async () => {
  const fleet = new Fleet();
  fleet.dies(rotation("r1"));
  // A declared rotation after that one is none that makes up for it.
  const declared = await fleet.apply({ up: [rotating], export: [earlierState, laterState] });
  expect(declared).toMatchObject({ rotations: 1, rotatedAgain: [], rotatedEarlier: [{ name: "crm" }] });

  // The state had the first of them when the second one was sent.
  fleet.dies(rotation("r1"), rotation("r2", "r1"));
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ rotatedAgain: [], rotatedEarlier: [{}, {}] });
});

test("so is one that was answered and reported as lost, if a later one names it: the state had it after all", async () => {
  const fleet = new Fleet();
  fleet.dies(rotation("r2", "r1"));
  const lost = [{ id: "crm-1", organization: "acme-eu", rotation: "r1", since: "r0", answered: true }];
  fleet.writeRecord({ ...(JSON.parse(fleet.record()) as object), lost });
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({
    ...{ uncertain: 0, rotatedAgain: [], rotatedEarlier: [{ name: "crm" }] },
  });
});

test("webhooks of two organizations with one id are two webhooks", async () => {
  const fleet = new Fleet();
  fleet.dies(begun("lost", "r1", { organization: "globex" }));
  expect(await fleet.apply({ up: [rotating], export: [earlierState, laterState] })).toMatchObject({
    ...{ rotations: 1, uncertain: 1, rotatedAgain: [] },
  });
});

test("a rotation on another machine is no state that went back", async () => {
  const fleet = new Fleet();
  await fleet.apply({ export: [earlierState] });
  write(fleet.project.folder, { ".state/.pulumi/stacks/fleet/acme.json": '{"changed":true}' });
  expect(await fleet.apply({ export: [stateWith("x9")] })).toMatchObject({
    ...{ outcome: "unchanged", uncertain: 0, reason: "the state changed since the last run", rotatedAgain: [] },
  });
});

test("after a run whose state could not be read, which says what it sent, the next one decides by the ids", async () => {
  const [fleet, lost] = [new Fleet(), new Fleet()];
  for (const each of [fleet, lost]) {
    expect(await each.apply({ up: [rotating], export: [earlierState, broken] })).toMatchObject({
      ...{ outcome: "failed", reason: "out of order", requests: 1, rotations: 1, uncertain: null, rotatedEarlier: [] },
    });
    expect(each.journals()).toEqual([]);
  }
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({
    ...{ reason: "the last run failed", rotations: 0, uncertain: 0, rotatedAgain: [], rotatedEarlier: [] },
  });
  expect(await lost.apply({ export: [earlierState] })).toMatchObject({ outcome: "unchanged", uncertain: 1 });
});

test("a rotation that a result has named, and whose journal stays for the sake of a setting, is named once", async () => {
  const fleet = new Fleet();
  const setting = rotation("s1", null, { operation: "putRetentionPolicy", path: "/v1/retention-policies/recordings" });
  const up = [{ ...quiet, requests: [rotation("r2", "r1"), setting] }];
  expect(await fleet.apply({ up, export: [earlierState, broken] })).toMatchObject({ outcome: "failed", rotations: 1 });
  expect(fleet.journals()).toHaveLength(1);
  const again = [{ ...quiet, requests: [rotation("r3", "r1")] }];
  expect(await fleet.apply({ up: again, export: [earlierState, stateWith("r3")] })).toMatchObject({
    ...{ rotations: 1, rotatedEarlier: [], rotatedAgain: [{ name: "crm" }] },
  });
});

describe("by the state's pending operations", () => {
  const updating = stateWith("r1", {}, [{ type: "updating", resource: webhook() }]);
  const creating = stateWith("r1", {}, [pendingCreate]);

  test.each([
    ["updating", { up: [rotating], export: [updating, laterState] }],
    // The second state is that after the run, which then clears the create.
    ["creating", { export: [creating, creating, earlierState] }],
  ])(
    "a run that died while %s a webhook is named after the one that made up for it, without a journal",
    async (died, script) => {
      expect(await new Fleet().apply(script)).toMatchObject({
        ...{ outcome: "unchanged", pending: [] },
        rotatedAgain: [{ name: "crm", webhook: "crm-1", why: `an earlier run died while ${died} it` }],
      });
    },
  );

  test("a create that a journal knows is named once", async () => {
    const fleet = new Fleet();
    fleet.dies(begun("lost"));
    expect(await fleet.apply({ export: [creating, creating, earlierState] })).toMatchObject({
      rotatedAgain: [{ name: "crm", why: "an earlier run died while rotating it" }],
    });
  });

  test("that of a setting makes no webhook uncertain", async () => {
    const setting = { urn: "urn:pulumi:acme::fleet::voiceplane:index:RetentionPolicy::recordings" };
    const pending = stateWith("r1", {}, [{ type: "updating", resource: setting }]);
    expect(await new Fleet().apply({ export: [pending, earlierState] })).toMatchObject({ uncertain: 0 });
  });

  test("a create that died and is not declared any more is uncertain while it is pending", async () => {
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

  test("creates that the engine's flag may not clear, because one of them is an unknown object, are reported", async () => {
    const fleet = new Fleet();
    // The flag would clear the other one too, which may be an object that nobody knows.
    const other = { type: "creating", resource: { ...webhook(), urn: `${urn}-other` } };
    // Created a second time: the entry is all that tells of the first object.
    const bucket = { ...webhook(), urn: "urn:pulumi:acme::fleet::aws:s3:Bucket::logs", type: "aws:s3:Bucket" };
    for (const [state, pending] of [
      [deployment([webhook()], [pendingCreate, other]), ["creating crm", "creating crm-other"]],
      [deployment([bucket], [{ type: "creating", resource: bucket }]), ["creating logs"]],
    ] as const) {
      expect(await fleet.apply({ export: [{ stdout: state }] }, { skip: false })).toMatchObject({ pending });
      expect(fleet.calls().filter((call) => call.startsWith("refresh"))).toEqual([]);
    }
  });

  test("while creates are cleared, a change of another's is not taken for the run's own, and the record names the CLI", async () => {
    const record = memory();
    let versions = 0;
    // Another one changes the state right after the run.
    const stateVersion = () => Promise.resolve(String(Math.min(++versions, 3)));
    await new Fleet().apply({ export: [creating, creating, earlierState] }, { record, stateVersion });
    expect(record.texts.at(-1)).not.toContain("stateVersion");
    // Before each start and with the CLI's id, for the update and for the refresh; and at the end.
    const started = (text: string) => (JSON.parse(text) as { started?: unknown[] }).started?.length ?? 0;
    expect(record.texts.map(started)).toEqual([0, 1, 0, 1, 0]);
  });
});

describe("a rotation of a run that died", () => {
  test("is reported by the next run that ends, and then no more", async () => {
    const fleet = new Fleet();
    fleet.dies(rotation("r1"));
    const record = { ...memory(undefined, fleet.record()), path: join(fleet.project.folder, recordPath) };
    // A second one dies too, and a third one cannot begin.
    await fleet.apply({}, { record: { ...record, finish: () => Promise.reject(new Error("the machine is gone")) } });
    const write = () => Promise.reject(new Error("the connection was lost"));
    expect(await fleet.apply({}, { record: { ...record, write } })).toMatchObject({
      ...{ outcome: "failed", rotatedEarlier: [] },
    });
    expect(await fleet.apply({}, { record })).toMatchObject({
      ...{ outcome: "unchanged", rotations: 0, rotatedAgain: [], rotatedEarlier: earlier },
    });
    expect(await fleet.apply({}, { record, skip: false })).toMatchObject({ rotatedEarlier: [] });
  });

  test("is reported as that engine's if it outlived its apply, also if its entry is still pending", async () => {
    const fleet = new Fleet();
    fleet.dies(rotation("r1", "r0"));
    const pending = stateWith("r0", {}, [{ type: "updating", resource: webhook() }]);
    expect(await fleet.apply({ export: [pending, earlierState] })).toMatchObject({
      ...{ rotatedAgain: [], rotatedEarlier: earlier },
    });

    // What this run has sent is its own.
    fleet.dies();
    const own = { ...quiet, requests: [rotation("r1", "r0")] };
    expect(await fleet.apply({ up: [own], export: [stateWith("r0"), earlierState] })).toMatchObject({
      ...{ rotations: 1, rotatedEarlier: [] },
    });
  });

  test("is reported once more if the run was killed between its last two steps, and nothing is rotated for that", async () => {
    const fleet = new Fleet();
    const file = recordFile(join(fleet.project.folder, recordPath));
    const dying = {
      ...file,
      write: async (text: string) => {
        await file.write(text);
        if (!text.includes('"run"')) throw new Error("killed");
      },
    };
    expect(await fleet.apply({ up: [rotating], export: [earlierState, laterState] }, { record: dying })).toMatchObject({
      ...{ outcome: "unchanged", rotations: 1 },
    });
    expect(fleet.journals()).toHaveLength(1);
    expect(await fleet.apply({ export: [laterState] })).toMatchObject({
      ...{ outcome: "unchanged", rotations: 0, uncertain: 0, rotatedAgain: [], rotatedEarlier: [{ name: "crm" }] },
    });
    expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
  });

  test("while another one, which is then locked, asks for the state's version, keeps its record and its journal", async () => {
    const fleet = new Fleet();
    fleet.writeRecord({ stateVersion: "1" });
    let asked = 0;
    const stateVersion = () => {
      if (++asked === 1) fleet.dies(rotation("r1"));
      return Promise.resolve("1");
    };
    const locked = { stderr: "error: the stack is currently locked by 1 lock(s)", code: 255 };
    expect(await fleet.apply({ up: [locked] }, { stateVersion })).toMatchObject({ outcome: "locked" });
    expect(JSON.parse(fleet.record())).toMatchObject({ run: { folder: "run-dead" } });
    expect(fleet.journals()).toEqual(["run-dead"]);
  });
});

test("a run whose events are cut off says what it sent by its journal, and that is not told again", async () => {
  const fleet = new Fleet();
  const cut = { stdout: events(prelude), requests: [rotation("r1")] };
  expect(await fleet.apply({ up: [cut] })).toMatchObject({
    ...{ outcome: "failed", rotations: 1, reason: expect.stringContaining("is there room in") as string },
  });
  expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", rotatedEarlier: [] });
});

test("what a result names is forgotten only when it was written", async () => {
  const fleet = new Fleet();
  fleet.dies(begun("r1"), rotation("r1"));
  const progress: string[] = [];
  const unwritten = {
    onResult: () => Promise.reject(new Error("nobody reads it")),
    onProgress: (line: string) => progress.push(line),
  };
  expect(await fleet.apply({ up: [rotating], export: [earlierState, laterState] }, unwritten)).toMatchObject({
    outcome: "failed",
    reason: "the result could not be written (nobody reads it), so the next run reports it again",
    exitCode: 1,
  });
  expect(progress.at(-1)).toContain("nobody reads it");
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ rotatedEarlier: [{}, {}], rotatedAgain: [] });
  expect(await fleet.apply({ export: [laterState] })).toMatchObject({ outcome: "skipped" });
});

test("the requests of each run reach the user's own file with the next result, once, also of one that was killed", async () => {
  const fleet = new Fleet();
  const env = { ...fleet.env, VOICEPLANE_REQUEST_LOG: "requests.jsonl" };
  const [first, second] = [rotation("r1"), rotation("r2", "r1", ofWebhook("crm-2"))];
  fleet.dies(first);
  await fleet.apply({}, { env, onResult: () => Promise.reject(new Error("full")) });
  await fleet.apply({ up: [{ ...quiet, requests: [second] }] }, { env });
  await fleet.apply({}, { env, skip: false });
  const lines = readFileSync(join(fleet.project.folder, "requests.jsonl"), "utf8").trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([first, second]);
});

describe("a journal", () => {
  test("that is gone or cannot be read after the run leaves what was sent unknown", async () => {
    const fleet = new Fleet();
    const stateVersion = () => {
      for (const name of fleet.journals()) rmSync(fileOf(fleet, name));
      return Promise.resolve("1");
    };
    expect(await fleet.apply({}, { stateVersion })).toMatchObject({
      ...{ uncertain: 1, unreadable: [expect.stringMatching(/run-\w+ cannot be read \(ENOENT\)$/)] },
    });

    const unreadable = new Fleet();
    mkdirSync(fileOf(unreadable, "run-folder"), { recursive: true });
    // It stays, so no run is skipped.
    for (let run = 0; run < 2; run++) {
      expect(await unreadable.apply({})).toMatchObject({
        ...{ outcome: "unchanged", uncertain: 1 },
        unreadable: [expect.stringMatching(/run-folder cannot be read \(EISDIR\)$/)],
      });
    }
  });

  test.each<[what: string, line: string]>([
    ["an encoding that is wrong", JSON.stringify(begun("r2", "r1", { path: "/v1/webhooks/%E0%A4%A/x" }))],
    ["its end missing", '{"id":"r2","intent":true'],
  ])("with a line with %s is reported once, and kept for a person", async (_what, line) => {
    const fleet = new Fleet();
    fleet.dies();
    writeFileSync(fileOf(fleet, "run-dead"), `${line}\n`);
    const problem = `1 line of the journal ${fileOf(fleet, "run-dead")} cannot be read`;
    expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", uncertain: 1, unreadable: [problem] });
    expect(fleet.journals()).toEqual(["unreadable-run-dead"]);
    expect(await fleet.apply({})).toMatchObject({ outcome: "skipped" });
  });

  test("to which the CLI of a killed run adds a line after the report stays for the next one", async () => {
    const fleet = new Fleet();
    fleet.dies(begun("r1"), rotation("r1"));
    const onResult = () => {
      writeFileSync(fileOf(fleet, "run-dead"), events(begun("r2", "r1")), { flag: "a" });
      return Promise.resolve();
    };
    expect(await fleet.apply({ export: [earlierState] }, { onResult })).toMatchObject({
      ...{ rotatedEarlier: [{}], uncertain: 0 },
    });
    expect(fleet.journals()).toEqual(["run-dead"]);
    expect(await fleet.apply({ export: [earlierState] })).toMatchObject({ uncertain: 1 });
  });

  test("names its stack in its first line", async () => {
    const fleet = new Fleet();
    let seen = "";
    const onResult = () => {
      seen = readFileSync(fileOf(fleet, fleet.journals()[0] ?? ""), "utf8").split("\n")[0] ?? "";
      return Promise.resolve();
    };
    await fleet.apply({ up: [rotating] }, { onResult });
    expect(JSON.parse(seen)).toEqual({
      journal: { backend: fleet.env.PULUMI_BACKEND_URL, project: "fleet", stack: "acme" },
    });
    expect(fleet.journals()).toEqual([]);
  });

  test("that has no place lets nothing be sent", async () => {
    const fleet = new Fleet();
    write(fleet.project.folder, { [journalFolder]: "a file" });
    expect(await fleet.apply({ up: [rotating] })).toMatchObject({ outcome: "failed", requests: 0, exitCode: 1 });
    expect(fleet.calls()).toEqual(["stack export"]);
  });
});

describe("settings are sent again", () => {
  const mark = "2026-11-20T12:00:00.000Z";
  const setting = {
    ...{ operation: "putRetentionPolicy", path: "/v1/retention-policies/recordings", since: undefined },
  };
  const pendingSetting = { urn: "urn:pulumi:acme::fleet::voiceplane:index:RetentionPolicy::recordings" };
  const sentAgain = "every setting is sent again, because an earlier run ended before its state was saved";

  test.each<[what: string, die: (fleet: Fleet) => unknown, pending: object[]]>([
    [
      "the provider died that sent one",
      async (fleet) => {
        const killed = { ...broken, requests: [begun("s1", null, setting)] };
        expect(await fleet.apply({ up: [killed] })).toMatchObject({ requests: 1, uncertain: 1 });
      },
      [],
    ],
    [
      "a run died while it sent one",
      (fleet) => {
        fleet.dies(begun("s1", null, setting));
      },
      [],
    ],
    ["the update of one is pending", () => undefined, [{ type: "updating", resource: pendingSetting }]],
  ])("if %s, until a run has ended well", async (_what, die, pending) => {
    const fleet = new Fleet();
    await die(fleet);
    const states = [stateWith("r1", {}, pending), earlierState];
    expect(await fleet.apply({ up: [broken], export: states })).toMatchObject({ outcome: "failed" });
    expect(fleet.variables()).toBe(mark);
    expect(await fleet.apply({})).toMatchObject({ outcome: "unchanged", reason: `the last run failed; ${sentAgain}` });
    expect(fleet.variables()).toBe(mark);
    expect(await fleet.apply({}, { skip: false })).toMatchObject({ reason: "a run was requested" });
    expect(fleet.variables()).toBe("");
  });

  const policyAt = (modified: string | undefined, outputs: object = {}) => ({
    urn: "urn:pulumi:acme::fleet::pulumi-nodejs:dynamic/voiceplane:RetentionPolicy::org-recordings",
    custom: true,
    id: "recordings",
    type: "pulumi-nodejs:dynamic/voiceplane:RetentionPolicy",
    inputs: { account: "acme-eu", resource: "recordings", retentionDays: 90, enabled: true },
    outputs: { account: "acme-eu", resource: "recordings", retentionDays: 90, enabled: true, ...outputs },
    modified,
  });

  test.each<[what: string, state: object[], uncertain: number, isResent: boolean]>([
    ["older than its answer", [policyAt("2026-11-20T12:29:59Z")], 1, true],
    ["without a date", [policyAt(undefined)], 1, true],
    ["of an answer that was lost before", [policyAt("2026-11-20T12:29:59Z", { uncertain: "update" })], 1, false],
    ["saved after its answer", [policyAt("2026-11-20T12:30:00.1Z")], 0, false],
    ["not there, so that it is created again", [], 0, false],
  ])(
    "after a run that failed or died, if one was answered and its state is %s: %#",
    async (_what, state, uncertain, isResent) => {
      const exported = [{ stdout: deployment(state) }];
      const answered = rotation("s1", null, setting);
      const [failing, dying] = [new Fleet(), new Fleet()];
      const failed = { ...broken, requests: [answered] };
      expect(await failing.apply({ up: [failed], export: exported })).toMatchObject({ outcome: "failed", uncertain });
      dying.dies(answered);
      for (const fleet of [failing, dying]) {
        await fleet.apply({ export: exported });
        expect(fleet.variables()).toBe(isResent ? mark : "");
      }
    },
  );
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

describe("an output that has a secret which was rotated since", () => {
  const mark = { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270" };
  const inClear = (text: string) => ({ ...mark, plaintext: JSON.stringify(text) });
  const encrypted = { ...mark, ciphertext: "v1:x" };
  const stateOf = (secrets: object, output: object) => ({
    stdout: deployment([webhook(secrets)]).replace(
      '"type":"pulumi:pulumi:Stack"',
      `"type":"pulumi:pulumi:Stack","outputs":{"crm":${JSON.stringify(output)}}`,
    ),
  });
  const plain = stateOf({ secret: encrypted, previousSecret: encrypted }, encrypted);
  const clear = (output: string) =>
    stateOf({ secret: inClear("whsec_current"), previousSecret: inClear("whsec_previous") }, inClear(output));

  test("is registered anew, which is a change", async () => {
    const fleet = new Fleet();
    const exported = [plain, clear("whsec_previous")];
    const stale = "the stack output crm has a secret that was rotated since: crm";
    expect(await fleet.apply({ export: exported }, { dryRun: true })).toMatchObject({
      ...{ outcome: "previewed", staleOutputs: ["crm"] },
      report: `voiceplane preview: no requests, 1 other change\n\nOutputs\n\n     ${stale}; an update registers it again\n`,
      reason: `there is no record of an earlier run; ${stale}`,
    });
    fleet.calls();
    const result = await fleet.apply({ export: [...exported, plain] });
    expect(result).toMatchObject({
      ...{ outcome: "applied", staleOutputs: ["crm"], exitCode: 2 },
      reason: `there is no record of an earlier run; ${stale}; this run registered it again`,
    });
    expect(fleet.calls()[1]).toBe("stack export --show-secrets");
    expect(JSON.stringify(result)).not.toContain("whsec");
    expect(await fleet.apply({ export: [plain] })).toMatchObject({ outcome: "skipped" });
  });

  test("is named by the failed run that left it", async () => {
    const fleet = new Fleet();
    const current = [plain, clear("whsec_current")];
    expect(await fleet.apply({ up: [broken], export: [...current, plain, clear("whsec_previous")] })).toMatchObject({
      outcome: "failed",
      staleOutputs: ["crm"],
    });
    expect(await fleet.apply({ export: current })).toMatchObject({ outcome: "unchanged", staleOutputs: [] });
  });
});
