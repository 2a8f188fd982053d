/** The alert rules and the dashboard, checked by promtool. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../../support/folders";

const root = resolve(__dirname, "../../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const rules = ["examples/fleet/alerts.yaml", "docs/operate/alerts.yaml"] as const;
type RuleFile = (typeof rules)[number];

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
const rulesOf = (file: RuleFile) => (parse(read(file)) as Rules).groups.flatMap((group) => group.rules);

const dashboard = JSON.parse(read("examples/fleet/dashboard.json")) as {
  readonly schemaVersion: number;
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
  readonly panels: readonly {
    readonly id: number;
    readonly title: string;
    readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    readonly targets: readonly { readonly datasource: { readonly uid: string }; readonly expr: string }[];
  }[];
};
const queries = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));

/** Where the metrics are made. */
const made = new Set(
  ["examples/fleet/metrics.ts", "src/cli/status/prometheus.ts"].flatMap((file) => [
    ...[...read(file).matchAll(/"((?:fleet|voiceplane)_\w+)"/g)].map((match) => match[1] ?? ""),
  ]),
);

test.each([
  ...rules.flatMap((file) => rulesOf(file).map(({ alert, expr }) => [`${file}: ${alert}`, expr])),
  ...queries.map((expr) => ["examples/fleet/dashboard.json", expr]),
])("%s: each metric exists: %s", (_where, expr = "") => {
  const names = expr.match(/\b(?:fleet|voiceplane)_\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !made.has(name.replace(/_bucket$/, "")))).toEqual([]);
});

test("each metric of the fleet is on the dashboard or has an alert", () => {
  const used = [...queries, ...rulesOf("examples/fleet/alerts.yaml").map(({ expr }) => expr)].join(" ");
  expect([...made].filter((name) => name.startsWith("fleet_") && !used.includes(name))).toEqual([]);
});

test("the dashboard asks the data source that is chosen, and no two panels share an id or a place", () => {
  const { panels, templating, schemaVersion } = dashboard;
  expect(schemaVersion).toBeGreaterThanOrEqual(36);
  expect(templating.list).toEqual([expect.objectContaining({ name: "datasource", type: "datasource" })]);
  const sources = panels.flatMap(({ targets }) => targets.map(({ datasource }) => datasource.uid));
  expect(new Set(sources)).toEqual(new Set(["${datasource}"]));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  const places = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, place) => `${x + (place % w)},${y + Math.floor(place / w)}`),
  );
  expect(new Set(places).size).toBe(places.length);
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
});

const found = spawnSync(process.execPath, [join(root, "tools/promtool.mjs")], { encoding: "utf8" });
const promtool = found.status === 0 ? found.stdout.trim() : undefined;
if (promtool === undefined) process.stderr.write(`SKIPPED: promtool checks no rules: ${found.stderr}`);
const checked = promtool === undefined ? test.skip : test;

const folder = temporaryFolder();

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(promtool ?? "", args, { cwd: folder, encoding: "utf8" });
  return status === 0 ? "" : `${stdout}${stderr}`;
}

checked.each(rules)("promtool accepts the rules of %s", (file) => {
  writeFileSync(join(folder, "rules.yaml"), read(file));
  expect(run("check", "rules", "rules.yaml")).toBe("");
});

checked("promtool accepts each query of the dashboard, and refuses one that is wrong", () => {
  const write = (exprs: readonly string[]) => {
    const all = exprs.map((expr, index) => ({ record: `panel:${index}`, expr }));
    writeFileSync(join(folder, "queries.yaml"), JSON.stringify({ groups: [{ name: "dashboard", rules: all }] }));
  };
  write(queries);
  expect(run("check", "rules", "queries.yaml")).toBe("");
  write([...queries, "max(fleet_failing_organizations"]);
  expect(run("check", "rules", "queries.yaml")).toContain("could not parse expression");
});

/** In steps of an hour from 1970-01-01 00:00. */
interface Course {
  readonly series: Readonly<Record<string, string>>;
  /** By hour, the alerts that fire. */
  readonly fires: Readonly<Record<number, readonly string[]>>;
}

/** A fleet where all is well at the hour 0, answered by two workers. */
const well: Record<string, string> = {
  "fleet_failing_organizations{instance='a'}": "0x400",
  "fleet_failing_organizations{instance='b'}": "0x400",
  "fleet_oldest_success_timestamp_seconds{instance='a'}": "0+3600x400",
  "fleet_next_due_timestamp_seconds{instance='a'}": "0+3600x400",
  "fleet_uncertain_objects_total{instance='a'}": "0x400",
};
const of = `organization="eu",type="WebhookSecret",name="crm",id="c"`;
const day = 24;

const courses: readonly (readonly [string, RuleFile, Course])[] = [
  ["a fleet where all is well", "examples/fleet/alerts.yaml", { series: well, fires: { 10: [], 300: [] } }],
  [
    "organizations that fail through a morning, on two workers",
    "examples/fleet/alerts.yaml",
    {
      series: {
        ...well,
        "fleet_failing_organizations{instance='a'}": "0x2 3x400",
        "fleet_failing_organizations{instance='b'}": "0x2 3x400",
      },
      fires: { 3: [], 8: ["FleetOrganizationsFailing"] },
    },
  ],
  [
    "a dead letter, and a queue that does not end",
    "examples/fleet/alerts.yaml",
    {
      series: {
        ...well,
        "fleet_queue_jobs{queue='organization-dead',state='created'}": "0x5 1x400",
        "fleet_queue_jobs{queue='organization',state='created'}": "9x10 0x400",
      },
      fires: { 4: [], 8: ["FleetNeedsPerson", "FleetNightTooLong"], 20: ["FleetNeedsPerson"] },
    },
  ],
  [
    "organizations that are held by their risks, and a night that was stopped",
    "examples/fleet/alerts.yaml",
    {
      series: {
        ...well,
        "fleet_held_organizations{instance='a',risk='deletes data'}": "0x2 7x20 0x400",
        "fleet_held_organizations{instance='b',risk='deletes data'}": "0x2 7x20 0x400",
        "fleet_held_organizations{instance='a',risk='cuts a trunk'}": "0x400",
        "fleet_night_stopped{instance='a'}": "0x9 1x20 0x400",
      },
      fires: { 2: [], 5: ["FleetHeld"], 12: ["FleetHeld", "FleetNightStopped"], 50: [] },
    },
  ],
  [
    "an organization without success, and a due date that passes",
    "examples/fleet/alerts.yaml",
    {
      series: {
        ...well,
        "fleet_oldest_success_timestamp_seconds{instance='a'}": "0x400",
        "fleet_next_due_timestamp_seconds{instance='a'}": "0x400",
      },
      fires: { 20: [], 36: ["FleetOverdue"], 50: ["FleetNoSuccess", "FleetOverdue"] },
    },
  ],
  [
    "a fleet without a due date",
    "examples/fleet/alerts.yaml",
    { series: { ...well, "fleet_next_due_timestamp_seconds{instance='a'}": "NaN ".repeat(301) }, fires: { 300: [] } },
  ],
  [
    "a lost answer",
    "examples/fleet/alerts.yaml",
    {
      series: { ...well, "fleet_uncertain_objects_total{instance='a'}": "0x30 1x400" },
      fires: { 29: [], 33: ["FleetUncertain"], 60: [] },
    },
  ],
  ["no worker", "examples/fleet/alerts.yaml", { series: {}, fires: { 2: ["FleetAbsent"] } }],
  [
    "a stack where all is well",
    "docs/operate/alerts.yaml",
    {
      series: {
        [`voiceplane_uncertain{${of}}`]: "0x400",
        [`voiceplane_failed{${of}}`]: "0x400",
        [`voiceplane_rotations_total{${of}}`]: "1x400",
        [`voiceplane_next_due_timestamp_seconds{${of}}`]: "0+3600x400",
        [`voiceplane_secret_rotated_timestamp_seconds{${of}}`]: "0+3600x400",
        'voiceplane_state_timestamp_seconds{project="p",stack="s"}': "0+3600x400",
        'voiceplane_pending_operations{project="p",stack="s"}': "0x400",
      },
      fires: { 10: [], 300: [] },
    },
  ],
  [
    "a stack with one object in two resources, and later with a stale output",
    "docs/operate/alerts.yaml",
    {
      series: {
        'voiceplane_duplicate_objects{project="p",stack="s"}': "1x5 0x400",
        'voiceplane_stale_outputs{project="p",stack="s"}': "0x20 1x400",
      },
      fires: { 3: ["VoiceplaneWrongState"], 10: [], 25: ["VoiceplaneWrongState"] },
    },
  ],
  [
    "a stack where everything is wrong",
    "docs/operate/alerts.yaml",
    {
      series: {
        [`voiceplane_uncertain{${of}}`]: "1x4000",
        [`voiceplane_rotations_total{${of}}`]: "0x4000",
        [`voiceplane_next_due_timestamp_seconds{${of}}`]: "0x4000",
        [`voiceplane_secret_rotated_timestamp_seconds{${of}}`]: "0x4000",
        'voiceplane_state_timestamp_seconds{project="p",stack="s"}': "0x4000",
        'voiceplane_pending_operations{project="p",stack="s"}': "1x4000",
      },
      fires: {
        0: ["VoiceplaneNeverRotated"],
        3: ["VoiceplaneNeverRotated", "VoiceplanePending", "VoiceplaneUncertain"],
        [2 * day + 1]: ["VoiceplaneNeverRotated", "VoiceplaneOverdue", "VoiceplanePending", "VoiceplaneUncertain"],
        [8 * day + 1]: [
          "VoiceplaneNeverRotated",
          "VoiceplaneNoUpdate",
          "VoiceplaneOverdue",
          "VoiceplanePending",
          "VoiceplaneUncertain",
        ],
        [100 * day + 1]: [
          "VoiceplaneNeverRotated",
          "VoiceplaneNoUpdate",
          "VoiceplaneOldSecret",
          "VoiceplaneOverdue",
          "VoiceplanePending",
          "VoiceplaneUncertain",
        ],
      },
    },
  ],
];

checked.each(courses)("alerts: %s", (_name, file, { series, fires }) => {
  writeFileSync(join(folder, "rules.yaml"), read(file));
  // An alert that fires is a sample of ALERTS.
  const queriesAt = Object.entries(fires).map(([hour, alerts]) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${hour}h`,
    exp_samples: alerts.map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
  }));
  writeFileSync(
    join(folder, "test.yaml"),
    JSON.stringify({
      rule_files: ["rules.yaml"],
      evaluation_interval: "1h",
      tests: [
        {
          interval: "1h",
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: queriesAt,
        },
      ],
    }),
  );
  expect(run("test", "rules", "test.yaml")).toBe("");
});

test("each alert fires in a course", () => {
  const fired = new Set(courses.flatMap(([, , { fires }]) => Object.values(fires).flat()));
  const all = rules.flatMap(rulesOf).map(({ alert }) => alert);
  expect([...fired].sort()).toEqual(all.sort());
});
