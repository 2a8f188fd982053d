/** `voiceplane apply` as users start it, with a `pulumi` that plays the engine. */
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { run as runCommand } from "../../support/command";
import { compile } from "../../support/compiled";
import { programs, temporaryFolder, write } from "../../support/folders";
import { pendingRequestsOn } from "../../../src/provider/pending";
import { onTerminal } from "../../engine/everyday/terminal";
import { recording, recordingFile, reportOf, withRequestId } from "../../support/recorded";
import { writePlan } from "../../../src/cli/stack/plan";

const compiled = compile();

const urn = "urn:pulumi:dev::acme::voiceplane:index:WebhookSecret::crm";
const state = (outputs: object = {}, pending: readonly object[] = []) =>
  JSON.stringify({
    version: 3,
    deployment: {
      resources: [
        {
          urn,
          type: "voiceplane:index:WebhookSecret",
          id: "wh-1",
          outputs: { organization: "acme", webhookId: "wh-1", requestId: "r1", rotationState: "rotated", ...outputs },
        },
      ],
      pending_operations: pending,
    },
  });

const printing = (name: string) => `cat '${recordingFile(name)}'`;

/** Of the recordings. */
const recorded = { organization: "example", address: "http://127.0.0.1:8000" };

const pending = [{ type: "updating", resource: { urn, inputs: { organization: "acme", webhookId: "wh-1" } } }];

const linesOf = (file: string): string[] =>
  existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];

/** @param up shell commands of `pulumi up`, after it is noted */
function project({ preview = printing("edited.events"), up = printing("up.events") } = {}) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "tmp"));
  write(folder, { "Pulumi.yaml": "name: acme\nruntime: yaml\n", "state.json": state() });
  const script = `case "$1" in
  stack) [ "$2" = export ] && cat state.json || echo dev ;;
  preview) echo "$VOICEPLANE_NOW" >> dates; [ -f again ] && [ -f dated ] && cat again || { ${preview}; }; touch dated; [ ! -f during ] || sh during ;;
  refresh) echo "$* $VOICEPLANE_PENDING" >> refreshes; [ ! -f locked ] || [ -f unlocked ] || { cat locked >&2; exit 255; }; cat written.json > state.json ;;
  up) echo "$* $VOICEPLANE_PENDING" >> ups; echo "$VOICEPLANE_NOW" >> dates; ${up} ;;
  cancel) echo cancelled >> cancels; touch unlocked ;;
esac`;
  programs({ pulumi: script }, join(folder, "bin"));
  const env = {
    PATH: `${folder}/bin:/usr/bin:/bin`,
    TMPDIR: join(folder, "tmp"),
    HOME: folder,
    VOICEPLANE_STATE_DIR: join(folder, ".memory"),
  };
  return {
    folder,
    env,
    refreshes: () => linesOf(join(folder, "refreshes")),
    apply: (...args: readonly string[]) => runCommand(["apply", "--stack", "dev", ...args], folder, env),
    ups: () => linesOf(join(folder, "ups")),
    /** What the runs took for the present. */
    dates: () => linesOf(join(folder, "dates")),
  };
}

test("previews, updates without another preview, and reports what was done", async () => {
  const { apply, ups } = project();
  const { code, stdout } = await apply("--yes", "--format", "summary");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^update: \d+ requests/)]);
  expect(ups()).toEqual(["up --yes --skip-preview --json --stack dev --non-interactive --color never []"]);
});

test("a folder without a project is named, whatever its stack", async () => {
  const folder = temporaryFolder();
  for (const args of [["apply", "--yes"], ["apply", "--yes", "--stack", "dev"], ["preview"]]) {
    const { code, stderr } = await runCommand(args, folder);
    expect([code, stderr]).toEqual([1, `voiceplane: there is no Pulumi.yaml in ${folder} or above it (try --help)\n`]);
  }
});

test("without a selected stack, the message names those of the project's files, and says that a state may be missing", async () => {
  const folder = temporaryFolder();
  programs({ pulumi: "exit 255" }, join(folder, "bin"));
  write(folder, { "Pulumi.yaml": "name: acme\nruntime: yaml\n" });
  const refused = async () =>
    (await runCommand(["apply", "--yes"], folder, { PATH: `${folder}/bin:/usr/bin:/bin` })).stderr;
  expect(await refused()).toBe("voiceplane: no stack is selected: name one with --stack (try --help)\n");
  write(folder, { "Pulumi.dev.yaml": "" });
  expect(await refused()).toBe(
    "voiceplane: no stack is selected, and the project has files of dev: run `pulumi stack select dev`. If there is no such stack, " +
      "its state is missing or in another backend. Do not create it anew: restore the state first (try --help)\n",
  );
});

async function answered(reply: string, files: Record<string, string> = {}) {
  const { folder, env, ...stack } = project();
  write(folder, files);
  const asked = await onTerminal([process.execPath, compiled.entry, "apply", "--stack", "dev"], {
    cwd: folder,
    env,
    replies: { "Only yes is accepted: ": reply },
  });
  return { ...stack, asked };
}

test.each([
  ["yes", "yes\r", 0],
  ["y", "y\r", 1],
  ["Ctrl-C", "\u0003", 1],
  ["the end of the input", "\u0004", 1],
])("on a terminal it shows the preview and asks: %s", async (_what, reply, code) => {
  const { ups, asked } = await answered(reply);
  expect(asked.shown).toMatch(/voiceplane preview: \d+ requests[^]*Update dev\? Only yes is accepted: /);
  expect(asked.code).toBe(code);
  expect(ups()).toHaveLength(code === 0 ? 1 : 0);
  if (code !== 0) expect(asked.shown).toContain("voiceplane: not approved; nothing was sent");
});

test("after a yes it previews again, and an update has the date of the preview that allowed it", async () => {
  const { dates } = await answered("yes\r");
  const [first, second, update] = dates();
  expect(dates()).toHaveLength(3);
  for (const date of [first, second]) expect(date).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  expect([second === first, second === update]).toEqual([false, true]);
});

test.each([
  ["something else", "created.events", /it is not what was approved:\r?\n {2}PUT .*, instead of [^]*\n {2}no longer: /],
  ["less", "unchanged.events", /it is not what was approved:\r?\n {2}no longer: PUT /],
])("%s than a person has approved is not sent", async (_what, name, says) => {
  const { ups, asked } = await answered("yes\r", { again: recording(name) });
  expect([asked.code, asked.shown]).toEqual([2, expect.stringMatching(says)]);
  expect(ups()).toEqual([]);
});

test("a date that the user names is that of each run", async () => {
  const { folder, env, dates } = project();
  await runCommand(["apply", "--yes", "--stack", "dev"], folder, { ...env, VOICEPLANE_NOW: "2099-01-01" });
  expect(dates()).toEqual(["2099-01-01", "2099-01-01"]);
});

test.each<[what: string, code: number, args: string[], files: Record<string, string>, says: string]>([
  ["without a terminal, --yes or --plan", 1, [], {}, "without a terminal, pass --yes or --plan (try --help)"],
  ["what --fail-on names", 2, ["--yes", "--fail-on", "deletes-data"], {}, "contains what --fail-on names"],
  ["a failed preview", 1, ["--yes"], { during: "exit 1" }, "the preview failed"],
  ["a file that is no plan", 1, ["--plan", "plan.json"], { "plan.json": "{}" }, "plan.json is not a plan"],
])("%s: nothing is sent", async (_what, code, args, files, says) => {
  const { apply, ups, folder } = project();
  write(folder, files);
  const ended = await apply(...args);
  expect([ended.code, ended.stdout + ended.stderr]).toEqual([code, expect.stringContaining(says)]);
  expect(ups()).toEqual([]);
});

const planOf = async (folder: string, name: string, file = "plan.json") => {
  writePlan(join(folder, file), await reportOf(recording(name)));
};

/** What `pulumi up` prints of an update with the changes of this preview. */
const doneOf = (name: string) => ({
  "done.events": recording(name).replace('"isPreview":true', '"isPreview":false'),
});

test("a plan lets through what it has, and nothing else", async () => {
  const { apply, ups, folder } = project();
  await planOf(folder, "unchanged.events");
  const { code, stderr } = await apply("--plan", "plan.json");
  expect(code).toBe(2);
  expect(stderr).toContain("nothing was sent: the plan does not have:\n  ");
  expect(ups()).toEqual([]);
  await planOf(folder, "edited.events");
  expect((await apply("--plan", "plan.json")).code).toBe(0);
  expect(ups()).toHaveLength(1);
});

test("VOICEPLANE_PLAN is a plan too, and --plan wins over it", async () => {
  const { ups, folder, env } = project();
  await planOf(folder, "edited.events");
  await planOf(folder, "unchanged.events", "empty.json");
  const codeWith = async (file: string, ...args: string[]) =>
    (await runCommand(["apply", "--stack", "dev", ...args], folder, { ...env, VOICEPLANE_PLAN: file })).code;
  expect([await codeWith("empty.json"), await codeWith("empty.json", "--yes"), ups()]).toEqual([2, 2, []]);
  expect([await codeWith("plan.json", "--plan", "empty.json"), ups()]).toEqual([2, []]);
  expect([await codeWith("plan.json"), await codeWith("empty.json", "--plan", "plan.json")]).toEqual([0, 0]);
  expect(ups()).toHaveLength(2);
});

test.each([
  ["succeeds", 0],
  ["fails", 1],
])(
  "an update that %s had the list of its requests, in a file that only its user may read, and it is gone",
  async (_what, code) => {
    const noted = 'ls -l "$VOICEPLANE_PLAN" > mode; cp "$VOICEPLANE_PLAN" list.json';
    const { folder, env, apply } = project({ up: `${noted}; ${printing("up.events")}; exit ${code}` });
    expect((await apply("--yes")).code).toBe(code);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    expect(read("mode")).toMatch(/^-rw------- /);
    await planOf(folder, "edited.events");
    const { requests } = JSON.parse(read("plan.json")) as { requests: unknown[] };
    expect(JSON.parse(read("list.json"))).toEqual({ version: 1, phase: "preview", complete: true, requests });
    expect([requests.length > 0, readdirSync(env.TMPDIR)]).toEqual([true, []]);
  },
);

test("a plan without changes is applied, and changes nothing", async () => {
  const { apply, ups, folder } = project({ preview: printing("unchanged.events"), up: "cat done.events" });
  write(folder, doneOf("unchanged.events"));
  await planOf(folder, "unchanged.events");
  const { code, stdout } = await apply("--plan", "plan.json", "--format", "summary");
  expect([code, stdout]).toEqual([0, "update: no changes\n"]);
  expect(ups()).toHaveLength(1);
});

test("what a dead run has left is passed to the provider, and what is uncertain afterwards is said", async () => {
  const { apply, ups, folder } = project();
  write(folder, { "state.json": state({ rotationState: "uncertain" }, pending) });
  const { stdout } = await apply("--yes");
  // The state says so already.
  expect(existsSync(join(folder, "refreshes"))).toBe(false);
  expect(ups()[0]).toContain('["r1"]');
  expect(stdout).toMatch(
    /^voiceplane update: 2 uncertain; .*\n\nUncertain\n\n {5}crm is uncertain: the last request may have been carried out; the next `pulumi up` sends it once more\n {5}pending: updating crm: an update was interrupted: run `pulumi up`/,
  );
  const { uncertain } = JSON.parse((await apply("--yes", "--format", "json")).stdout) as { uncertain: string[] };
  expect(uncertain).toHaveLength(2);
});

describe("what the state does not say is written into it before the preview:", () => {
  const writes = `refresh --yes --skip-preview --target ${urn} --stack dev --non-interactive --color never`;
  const saying = "voiceplane: writing into the state that the last request may have been carried out: crm";
  const runs = (...commands: string[]) => commands.map((command) => `voiceplane: running pulumi ${command}`);

  test("a pending operation of the engine", async () => {
    const { apply, ups, refreshes, folder } = project();
    write(folder, { "state.json": state({}, pending), "written.json": state({ rotationState: "uncertain" }) });
    const { code, stderr } = await apply("--yes");
    expect([code, refreshes()]).toEqual([0, [`${writes} ["r1"]`]]);
    expect(stderr.match(/^voiceplane: .*$/gm)?.slice(0, 3)).toEqual([saying, ...runs("refresh", "preview")]);
    // The state has it now.
    expect(ups()[0]).toMatch(/ \[\]$/);
  });

  test("what this machine remembers; if it cannot be written, nothing is sent", async () => {
    const { apply, ups, refreshes, folder, env } = project();
    pendingRequestsOn(env).begin("r1", { organization: "acme", address: "" }, false);
    write(folder, { "written.json": state({ rotationState: "uncertain" }) });
    const old = "2020-01-01T00:00:00Z";
    const locked = `error: the stack is currently locked by 1 lock(s).\n  file:///s/a.json: created by root@worker (pid 42) at ${old}\n`;
    write(folder, { locked });
    const { code, stderr } = await apply("--yes");
    expect([code, ups(), refreshes()]).toEqual([1, [], [`${writes} []`]]);
    expect(stderr).toContain(
      "voiceplane: nothing was sent: the state cannot be written: the stack is currently locked by 1 lock",
    );
    await planOf(folder, "edited.events");
    const planned = await apply("--plan", "plan.json");
    expect([planned.code, planned.stderr]).toEqual([1, expect.stringMatching(/not begun:\n {2}PUT \S+ \{.*\}\n/)]);
    // The operator's limit counts here too.
    expect((await apply("--yes", "--cancel-locks-after", "2h")).code).toBe(0);
    expect(refreshes()).toHaveLength(4);
  });
});

test("what the update itself has sent is not taken for the trace of a run that died", async () => {
  const { apply, folder } = project({ preview: "cat made.events", up: "cp -Rp after .memory; cat done.events" });
  const made = (events: string) => withRequestId(events, "0000000000000001");
  write(folder, {
    "done.events": made(doneOf("edited.events")["done.events"]),
    "made.events": made(recording("edited.events")),
  });
  pendingRequestsOn({ VOICEPLANE_STATE_DIR: join(folder, "after") }).begin("0000000000000001", recorded, false);
  const crm = ({ stdout }: { stdout: string }) => /crm: rotates .*/.exec(stdout)?.[0];
  expect(crm(await apply("--yes"))).not.toContain("may have been carried out");
  // For the next run it is one.
  expect(crm(await apply("--yes"))).toContain("its last rotation may have been carried out");
});

test("an update that was killed reads as one, and what it did not finish is named", async () => {
  const kept = recording("up.events")
    .split("\n")
    .filter((line) => !/"(?:summaryEvent|resOutputsEvent)"/.test(line));
  const { apply, folder } = project({ up: "cat killed.events; kill -9 $$" });
  write(folder, { "killed.events": kept.join("\n") });
  const { code, stdout } = await apply("--yes");
  expect(code).toBe(1);
  expect(stdout).toMatch(/^voiceplane: the update failed, \d+ changes did not finish/);
  expect(stdout).toContain("did not finish: ");
});

test("of an update that was killed, what its cut log has is reported as begun, also beside lines that are not known", async () => {
  const { apply, folder } = project({ preview: printing("created.events"), up: "cat cut.events; kill -9 $$" });
  const [first = "", ...rest] = recording("up-created.events").split("\n");
  const begun = rest.filter((line) => line.includes("::org-crm") && line.includes("resourcePreEvent"));
  write(folder, { "cut.events": [first, "warning: a line", ...begun, (rest.at(-2) ?? "").slice(0, 40)].join("\n") });
  const { code, stdout } = await apply("--yes", "--format", "json");
  const { changes, notBegun, warnings } = JSON.parse(stdout) as Record<string, { text?: string }[]>;
  expect(code).toBe(1);
  expect(changes?.map(({ text }) => text)).toEqual([expect.stringMatching(/^did not finish: crm: /)]);
  expect(notBegun).not.toHaveLength(0);
  expect(notBegun).not.toContainEqual(expect.stringMatching(/^crm: /));
  expect(warnings).toContain(
    "the update has failed, and 2 of its events are not known to this version of voiceplane: this report may lack changes",
  );
});

test("if the state cannot be read after the update, it fails and says that it does not know what is uncertain", async () => {
  const { apply } = project({ up: `rm state.json; ${printing("up.events")}` });
  const { code, stdout } = await apply("--yes");
  expect(code).toBe(1);
  expect(stdout).toContain("Uncertain\n\n     what is uncertain is not known: ");
});

test("a memory that cannot be used ends nothing, and the report of each command says so", async () => {
  const { apply, folder, env, ups } = project();
  write(folder, { ".memory": "" });
  const forgets = /^ {5}this machine cannot remember what it sends \(.*\.memory.*\): if a run is killed/m;
  const applied = await apply("--yes");
  expect([applied.code, applied.stdout]).toEqual([0, expect.stringMatching(forgets)]);
  expect(ups()).toHaveLength(1);
  const [previewed, status] = [
    await runCommand(["preview", "--stack", "dev"], folder, env),
    await runCommand(["status", "--stack", "dev"], folder, env),
  ];
  expect(previewed.stdout).toMatch(forgets);
  expect(status.stdout).toMatch(/^this machine cannot remember what it sends/m);
});

test("a folder for the memory that is not absolute is refused by each command", async () => {
  const { folder, env } = project();
  for (const command of ["apply", "preview", "status", "doctor", "validate"])
    for (const path of ["state", "~/state"]) {
      const { code, stdout, stderr } = await runCommand([command], folder, { ...env, VOICEPLANE_STATE_DIR: path });
      expect([code, stdout, stderr]).toEqual([
        1,
        "",
        "voiceplane: VOICEPLANE_STATE_DIR must be an absolute path, such as /var/lib/voiceplane [state-folder]\n",
      ]);
    }
});

test("what is not known of an update that has succeeded does not make it a failure", async () => {
  const stray = `echo 'warning: a line'; ${printing("up.events")}; echo '{"sequence":999,"noveltyEvent":{}}'`;
  const { code, stdout } = await project({ up: stray }).apply("--yes");
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^voiceplane update: \d+ requests/)]);
  expect(stdout).toContain(
    "the update has ended well, and 2 of its events are not known to this version of voiceplane: this report may lack changes",
  );
});

test("a failed update ends with 1", async () => {
  const { apply } = project({ up: `${printing("lost-answers.events")}; exit 1` });
  const { code, stdout } = await apply("--yes");
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^voiceplane: the update failed/)]);
});

describe("a lock of another run", () => {
  const held = (at: string) =>
    `the stack is currently locked by 1 lock(s). Wait.\n  file:///s/a.json: created by root@worker (pid 42) at ${at}`;
  const refusing = (error: string) => `echo 'error: ${error}' >&2; exit 1`;

  test("is removed only if it is older than the operator says, and then the update runs", async () => {
    const threeHoursAgo = new Date(Date.now() - 3 * 3_600_000).toISOString();
    const { apply, ups, folder } = project({
      up: `[ -f unlocked ] && exec ${printing("up.events")}; ${refusing(held(threeHoursAgo))}`,
    });
    expect((await apply("--yes")).code).toBe(1);
    const younger = await apply("--yes", "--cancel-locks-after", "4h");
    expect([younger.code, younger.stderr]).toEqual([
      1,
      expect.stringMatching(
        /^voiceplane: the lock of root@worker \(pid 42\) since \d{4}-.* stays: it is younger than --cancel-locks-after$/m,
      ),
    ]);
    expect(existsSync(join(folder, "cancels"))).toBe(false);
    const { code, stderr } = await apply("--yes", "--cancel-locks-after", "2h");
    expect(code).toBe(0);
    expect(stderr).toContain("voiceplane: removing the lock of root@worker (pid 42) since ");
    expect(ups()).toHaveLength(4);
  });

  test("that is removed is followed by another preview, which has to pass too", async () => {
    const up = `[ -f unlocked ] && exec ${printing("up.events")}; ${refusing(held("2020-01-01T00:00:00Z"))}`;
    const { apply, ups, folder } = project({ up });
    await planOf(folder, "edited.events");
    write(folder, { again: recording("created.events") });
    const { code, stderr } = await apply("--plan", "plan.json", "--cancel-locks-after", "2h");
    expect([code, stderr]).toEqual([2, expect.stringContaining("nothing was sent: the plan does not have:\n  ")]);
    expect(ups()).toHaveLength(1);
  });

  test.each([
    [
      "of which only the program speaks",
      `${printing("lost-answers.events")}; ${refusing(held("2020-01-01T00:00:00Z").replace("\n", " "))}`,
    ],
    ["whose age is not known", refusing("[409] Another update is currently in progress")],
  ])("%s stays", async (_what, up) => {
    const { apply, folder } = project({ up });
    expect((await apply("--yes", "--cancel-locks-after", "1s")).code).toBe(1);
    expect(existsSync(join(folder, "cancels"))).toBe(false);
  });
});
