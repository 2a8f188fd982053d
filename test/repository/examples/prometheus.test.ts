/** The alert rules, checked by promtool. */
import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { temporaryFolder } from "../../support/folders";

const root = resolve(__dirname, "../../..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const file = "docs/operate/alerts.yaml";

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}
const rules = (parse(read(file)) as Rules).groups.flatMap((group) => group.rules);

/** Where the metrics are made. */
const made = new Set(
  [...read("src/cli/status/prometheus.ts").matchAll(/"(voiceplane_\w+)"/g)].map((match) => match[1] ?? ""),
);

test.each(rules)("$alert: each metric exists: $expr", ({ expr }) => {
  const names = expr.match(/\bvoiceplane_\w+/g) ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(names.filter((name) => !made.has(name.replace(/_bucket$/, "")))).toEqual([]);
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

checked("promtool accepts the rules", () => {
  writeFileSync(join(folder, "rules.yaml"), read(file));
  expect(run("check", "rules", "rules.yaml")).toBe("");
});

/** In steps of an hour from 1970-01-01 00:00. */
interface Course {
  readonly series: Readonly<Record<string, string>>;
  /** By hour, the alerts that fire. */
  readonly fires: Readonly<Record<number, readonly string[]>>;
}

const of = `organization="eu",type="WebhookSecret",name="crm",id="c"`;
const day = 24;

const courses: readonly (readonly [string, Course])[] = [
  [
    "a stack where all is well",
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

checked.each(courses)("alerts: %s", (_name, { series, fires }) => {
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
  const fired = new Set(courses.flatMap(([, { fires }]) => Object.values(fires).flat()));
  const all = rules.map(({ alert }) => alert);
  expect([...fired].sort()).toEqual(all.sort());
});
