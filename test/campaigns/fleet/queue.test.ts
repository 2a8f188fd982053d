/** What happens around Pulumi's CLI: the queue, the lock, and what cannot start. The CLI is a script here. */
import { once } from "node:events";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { join } from "node:path";
import type { Queryable } from "../../../examples/fleet/database";
import { recordOf } from "../../../examples/fleet/lock";
import { connectionOf } from "../../../tools/fleet/postgres-server";
import { filesIn, revisionIn } from "../../../examples/fleet/version";
import { asSuperuser, withClient } from "../../support/fleet/database";
import { newFleet, type Fleet } from "../../support/fleet/fleet";
import { temporaryFolder } from "../../support/folders";
import { shorteningPreview } from "../../support/preview-events";
import { until } from "../../support/processes";

jest.setTimeout(300_000);

const file = "retention:\n  recordings: { days: 90 }\n";
const emptyExport = '{"version":3,"deployment":{}}';
/** Of a state after the rotation. */
const rotatedExport = JSON.stringify({
  version: 3,
  deployment: {
    resources: [
      {
        urn: "urn:pulumi:acme::fleet::pulumi-nodejs:dynamic/voiceplane:WebhookSecret::org-crm",
        type: "pulumi-nodejs:dynamic/voiceplane:WebhookSecret",
        outputs: { rotationState: "rotated", rotationId: "r1", rotationCount: 1, rotatedAt: "2026-11-20T12:00:00Z" },
      },
    ],
  },
});
const pendingExport = JSON.stringify({
  version: 3,
  deployment: {
    pending_operations: [
      { type: "deleting", resource: { urn: "urn:pulumi:acme::fleet::aws:s3:Bucket::logs", type: "aws:s3:Bucket" } },
    ],
  },
});
/** A line of the requests' log. */
const rotation = `{"id":"r1","since":null,"operation":"rotateWebhookSecret","path":"/v1/webhooks/crm/rotate-secret","result":"answered","outcome":"success","time":"2026-11-20T12:00:00.000Z"}`;
const intent = `{"id":"7","intent":true,"since":null,"operation":"rotateWebhookSecret","path":"/v1/webhooks/crm/rotate-secret","attempt":1,"time":"2026-11-20T12:00:00.000Z"}`;
/** The events of an update that changes nothing. */
const eventsOf = (result: string): string => `echo '{"sequence":0,"preludeEvent":{"config":{}}}'
echo '{"sequence":1,"summaryEvent":{"isPreview":false,"result":"${result}","resourceChanges":{"same":1}}}'`;
/** Those of one that found the file wrong. */
const wrongFile = [
  { sequence: 0, preludeEvent: { config: {} } },
  {
    sequence: 1,
    diagnosticEvent: {
      severity: "error",
      urn: "",
      message: "error: the organization file is not valid, and nothing was sent:",
    },
  },
  { sequence: 2, summaryEvent: { isPreview: true, result: "failed", resourceChanges: {} } },
]
  .map((event) => `echo '${JSON.stringify(event)}'; `)
  .join("");
const failing = `echo "error: the engine is out of order" >&2; exit 1`;

/** As Pulumi makes it. */
const stateTable = "create table pulumi_state (key text primary key, data json not null, updated_at timestamptz)";
const stackRow = "insert into pulumi_state values ('fleet/.pulumi/stacks/fleet/acme.json', '{}', now())";

/** A fleet whose stacks exist for the fleet alone. */
async function fleetWith(names: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Fleet> {
  const fleet = await newFleet(env);
  fleet.replaceCli(failing);
  for (const name of names) {
    await fleet.declare(name, file);
    fleet.write(`stacks/Pulumi.${name}.yaml`, `encryptionsalt: of ${name}\n`);
  }
  await fleet.prepare([]);
  await fleet.query(stateTable);
  return fleet;
}

/** A row is done a moment before the queue has the dead letter. */
async function deadLetters(fleet: Fleet, count: number) {
  await until(async () => (await jobsOf(fleet, "organization-dead")).length === count);
  return jobsOf(fleet, "organization-dead");
}

/** Ends the connection with which a worker holds the lock of acme. */
async function breakConnection(fleet: Fleet): Promise<void> {
  const connections = "from pg_stat_activity where application_name = 'fleet acme'";
  expect(await fleet.query(`select pg_terminate_backend(pid) ${connections}`)).toHaveLength(1);
  await until(async () => (await fleet.query(`select ${connections}`)).length === 0);
}

const jobsOf = (fleet: Fleet, queue: string) =>
  fleet.query<{ singleton_key: string; state: string; retry_count: number; output: { deferred?: boolean } | null }>(
    "select singleton_key, state, retry_count, output from pgboss.job where name = $1 order by created_on",
    [queue],
  );

test("an organization that cannot start fails with one line before any process, and the others go on", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1", FLEET_METRICS: "127.0.0.1:0" });
  await fleet.declare("no-token", file, "");
  fleet.write("stacks/Pulumi.no-token.yaml", "encryptionsalt: of no-token\n");
  await fleet.declare("no-salt", file);
  await fleet.declare("under_score", file);
  const worker = await fleet.worker();

  const { code, output } = await fleet.night();
  expect(code).toBe(1);
  const tidy = output.replaceAll(/\d+\.\d s/g, "0.0 s").replaceAll(/ {2,}/g, " | ");
  expect(tidy.split("\n")).toEqual([
    "acme | failed | what is uncertain is not known, the engine is out of order, 0.0 s",
    "no-salt | failed | stacks/Pulumi.no-salt.yaml is missing, or has no encryptionsalt: run npm run adopt -- no-salt --base-url URL, and check the file in, 0.0 s",
    "no-token | failed | there is no token: looked at VOICEPLANE_TOKEN_NO_TOKEN, 0.0 s",
    "under_score | failed | an organization's name may have a to z, 0 to 9 and single hyphens: rename it to under-score",
    "total: 4 organizations, 4 failed, 0 requests, 0 rotations, 0 uncertain (not known of 1)",
  ]);
  // Two tries, for the only one that starts.
  expect(fleet.calls().map((call) => call.split(" --")[0])).toEqual(["stack export", "stack export"]);
  const dead = await deadLetters(fleet, 3);
  expect(dead.map(({ singleton_key }) => singleton_key).sort()).toEqual(["acme", "no-salt", "no-token"]);

  const [address = ""] = /http:\S+metrics/.exec(worker.output()) ?? [];
  const metrics = (await (await fetch(address)).text()).split("\n");
  expect(metrics).toEqual(
    expect.arrayContaining([
      // Another worker may have the missing file, so that one is tried twice too.
      'fleet_runs_total{outcome="failed"} 5',
      'fleet_queue_jobs{queue="organization-dead",state="created"} 3',
      "fleet_failing_organizations 4",
      "fleet_next_due_timestamp_seconds Nan",
      // Of none, so since the night.
      expect.stringMatching(/^fleet_oldest_success_timestamp_seconds \d/),
      "fleet_rotations_total 0",
      "fleet_uncertain_objects_total 0",
    ]),
  );

  // Each organization has one dead letter, however many nights it fails.
  await fleet.night();
  await deadLetters(fleet, 3);

  // One that is gone, also from the last nights, needs nobody.
  rmSync(join(fleet.folder, "organizations/no-token.yaml"));
  await fleet.succeed("prune");
  expect(await jobsOf(fleet, "organization-dead")).toHaveLength(3);
  await fleet.query("update voiceplane_fleet.night set started_at = started_at - interval '4 days'");
  await fleet.succeed("prune");
  expect((await jobsOf(fleet, "organization-dead")).map(({ singleton_key }) => singleton_key).sort()).toEqual([
    "acme",
    "no-salt",
  ]);
  expect(await (await fetch(address)).text()).toContain("\nfleet_failing_organizations 3\n");
  expect(await fleet.run("night", ["acme", "typo"])).toEqual({
    code: 1,
    output: "there is no organizations/typo.yaml",
  });
  expect(worker.output()).not.toContain("vp_dev_full");
  await worker.kill("SIGTERM");
});

test("while another run has the organization, its job is put back: neither a failure nor a retry, and no process", async () => {
  const fleet = await fleetWith(["acme", "globex"]);
  await fleet.worker();
  await fleet.worker();
  const { PGDATABASE = "" } = fleet.database;
  await withClient(connectionOf(fleet.database, PGDATABASE), async (other) => {
    await other.query("select pg_advisory_lock(hashtextextended('voiceplane fleet acme', 0))");
    const night = fleet.night("acme");
    const deferrals = async () => (await jobsOf(fleet, "organization")).filter(({ output }) => output?.deferred);
    await until(async () => (await deferrals()).length >= 2);
    expect((await fleet.rows()).acme).toMatchObject({ state: "deferred", reason: "another worker has it" });
    expect(fleet.calls()).toEqual([]);
    expect(await jobsOf(fleet, "organization-dead")).toEqual([]);
    await other.query("select pg_advisory_unlock_all()");
    expect((await night).output).toContain("the engine is out of order");
    expect((await deferrals()).map(({ retry_count }) => retry_count)).not.toContain(1);
  });
});

/** What two nights say of an organization, of which the second one began while the first one's run had looked at nothing yet. */
async function nightDuringNight(fleet: Fleet, engine: string): Promise<string[]> {
  const go = join(fleet.folder, "go");
  fleet.replaceCli(`while [ ! -e "${go}" ]; do sleep 0.1; done; ${engine}`);
  await fleet.worker();
  await fleet.worker();
  const first = fleet.night();
  await until(() => fleet.processes().some(({ command }) => command.includes("stack\0export")));
  const second = fleet.night();
  await until(async () => (await fleet.query("select from voiceplane_fleet.night")).length === 2);
  fleet.write("go", "");
  return (await Promise.all([first, second])).map(({ output }) => output);
}

test("two nights at once run each organization once, and both have its result", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1" });
  const outputs = await nightDuringNight(fleet, failing);
  for (const output of outputs) expect(output).toContain("the engine is out of order");
  // The run and its retry.
  expect(fleet.calls()).toHaveLength(2);
});

test("a night that begins during a run gets a run of its own, because that one may not have read the newest files", async () => {
  const fleet = await fleetWith(["acme"]);
  const outputs = await nightDuringNight(
    fleet,
    `case "$1" in
  stack) echo '${emptyExport}' ;;
  up) ${wrongFile} exit 1 ;;
esac`,
  );
  for (const output of outputs) expect(output).toContain("the organization file is not valid");
  expect(fleet.calls().filter((call) => call.startsWith("up "))).toHaveLength(2);
});

/** Another checkout of the organizations and stacks. */
function checkout(fleet: Fleet): string {
  const folder = join(fleet.folder, "checkout");
  for (const part of ["organizations", "stacks"])
    cpSync(join(fleet.folder, part), join(folder, part), { recursive: true });
  return folder;
}

test("of two workers with different files, the one with those of the night runs it, and the other waits and says so", async () => {
  const fleet = await fleetWith(["acme", "globex"]);
  const older = checkout(fleet);
  fleet.write("organizations/globex.yaml", `${file}  conversations: { days: 90 }\n`);
  const places = join(fleet.folder, "places");
  fleet.replaceCli(`pwd >> "${places}"
case "$1" in
  stack) echo '${emptyExport}' ;;
  up) ${eventsOf("succeeded")} ;;
esac`);
  const outdated = await fleet.worker({ FLEET_FOLDER: older });
  expect((await fleet.run("night", [], { FLEET_FOLDER: older })).code).toBe(0);
  rmSync(places);
  const night = fleet.night();
  await until(async () => (await fleet.query("select from voiceplane_fleet.night")).length === 2);
  await until(async () => Object.values(await fleet.rows()).some(({ state }) => state !== "waiting"));
  const reason = /the worker has files [0-9a-f]{12}, and the night is of files [0-9a-f]{12}/;
  expect(Object.values(await fleet.rows()).find(({ state }) => state === "deferred")?.reason).toMatch(reason);
  expect(existsSync(places)).toBe(false);
  const current = await fleet.worker();
  expect(await night).toMatchObject({ code: 0, output: expect.stringContaining("2 unchanged") as string });
  expect(new Set(readFileSync(places, "utf8").trim().split("\n"))).toEqual(new Set([join(fleet.folder, "stacks")]));
  expect(outdated.output()).toMatch(new RegExp(`^waiting: ${reason.source}$`, "m"));

  // The schedule does not go back to files that were replaced. A person does.
  await current.kill("SIGKILL");
  await fleet.query("insert into pgboss.job (name, policy, retry_limit) values ('night', 'exclusive', 0)");
  await until(() => outdated.output().includes("night: "));
  expect(outdated.output()).toMatch(
    /^night: the worker has files [0-9a-f]{12}, which files [0-9a-f]{12} replaced: update it, or go back by npm run night$/m,
  );
  expect(await fleet.query("select from voiceplane_fleet.night")).toHaveLength(2);
  writeFileSync(places, "");
  expect(await fleet.run("night", [], { FLEET_FOLDER: older })).toMatchObject({ code: 0 });
  expect(new Set(readFileSync(places, "utf8").trim().split("\n"))).toEqual(new Set([join(older, "stacks")]));
});

const versionOf = async (folder: string): Promise<string> => (await filesIn(folder)).version;

test("what a run of an organization reads changes with its own files and with those of all, not with another one's", async () => {
  const folder = temporaryFolder();
  for (const part of ["organizations", "stacks"]) mkdirSync(join(folder, part));
  const revision = async (): Promise<string> => revisionIn(await filesIn(folder), "acme");
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  const committed = async (): Promise<string> => {
    git("add", ".");
    git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "next");
    return revision();
  };
  git("init", "--quiet");
  const edit = (path: string) => {
    writeFileSync(join(folder, path), `a: ${randomUUID()}`);
  };
  edit("organizations/acme.yaml");
  for (const next of [revision, committed]) {
    const first = await next();
    edit("organizations/globex.yaml");
    edit("stacks/Pulumi.globex.yaml");
    expect(await next()).toBe(first);
    const seen = new Set([first]);
    for (const path of ["organizations/acme.yaml", "stacks/Pulumi.acme.yaml", "stacks/index.js", "package-lock.json"]) {
      edit(path);
      seen.add(await next());
    }
    expect(seen.size).toBe(5);
  }
});

test("the version of a checkout is its commit, or a digest of files that are not as they were committed", async () => {
  const folder = temporaryFolder();
  for (const part of ["organizations", "stacks"]) mkdirSync(join(folder, part));
  const acme = join(folder, "organizations/acme.yaml");
  writeFileSync(acme, file);
  const digest = await versionOf(folder);
  expect(digest).toMatch(/^files [0-9a-f]{12}$/);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" }).trim();
  git("init", "--quiet");
  git("add", ".");
  git("-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "first");
  const commit = `commit ${git("rev-parse", "HEAD").slice(0, 12)}`;
  writeFileSync(join(folder, "README.md"), "other files do not count");
  expect(await versionOf(folder)).toBe(commit);
  writeFileSync(join(folder, "stacks/Pulumi.acme.yaml"), "");
  expect(await versionOf(folder)).toMatch(/^files /);
  rmSync(join(folder, "stacks/Pulumi.acme.yaml"));
  expect(await versionOf(folder)).toBe(commit);
  writeFileSync(acme, `${file}# another`);
  expect(await versionOf(folder)).toMatch(/^files /);
  expect(await versionOf(folder)).not.toBe(digest);
});

test("a row adds up what each try has sent", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1" });
  fleet.replaceCli(`case "$1" in
  stack) echo '${rotatedExport}' ;;
  *) echo '${rotation}' >> "$VOICEPLANE_REQUEST_LOG"; ${failing} ;;
esac`);
  await fleet.worker();
  expect((await fleet.night()).output).toMatch(/^acme +failed +2 requests, 2 rotations, the engine is out of order/);
  expect((await fleet.rows()).acme).toMatchObject({ state: "done", requests: 2, rotations: 2, uncertain: 0 });
});

const ups = (fleet: Fleet) => fleet.calls().filter((call) => call.startsWith("up ")).length;
const isLast = "not tried again in this night, because an answer may be lost: the next run sends its request once more";

test("a run whose answer was lost is the last one of the night, needs a person, and the next night runs once more", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "3" });
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  *) echo '${intent}' >> "$VOICEPLANE_REQUEST_LOG"; ${failing} ;;
esac`);
  await fleet.worker();
  for (let night = 0; night < 2; night += 1) {
    expect((await fleet.night()).output).toMatch(
      new RegExp(`^acme +failed +1 request, 1 uncertain, the engine is out of order; ${isLast}`),
    );
    expect((await fleet.rows()).acme).toMatchObject({ state: "done", rotations: 0, uncertain: 1 });
    expect(ups(fleet)).toBe(1);
    await deadLetters(fleet, 1);
  }
});

test("so is a run that has sent something, and of which nobody knows whether its answer was saved", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "3" });
  const begun = join(fleet.folder, "begun");
  fleet.replaceCli(`case "$1" in
  stack) [ -e "${begun}" ] && { ${failing}; }; echo '${emptyExport}' ;;
  *) : > "${begun}"; echo '${rotation}' >> "$VOICEPLANE_REQUEST_LOG"; ${failing} ;;
esac`);
  await fleet.worker();
  expect((await fleet.night()).output).toMatch(
    new RegExp(
      `^acme +failed +1 request, 1 rotation, what is uncertain is not known, the engine is out of order; ${isLast}`,
    ),
  );
  expect(ups(fleet)).toBe(1);
});

test("a row keeps that a run began and never ended, if no later try could begin", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1", FLEET_DEFER_MINUTES: "0.001" });
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  *) while :; do sleep 0.1; done ;;
esac`);
  const worker = await fleet.worker();
  const night = fleet.night();
  await until(() => fleet.processes().some(({ command }) => command.includes("pulumi\0up\0")));
  await worker.kill("SIGKILL");
  const { PGDATABASE = "" } = fleet.database;
  await withClient(connectionOf(fleet.database, PGDATABASE), async (other) => {
    await other.query("select pg_advisory_lock(hashtextextended('voiceplane fleet acme', 0))");
    await fleet.worker();
    expect((await night).output).toMatch(
      /^acme +failed +what is uncertain is not known, waited for \d+ minutes: another worker has it/,
    );
  });
});

test("an operation that is left for a person is noted as long as the state has it", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1", FLEET_RETRY_SECONDS: "1" });
  const [tried, cleared, go] = ["tried", "cleared", "go"].map((name) => join(fleet.folder, name));
  fleet.replaceCli(`case "$1" in
  stack) if [ -e "${cleared}" ]; then echo '${emptyExport}'; else echo '${pendingExport}'; fi ;;
  up)
    [ -e "${tried}" ] || { : > "${tried}"; ${failing}; }
    while [ ! -e "${go}" ]; do sleep 0.1; done
    : > "${cleared}"
    ${eventsOf("succeeded")} ;;
esac`);
  await fleet.worker();
  const night = fleet.night();
  await until(async () => (await fleet.rows()).acme?.state === "retrying");
  expect((await fleet.rows()).acme).toMatchObject({ notes: [], pending: ["deleting logs"] });
  fleet.write("go", "");
  expect((await night).output).toMatch(/^acme +unchanged +no changes, \d/);
  expect((await fleet.rows()).acme).toMatchObject({ notes: [], pending: [] });
});

test("a token that the server does not accept is tried once, and needs a person", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "3", FLEET_RETRY_SECONDS: "1" });
  const refused = rotation.replace('"success"', '"refused","status":401');
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  *) echo '${refused}' >> "$VOICEPLANE_REQUEST_LOG"; ${failing} ;;
esac`);
  await fleet.worker();
  expect((await fleet.night()).output).toMatch(/^acme +failed +1 request, the engine is out of order/);
  await deadLetters(fleet, 1);
  expect(fleet.calls().filter((call) => call.startsWith("up "))).toHaveLength(1);
});

test("with FLEET_FAIL_ON, an organization whose preview shows such a change fails in one try, and nothing is sent", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_FAIL_ON: "deletes-data,cuts-a-trunk", FLEET_RETRIES: "3" });
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  preview) ${shorteningPreview()
    .map((event) => `echo '${JSON.stringify(event)}'`)
    .join("; ")} ;;
  up) ${eventsOf("succeeded")} ;;
esac`);
  const worker = await fleet.worker();
  expect((await fleet.night()).output).toMatch(
    /^acme +failed +what is uncertain is not known, the preview shows changes that --fail-on refuses: deletes data, /,
  );
  expect(fleet.calls().map((call) => call.split(" ")[0])).not.toContain("up");
  expect(await jobsOf(fleet, "organization-dead")).toHaveLength(1);

  // Empty as in a template whose value was not filled in: nothing is refused.
  await worker.kill("SIGTERM");
  await fleet.worker({ FLEET_FAIL_ON: "" });
  expect((await fleet.night()).output).toMatch(/^acme +unchanged/);
  expect(fleet.calls().map((call) => call.split(" ")[0])).toEqual(expect.arrayContaining(["up"]));
});

/** A CLI whose preview deletes data until the update has run. */
const shortening = (fleet: Fleet): string => `name=\${*#*--stack }; name=\${name%% *}
case "$1" in
  stack) echo '${emptyExport}' ;;
  preview)
    ${shorteningPreview()
      .map((event) => `echo '${JSON.stringify(event)}'`)
      .join("\n    ")} ;;
  up)
    echo $name >> "${fleet.folder}/updated"
    while [ -e "${fleet.folder}/wait" ]; do sleep 0.1; done
    ${eventsOf("succeeded")} ;;
esac`;

const updated = (fleet: Fleet): string[] =>
  existsSync(join(fleet.folder, "updated"))
    ? readFileSync(join(fleet.folder, "updated"), "utf8").trim().split("\n")
    : [];

async function shorteningFleet(names: readonly string[], env: NodeJS.ProcessEnv): Promise<Fleet> {
  const fleet = await fleetWith(names, env);
  fleet.replaceCli(shortening(fleet));
  for (const name of names)
    fleet.write(
      `stacks/Pulumi.${name}.yaml`,
      `encryptionsalt: of it\nconfig: { voiceplane:baseUrl: ${fleet.plane(name).url} }\n`,
    );
  return fleet;
}

const many = Array.from({ length: 12 }, (_, index) => `customer-${String(index + 1).padStart(2, "0")}`);

test("three workers spend a budget of two twice, the first time alone, and the worker asks with the organization's own token", async () => {
  const fleet = await shorteningFleet(many, { FLEET_BUDGET: "deletes-data=2", FLEET_DEFER_SECONDS: "1" });
  fleet.write("wait", "");
  for (let place = 0; place < 3; place += 1) await fleet.worker();
  const night = fleet.night();
  const waiting = async () => Object.values(await fleet.rows()).filter(({ state }) => state === "deferred");
  await until(async () => (await waiting()).length === many.length - 1);
  const [first = "", ...more] = updated(fleet);
  expect(more).toEqual([]);
  for (const { reason } of await waiting()) expect(reason).toBe(`${first} does it first (deletes data)`);
  rmSync(join(fleet.folder, "wait"));
  const { code, output } = await night;
  expect([code, output.split("\n").at(-2)]).toEqual([
    1,
    expect.stringContaining(`total: 12 organizations, 2 unchanged, 10 held, 0 requests`),
  ]);
  const spenders = [...updated(fleet)].sort();
  expect(spenders).toHaveLength(2);
  for (const name of spenders) expect(fleet.plane(name).requests()).toEqual(["GET /v1/webhooks/", "GET /v1/webhooks/"]);
  const others = many.filter((name) => !spenders.includes(name));
  expect(others.flatMap((name) => fleet.plane(name).requests())).toEqual([]);
  const spent = "select organization, was_admitted, is_checked from voiceplane_fleet.spent order by 1";
  expect(await fleet.query(spent)).toEqual(
    spenders.map((organization) => ({ organization, was_admitted: true, is_checked: true })),
  );
});

test("a worker that dies with the budget's first organization leaves it to the next try, which takes nothing more", async () => {
  const fleet = await shorteningFleet(many.slice(0, 3), { FLEET_BUDGET: "deletes-data=1", FLEET_DEFER_SECONDS: "1" });
  fleet.write("wait", "");
  const worker = await fleet.worker();
  const night = fleet.night();
  await until(() => updated(fleet).length === 1);
  await worker.kill("SIGKILL");
  rmSync(join(fleet.folder, "wait"));
  await fleet.worker();
  expect((await night).output).toContain("total: 3 organizations, 1 unchanged, 2 held");
  expect(new Set(updated(fleet)).size).toBe(1);
  expect(await fleet.query("select organization, is_checked from voiceplane_fleet.spent")).toEqual([
    { organization: updated(fleet)[0], is_checked: true },
  ]);
});

test("if the first organization of a risk fails, none follows", async () => {
  const fleet = await shorteningFleet(many.slice(0, 3), {
    ...{ FLEET_BUDGET: "deletes-data=3", FLEET_DEFER_SECONDS: "1", FLEET_RETRIES: "1" },
  });
  fleet.replaceCli(shortening(fleet).replace(eventsOf("succeeded"), failing));
  await fleet.worker();
  const { output } = await fleet.night();
  const [first = ""] = updated(fleet);
  expect(new Set(updated(fleet))).toEqual(new Set([first]));
  expect(output).toContain("total: 3 organizations, 1 failed, 2 held");
  expect(output).toContain(
    `held       deletes data (${first} was first, and did not succeed): recordings: 90 → 30 days`,
  );
});

test("a night that is stopped finishes what runs, holds the others, and says who stopped it", async () => {
  const fleet = await shorteningFleet(many.slice(0, 3), {});
  fleet.write("wait", "");
  await fleet.worker();
  const night = fleet.night();
  await until(() => updated(fleet).length === 1);
  const [row] = await fleet.query<{ night: string }>("select night from voiceplane_fleet.night");
  const name = row?.night ?? "";
  expect(await fleet.succeed("stop", name, "--why", "wrong template")).toBe("stopped");
  const counts = async () => Object.values(await fleet.rows()).map(({ outcome }) => outcome);
  expect((await counts()).sort()).toEqual(["held", "held", null]);
  rmSync(join(fleet.folder, "wait"));
  const { code, output } = await night;
  expect(code).toBe(1);
  expect(output).toMatch(/^stopped by \S+@\S+ at \d{4}-\d\d-\d\d \d\d:\d\d: wrong template\n/);
  expect(output).toContain("total: 3 organizations, 1 unchanged, 2 held");
  expect(updated(fleet)).toHaveLength(1);
  // The jobs that were left run nothing.
  await until(async () =>
    (await jobsOf(fleet, "organization")).every(({ state }) => !["created", "retry", "active"].includes(state)),
  );
  expect(updated(fleet)).toHaveLength(1);
  expect(await fleet.run("stop", ["yesterday"])).toEqual({
    code: 1,
    output: "there is no night yesterday: npm run summary names the newest one",
  });
  expect(await fleet.run("release", [name, "--risk", "typo"])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^usage: npm run release -- NIGHT .*: the risks are sends-the-token/) as string,
  });
});

test("a lock that is held for too long needs a person", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_DEFER_MINUTES: "0.001" });
  await fleet.worker();
  const { PGDATABASE = "" } = fleet.database;
  await withClient(connectionOf(fleet.database, PGDATABASE), async (other) => {
    await other.query("select pg_advisory_lock(hashtextextended('voiceplane fleet acme', 0))");
    const { code, output } = await fleet.night();
    expect(code).toBe(1);
    expect(output).toMatch(/^acme +failed +waited for 0 minutes: another worker has it/);
    await deadLetters(fleet, 1);
    expect(fleet.calls()).toEqual([]);
  });
});

const locked =
  "error: the stack is currently locked by 1 lock(s): fleet: created by root@elsewhere (pid 42) at 2020-01-01T00:00:00Z";

test.each([
  { during: "the first look at the state", place: "stack", then: "up" },
  { during: "an update that finds a stale lock", place: "up", then: "cancel" },
])(
  "a worker whose connection breaks during $during has lost the lock, and changes nothing more",
  async ({ place, then }) => {
    // The connection of acme breaks, and that of globex stays.
    const fleet = await fleetWith(["acme", "globex"], {
      FLEET_RETRIES: "1",
      FLEET_RETRY_SECONDS: "5",
      FLEET_DEFER_MINUTES: "0.001",
    });
    fleet.replaceCli(`[ "$1" = ${place} ] && while [ ! -e "${join(fleet.folder, "go")}" ]; do sleep 0.1; done
case "$1" in
  stack) echo '${emptyExport}' ;;
  up) echo "${locked}" >&2; exit 1 ;;
esac`);
    await fleet.worker();
    await fleet.worker();
    const night = fleet.night();
    const atPlace = () => fleet.processes().filter(({ command }) => command.includes(`pulumi\0${place}\0`));
    await until(() => atPlace().length === 2);
    await breakConnection(fleet);
    fleet.write("go", "");
    await until(async () => {
      const { acme, globex } = await fleet.rows();
      return acme?.state === "retrying" && ["retrying", "done"].includes(globex?.state ?? "");
    });
    const started = fleet.calls().filter((call) => call.startsWith(`${then} `));
    expect(started).not.toEqual([]);
    for (const call of started) expect(call).toContain("globex");
    fleet.replaceCli(failing);
    await night;
  },
);

test.each([
  { how: "succeeds", result: "succeeded", code: 0 },
  { how: "fails", result: "failed", code: 1 },
])(
  "a run that $how after the worker's connection broke is noted as what it was, and no later run tells its rotation again",
  async ({ result, code }) => {
    const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1", FLEET_RETRY_SECONDS: "1" });
    const [go, rotated] = [join(fleet.folder, "go"), join(fleet.folder, "rotated")];
    fleet.replaceCli(`case "$1" in
  stack) if [ -e "${rotated}" ]; then echo '${rotatedExport}'; else echo '${emptyExport}'; fi ;;
  up)
    [ -e "${rotated}" ] && { ${eventsOf("succeeded")}; exit; }
    echo '${rotation}' >> "$VOICEPLANE_REQUEST_LOG"
    : > "${rotated}"
    while [ ! -e "${go}" ]; do sleep 0.1; done
    ${eventsOf(result)}
    exit ${code} ;;
esac`);
    await fleet.worker();
    const night = fleet.night();
    await until(() => existsSync(rotated));
    await breakConnection(fleet);
    fleet.write("go", "");
    await night;
    expect((await fleet.rows()).acme).toMatchObject({ outcome: "unchanged", requests: 1, rotations: 1, notes: [] });
    expect(fleet.calls().filter((call) => call.startsWith("up "))).toHaveLength(1 + code);
    await fleet.night();
    expect((await fleet.rows()).acme).toMatchObject({ outcome: "unchanged", requests: 0, rotations: 0, notes: [] });
  },
);

test("an organization whose record the role has no right to fails with one line before any update, and the others go on", async () => {
  const fleet = await fleetWith(["acme", "globex"], { FLEET_RETRIES: "1", FLEET_RETRY_SECONDS: "1" });
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  up) ${eventsOf("succeeded")} ;;
esac`);
  await fleet.query(`
    alter table voiceplane_fleet.record enable row level security;
    alter table voiceplane_fleet.record force row level security;
    create policy others on voiceplane_fleet.record using (organization <> 'acme')`);
  await fleet.worker();
  const { output } = await fleet.night();
  expect(output).toMatch(
    /^acme +failed +what is uncertain is not known, new row violates row-level security policy for table "record", \d+\.\d s$/m,
  );
  expect(output).toMatch(/^globex +unchanged/m);
  expect(fleet.calls().filter((call) => call.startsWith("up "))).toEqual([expect.stringContaining("--stack globex")]);
});

test("a run that lasts too long is interrupted, and the next one makes up for it", async () => {
  const fleet = await fleetWith(["acme"], {
    FLEET_RETRIES: "1",
    FLEET_RETRY_SECONDS: "1",
    FLEET_CANCEL_LOCKS_AFTER_MINUTES: "0.02",
  });
  fleet.replaceCli(`case "$1" in
  stack) echo '${emptyExport}' ;;
  up) trap 'exit 1' INT; while :; do sleep 0.1; done ;;
esac`);
  await fleet.worker();
  const night = fleet.night();
  await until(async () => (await fleet.rows()).acme?.state === "retrying");
  expect((await fleet.rows()).acme).toMatchObject({
    reason: expect.stringMatching(/^interrupted/) as string,
    rotations: 0,
  });
  fleet.replaceCli(failing);
  await night;
});

test("the end of a record is saved if the answer to a write was lost, once if that to its transaction was, and never over another run's", async () => {
  const fleet = await fleetWith([]);
  const { PGDATABASE = "" } = fleet.database;
  await withClient(connectionOf(fleet.database, PGDATABASE), async (client) => {
    const losing = {
      query: async (text: string, values: unknown[]) => {
        await client.query(text, values);
        throw new Error("the connection is gone");
      },
    } as unknown as Queryable;
    const record = recordOf(losing, "acme");
    const stored = async () =>
      (await fleet.query<{ record: string }>("select record from voiceplane_fleet.record"))[0]?.record;
    await expect(record.write("begun")).rejects.toThrow("the connection is gone");
    await record.finish("ended");
    expect(await record.saveEnd(client)).toBe(false);
    expect(await stored()).toBe("ended");
    expect(await record.saveEnd(client)).toBe(true);
    await recordOf(client, "acme").write("of another run");
    expect(await record.saveEnd(client)).toBe(false);
    expect(await stored()).toBe("of another run");
  });
});

test("setup takes over the tables of an earlier version, and leaves Pulumi's state where it is", async () => {
  const fleet = await newFleet();
  const role = fleet.database.PGUSER ?? "";
  const earlier = `
    create schema fleet;
    create table fleet.record (organization text primary key, record text not null, updated_at timestamptz not null default now());
    create table fleet.night (night text primary key, started_at timestamptz not null default now());
    create table fleet.result (night text not null references fleet.night on delete cascade, organization text not null,
      state text not null default 'waiting', outcome text check (outcome in ('skipped', 'unchanged', 'applied', 'failed')), reason text, requests integer not null default 0,
      rotations integer not null default 0, uncertain integer default 0, next_due_date date, notes jsonb not null default '[]',
      seconds real, worker text, finished_at timestamptz, primary key (night, organization));
    insert into fleet.record values ('acme', 'of an earlier run');
    insert into fleet.night values ('2026-11-20');
    insert into fleet.result (night, organization) values ('2026-11-20', 'acme');`;
  const tables = async () => {
    const found = await fleet.query<{ name: string }>(
      `select schemaname || '.' || tablename as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema', 'pgboss') order by 1`,
    );
    return found.map(({ name }) => name);
  };
  const ours = ["decision", "night", "record", "result", "spent", "version"].map((name) => `voiceplane_fleet.${name}`);
  await fleet.query(`${earlier} alter role ${role} set search_path = fleet, public; `);
  await fleet.query(`set search_path = fleet; ${stateTable}; ${stackRow}`);
  for (let times = 0; times < 2; times += 1) await fleet.succeed("setup");
  expect(await tables()).toEqual(["fleet.pulumi_state", ...ours]);
  expect(await fleet.query("select record from voiceplane_fleet.record")).toEqual([{ record: "of an earlier run" }]);
  expect(await fleet.rows()).toMatchObject({ acme: { night: "2026-11-20", pending: [] } });
  await fleet.query("update voiceplane_fleet.result set state = 'done', outcome = 'held', held = '{deletes data}'");
  await fleet.succeed("setup");
  expect(await fleet.rows()).toMatchObject({ acme: { outcome: "held", held: ["deletes data"] } });

  // Without a state in it, the schema goes: Pulumi would use it for a role of its name.
  const other = await newFleet();
  await other.query(`${earlier} ${stateTable}; ${stackRow}`);
  await other.succeed("setup");
  expect(await other.query("select from pg_namespace where nspname = 'fleet'")).toEqual([]);
});

test("setup refuses two states, without a change, and a role that has the name of a schema", async () => {
  const fleet = await newFleet();
  await fleet.query(`create schema before; ${stateTable}; ${stackRow}`);
  await fleet.query(`set search_path = before; ${stateTable}; ${stackRow}`);
  expect(await fleet.run("setup", [])).toEqual({
    code: 1,
    output: "the schemas public and before have state, and Pulumi uses public alone: see README.md",
  });
  expect(await fleet.query("select from pg_namespace where nspname = 'voiceplane_fleet'")).toEqual([]);
  const named = await newFleet({}, "pgboss");
  expect(await named.run("setup", [])).toEqual({
    code: 1,
    output: "the schema pgboss is the fleet's, and Pulumi would use it for a role of this name: use another role",
  });
});

test("who only reads, by the grants of the README, sees the nights and no state", async () => {
  const fleet = await fleetWith([]);
  const database = fleet.database.PGDATABASE ?? "";
  await asSuperuser("postgres", (client) => client.query("create role auditor login password 'a password'"));
  const readme = readFileSync(join(__dirname, "../../../examples/fleet/README.md"), "utf8").replaceAll(/\s+/g, " ");
  const [, text = ""] = /A person who only reads gets (.*?)\. Grant nothing/.exec(readme) ?? [];
  const grants = [...text.matchAll(/`(grant [^`]+)`/g)].map(([, grant = ""]) => grant);
  expect(grants).toHaveLength(3);
  for (const grant of grants)
    await fleet.query(`${grant.replace("database fleet", `database ${database}`)} to auditor`);
  const reader = { ...connectionOf(fleet.database, database), user: "auditor" };
  await withClient(reader, async (client) => {
    await client.query("select * from voiceplane_fleet.result");
    await client.query("select * from voiceplane_fleet.night");
    await expect(client.query("select * from pulumi_state")).rejects.toThrow(
      "permission denied for table pulumi_state",
    );
  });
});

test("another setup stores retries and a heartbeat that were changed", async () => {
  const fleet = await fleetWith([], { FLEET_RETRIES: "1" });
  const stored = () =>
    fleet.query("select retry_limit, heartbeat_seconds from pgboss.queue where name = 'organization'");
  expect(await stored()).toEqual([{ retry_limit: 1, heartbeat_seconds: 10 }]);
  expect(await fleet.run("setup", [], { FLEET_RETRIES: "7", FLEET_HEARTBEAT_SECONDS: "20" })).toMatchObject({
    code: 0,
  });
  expect(await stored()).toEqual([{ retry_limit: 7, heartbeat_seconds: 20 }]);
});

test("an organization whose workers all die is reported, and waits as a dead letter", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1" });
  fleet.replaceCli("sleep 300");
  const night = fleet.night();
  for (let time = 0; time < 2; time += 1) {
    const worker = await fleet.worker();
    await until(() =>
      fleet.processes().some(({ command, parent }) => command.startsWith("sh\0") && parent === worker.pid),
    );
    await worker.kill("SIGKILL");
    for (const { pid, command } of fleet.processes()) if (/^sh\0|^sleep\0/.test(command)) process.kill(pid, "SIGKILL");
  }
  await fleet.worker();
  const { code, output } = await night;
  expect(code).toBe(1);
  expect(output).toMatch(/^acme +failed +what is uncertain is not known, each worker that took it was lost: /);
  await deadLetters(fleet, 1);
});

test("the nights and the pruning are scheduled in the time zone, once for all workers", async () => {
  const fleet = await fleetWith([], { FLEET_CRON: "15 3 * * *", FLEET_TIME_ZONE: "Europe/Berlin" });
  await fleet.worker();
  await fleet.worker();
  const schedules = await fleet.query("select name, cron, timezone from pgboss.schedule order by name");
  expect(schedules).toEqual([
    { name: "night", cron: "15 3 * * *", timezone: "Europe/Berlin" },
    { name: "prune", cron: "15 3 * * *", timezone: "Europe/Berlin" },
  ]);
});

/** The same rule for a state without a fleet, of all projects. */
const [, pruningJob = ""] =
  /^ +(with old as .*?'30 days')$/ms.exec(
    readFileSync(join(__dirname, "../../../examples/kubernetes/cronjobs.yaml"), "utf8"),
  ) ?? [];

test.each([
  ["npm run prune", ["history/other/acme/acme-1.history.json", "history/other/acme/acme-2.history.json"]],
  ["the CronJob of examples/kubernetes", ["history/other/acme/acme-2.history.json"]],
])(
  "pruning by %s deletes old history and backups, and keeps the newest entry of each stack and all states",
  async (by, ofOthers) => {
    const fleet = await fleetWith([]);
    const { PGDATABASE = "" } = fleet.database;
    const keys = [
      "stacks/fleet/acme.json",
      "history/fleet/acme/acme-1.history.json.zst",
      "history/fleet/acme/acme-1.checkpoint.json.zst",
      "history/fleet/acme/acme-2.history.json",
      "history/fleet/acme/acme-2.checkpoint.json",
      "history/fleet/globex/globex-1.history.json",
      "backups/fleet/acme/acme.1.json",
      "backups/fleet/acme/acme.2.json",
      "history/other/acme/acme-1.history.json",
      "history/other/acme/acme-2.history.json",
    ].map((key) => `${PGDATABASE}/.pulumi/${key}`);
    const insert =
      "insert into pulumi_state select key, '{}', now() - interval '31 days' from unnest($1::text[]) as key";
    await fleet.query(insert, [keys]);
    await fleet.query("insert into pulumi_state values ($1, '{}', now())", [
      `${PGDATABASE}/.pulumi/history/fleet/acme/acme-1.5.history.json`,
    ]);
    if (by === "npm run prune") expect(await fleet.succeed("prune")).toBe("3 rows deleted");
    else await fleet.query(pruningJob.replaceAll("'pulumi/", `'${PGDATABASE}/`));
    const left = await fleet.query<{ key: string }>("select key from pulumi_state order by key");
    expect(left.map(({ key }) => key.slice(`${PGDATABASE}/.pulumi/`.length))).toEqual([
      "backups/fleet/acme/acme.2.json",
      "history/fleet/acme/acme-1.5.history.json",
      "history/fleet/acme/acme-2.checkpoint.json",
      "history/fleet/acme/acme-2.history.json",
      "history/fleet/globex/globex-1.history.json",
      ...ofOthers,
      "stacks/fleet/acme.json",
    ]);
  },
);

test("a PostgreSQL that is away, wrong or without rights is one line, for each command", async () => {
  const fleet = await newFleet();
  const away = await fleet.run("worker.ts", [], { PGPORT: "1" });
  expect(away).toEqual({
    code: 1,
    output: "PostgreSQL does not answer (connect ECONNREFUSED 127.0.0.1:1): PGHOST and PGPORT name it",
  });
  expect(await fleet.run("night", [], { PGPORT: "1" })).toEqual(away);
  expect(await fleet.run("night", [], { PGPASSWORD: "another" })).toEqual({
    code: 1,
    output: `PostgreSQL refuses the user (password authentication failed for user "${fleet.database.PGUSER ?? ""}"): PGUSER and PGPASSWORD name it`,
  });
  expect(await fleet.run("setup", [], { PGDATABASE: "nothing" })).toEqual({
    code: 1,
    output: 'database "nothing" does not exist: see setup.sql, or set PGDATABASE (now nothing)',
  });
  const notSetUp = { code: 1, output: 'relation "voiceplane_fleet.night" does not exist: run npm run setup' };
  expect(await fleet.run("summary", [])).toEqual(notSetUp);
  expect(await fleet.run("night", [])).toEqual(notSetUp);
  expect(await fleet.run("worker.ts", [])).toEqual({ code: 1, output: "Queue night not found: run npm run setup" });
  expect(await fleet.run("prune", [])).toEqual({
    code: 1,
    output: 'relation "pulumi_state" does not exist: run npm run adopt',
  });

  await asSuperuser("postgres", (client) => client.query("create role reader login password 'a password'"));
  const database = fleet.database.PGDATABASE ?? "";
  expect(await fleet.run("setup", [], { PGUSER: "reader" })).toEqual({
    code: 1,
    output: `permission denied for database "${database}": the role needs the rights of setup.sql`,
  });
  await asSuperuser("postgres", async (client) => client.query(`grant connect on database ${database} to reader`));
  expect(await fleet.run("setup", [], { PGUSER: "reader" })).toEqual({
    code: 1,
    output: `permission denied for database ${database}: the role needs the rights of setup.sql`,
  });
});

test("a PostgreSQL that goes away during a night: the workers wait for it, and nothing is lost", async () => {
  const fleet = await fleetWith(["acme", "globex"]);
  const gate = await gateTo(Number(fleet.database.PGPORT));
  fleet.replaceCli(`while [ ! -e "${join(fleet.folder, "go")}" ]; do sleep 0.1; done; ${failing}`);
  const worker = await fleet.worker({ PGPORT: String(gate.port) });
  const night = fleet.night();
  await until(() => fleet.processes().some(({ command }) => command.includes("stack\0export")));
  await gate.close();
  fleet.write("go", "");
  await until(() => worker.output().includes("PostgreSQL does not answer"));
  await gate.open();

  // The job of the one that ran comes back when its heartbeat is missed.
  const { output } = await night;
  expect(output).toMatch(/^acme +failed +what is uncertain is not known, the engine is out of order/m);
  expect(output).toMatch(/^globex +failed +what is uncertain is not known, the engine is out of order/m);
  expect(worker.output().match(/does not answer/g)?.length).toBeLessThan(6);
  await gate.close();
});

test("npm run night goes on when PostgreSQL is back, and shows the night to its end", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_RETRIES: "1", FLEET_RETRY_SECONDS: "1" });
  const gate = await gateTo(Number(fleet.database.PGPORT));
  fleet.replaceCli(`while [ ! -e "${join(fleet.folder, "go")}" ]; do sleep 0.1; done; ${failing}`);
  await fleet.worker();
  const night = fleet.run("night", [], { PGPORT: String(gate.port) });
  await until(() => fleet.processes().some(({ command }) => command.includes("stack\0export")));
  // As PostgreSQL ends a connection when it stops, and then there is nobody.
  await fleet.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'fleet'");
  await gate.close();
  fleet.write("go", "");
  await until(async () => (await fleet.rows()).acme?.state === "done");
  await gate.open();
  const { code, output } = await night;
  expect(code).toBe(1);
  expect(output).toMatch(/^acme +failed +what is uncertain is not known, the engine is out of order/m);
  expect(output).toMatch(/; the night goes on, and is shown again when PostgreSQL answers$/m);
  await gate.close();
});

/** A way to PostgreSQL that can be shut. */
async function gateTo(target: number) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const onward = connect(target, "127.0.0.1");
    for (const each of [socket, onward]) {
      sockets.add(each);
      each.on("error", () => undefined).on("close", () => sockets.delete(each));
    }
    socket.pipe(onward).pipe(socket);
  });
  // A test that fails does not shut it.
  server.unref();
  const open = async (port = 0): Promise<number> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  };
  const port = await open();
  return {
    port,
    open: () => open(port),
    close: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

test("a worker with a budget that it cannot read starts nothing, and says which risks there are", async () => {
  const fleet = await fleetWith(["acme"], { FLEET_BUDGET: "deletes-dat=1" });
  await expect(fleet.worker()).rejects.toThrow(
    /the worker ended: FLEET_BUDGET is off, or a list such as deletes-data=1,cuts-a-trunk=1,narrows-access=5%,rotates-a-secret=5%: the risks are sends-the-token-elsewhere, deletes-data, .*\n$/,
  );
});

test("a project with an underscore is refused by the worker, before any organization", async () => {
  const fleet = await newFleet();
  fleet.write("stacks/Pulumi.yaml", "name: our_fleet\nruntime: nodejs\n");
  expect(await fleet.run("worker.ts", [])).toEqual({
    code: 1,
    output: "the project our_fleet has an underscore, with which Pulumi's PostgreSQL backend fails: rename it",
  });
});
