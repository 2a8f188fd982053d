/**
 * The state of a stack in Prometheus' text format, for a textfile collector or a Pushgateway. Times are timestamps, not ages:
 * an age would be wrong as soon as it is written, and would stop growing if nothing writes it again.
 */
import { printable } from "../../values/text.js";
import { duplicatesIn } from "../engine/conditions.js";
import type { ObjectState, StackState } from "../engine/state.js";

interface Metric {
  readonly name: string;
  readonly help: string;
  /** Undefined where the object has no such value. */
  readonly of: (object: ObjectState) => number | boolean | undefined;
}

const metrics: readonly Metric[] = [
  {
    name: "voiceplane_sent_timestamp_seconds",
    help: "When the object was last sent.",
    of: ({ sentAt }) => secondsOf(sentAt),
  },
  {
    name: "voiceplane_secret_rotated_timestamp_seconds",
    help: "When the webhook's secret was last rotated. Absent for a secret of unknown age.",
    of: ({ rotation }) => secondsOf(rotation?.at),
  },
  {
    name: "voiceplane_next_due_timestamp_seconds",
    help: "The next due date, at midnight UTC.",
    of: ({ dueOn }) => secondsOf(dueOn),
  },
  {
    name: "voiceplane_rotations_total",
    help: "Rotations of the webhook's secret whose answer arrived.",
    of: ({ rotation }) => rotation?.count,
  },
  {
    name: "voiceplane_uncertain",
    help: "Whether the outcome of the last request is unknown.",
    of: ({ uncertain }) => uncertain,
  },
  {
    name: "voiceplane_unread",
    help: "Whether no secret was found in the answer to the last rotation.",
    of: ({ rotation, unread }) => rotation && unread,
  },
  {
    name: "voiceplane_failed",
    help: "Whether the last update ended with another error, or left a deletion or replacement to do.",
    of: ({ initErrors, uncertain, leaving }) => (initErrors > 0 && !uncertain) || leaving,
  },
];

/** Values by their labels. An object that is being replaced is in the state twice, and a series must not be. */
type Samples = ReadonlyMap<string, number>;

export function prometheus(state: StackState): string {
  const { project, stack, time, objects, pendingOperations, staleOutputs } = state;
  const written = secondsOf(time);
  const ofStack = labels({ project, stack });
  const pending = "Operations of the stack whose end the engine did not see.";
  return [
    ...family(
      "voiceplane_state_timestamp_seconds",
      "When the engine wrote the stack's state.",
      new Map(written === undefined ? [] : [[ofStack, written]]),
    ),
    ...family("voiceplane_pending_operations", pending, new Map([[ofStack, pendingOperations.length]])),
    ...family(
      "voiceplane_duplicate_objects",
      "Objects that have several resources in the stack.",
      new Map([[ofStack, duplicatesIn(state).length]]),
    ),
    ...family(
      "voiceplane_stale_outputs",
      "Outputs of the stack with a secret that was rotated since. Absent if they cannot be decrypted.",
      new Map(staleOutputs === undefined ? [] : [[ofStack, staleOutputs.length]]),
    ),
    ...metrics.flatMap(({ name, help, of }) => {
      const samples = new Map<string, number>();
      for (const object of objects) {
        const { organization, type, name, id = "" } = object;
        const key = labels({ project, stack, organization, type, name, id });
        const value = of(object);
        if (value !== undefined) samples.set(key, Math.max(Number(value), samples.get(key) ?? -Infinity));
      }
      return family(name, help, samples);
    }),
    "",
  ].join("\n");
}

function family(name: string, help: string, samples: Samples): string[] {
  if (samples.size === 0) return [];
  const head = [`# HELP ${name} ${help}`, `# TYPE ${name} ${name.endsWith("_total") ? "counter" : "gauge"}`];
  return [...head, ...[...samples].map(([key, value]) => `${name}${key} ${value}`)];
}

function labels(of: Readonly<Record<string, string>>): string {
  const escape = (text: string) =>
    text.split("\n").map(printable).join("\n").replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
  const pairs = Object.entries(of).map(([label, text]) => `${label}="${escape(text)}"`);
  return `{${pairs.join(",")}}`;
}

function secondsOf(time: string | undefined): number | undefined {
  const ms = time === undefined ? NaN : Date.parse(time);
  return Number.isNaN(ms) ? undefined : ms / 1000;
}
