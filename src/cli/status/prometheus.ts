/**
 * The state of a stack in Prometheus' text format, for a textfile collector or a Pushgateway. Times are timestamps, not ages:
 * an age would be wrong as soon as it is written, and stand still if nothing writes it again.
 */
import { printable } from "../../client/printable.js";
import type { ObjectState, StackState } from "../../engine/state.js";

interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  /** Undefined where the object has no such value. */
  readonly valueOf: (object: ObjectState) => number | boolean | undefined;
}

const metrics: readonly Metric[] = [
  {
    name: "voiceplane_sent_timestamp_seconds",
    type: "gauge",
    help: "When the object was last sent.",
    valueOf: ({ sentAt }) => secondsOf(sentAt),
  },
  {
    name: "voiceplane_secret_rotated_timestamp_seconds",
    type: "gauge",
    help: "When the webhook's secret was last rotated. Absent for a secret of unknown age.",
    valueOf: ({ rotation }) => secondsOf(rotation?.at),
  },
  {
    name: "voiceplane_next_due_timestamp_seconds",
    type: "gauge",
    help: "The next due date, at midnight UTC.",
    valueOf: ({ dueOn }) => secondsOf(dueOn),
  },
  {
    name: "voiceplane_rotations_total",
    type: "counter",
    help: "Rotations of the webhook's secret whose answer arrived.",
    valueOf: ({ rotation }) => rotation?.count,
  },
  {
    name: "voiceplane_uncertain",
    type: "gauge",
    help: "Whether the answer to the last request was lost.",
    valueOf: ({ uncertain }) => uncertain,
  },
  {
    name: "voiceplane_unread",
    type: "gauge",
    help: "Whether no secret was found in the answer to the last rotation.",
    valueOf: ({ rotation, unread }) => rotation && unread,
  },
  {
    name: "voiceplane_failed",
    type: "gauge",
    help: "Whether the last update ended with another error, or left a deletion or replacement to do.",
    valueOf: ({ initErrors, uncertain, leaving }) => (initErrors > 0 && !uncertain) || leaving,
  },
];

export function prometheus(state: StackState): string {
  const { project, stack, time, objects, pendingOperations } = state;
  const written = secondsOf(time);
  return [
    ...family("voiceplane_state_timestamp_seconds", "gauge", "When the engine wrote the stack's state.", [
      ...(written === undefined ? [] : [sample({ project, stack }, written)]),
    ]),
    ...family("voiceplane_pending_operations", "gauge", "Operations of the stack whose end the engine did not see.", [
      sample({ project, stack }, pendingOperations.length),
    ]),
    ...metrics.flatMap(({ name, type, help, valueOf }) => {
      // An object that is being replaced is in the state twice, and a series must not be.
      const samples = new Map<string, number>();
      for (const object of objects) {
        const value = valueOf(object);
        const key = labels({ project, stack, ...labelsOf(object) });
        if (value !== undefined) samples.set(key, Math.max(Number(value), samples.get(key) ?? -Infinity));
      }
      return family(
        name,
        type,
        help,
        [...samples].map(([key, value]) => `${key} ${value}`),
      );
    }),
    "",
  ].join("\n");
}

function labelsOf({ organization, type, name, id = "" }: ObjectState) {
  return { organization, type, name, id };
}

function family(name: string, type: Metric["type"], help: string, samples: readonly string[]): string[] {
  if (samples.length === 0) return [];
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples.map((each) => `${name}${each}`)];
}

function sample(of: Readonly<Record<string, string>>, value: number): string {
  return `${labels(of)} ${value}`;
}

function labels(of: Readonly<Record<string, string>>): string {
  const escape = (text: string) =>
    text.split("\n").map(printable).join("\n").replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  return `{${Object.entries(of)
    .map(([label, text]) => `${label}="${escape(text)}"`)
    .join(",")}}`;
}

function secondsOf(time: string | undefined): number | undefined {
  const ms = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
