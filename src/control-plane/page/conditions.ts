import type { Control } from "../control.js";
import { isCarriedOut, type Fault } from "../faults.js";
import { html, type Html, count, duration, minute, operationTitles } from "./html.js";

/** Shows the settings that change answers: a moved clock and faults. */
export function conditions(clock: ReturnType<Control["clock"]>, faults: readonly Fault[]): Html {
  return html`${clock.offsetMs === 0 ? undefined : movedClock(clock)}${faults.length === 0 ? undefined : faultList(faults)}`;
}

function movedClock({ now, offsetMs }: ReturnType<Control["clock"]>): Html {
  const distance = `${duration(Math.abs(offsetMs))} ${offsetMs > 0 ? "ahead of" : "behind"} this machine's`;
  return html`<div class="condition clock">
    <p>The clock is at <time datetime="${now}">${minute(now)}</time>, ${distance}.</p>
    <button type="button" data-send="PUT clock" data-body="${JSON.stringify({ offsetMs: 0 })}" data-then="open-clock">
      Use this machine's time
    </button>
  </div>`;
}

function faultList(faults: readonly Fault[]): Html {
  return html`<div class="condition fault">
    <div>
      <p>
        ${faults.length === 1 ? "A fault is set:" : `${faults.length} faults are set. The first that matches applies:`}
      </p>
      <ul>
        ${faults.map((fault) => html`<li>${faultSentence(fault)}</li>`)}
      </ul>
    </div>
    <button type="button" data-send="PUT faults" data-body="[]" data-then="open-faults">
      ${faults.length === 1 ? "Remove it" : "Remove all"}
    </button>
  </div>`;
}

/** Describes a fault: its requests, its effect and its remaining count. */
function faultSentence(fault: Fault): string {
  return [
    fault.operation === "*" ? "Every operation" : operationTitles[fault.operation],
    ...effectWords(fault),
    fault.latencyMs === 0 || fault.effect === "latency" ? [] : `after ${seconds(fault.latencyMs)}`,
    fault.probability === 1 ? [] : `${Number((fault.probability * 100).toFixed(2))}% of requests`,
    fault.count === undefined ? "until it is removed" : `${count(fault.count, "request")} left`,
  ]
    .flat()
    .join(" · ");
}

/** How a fault ends a request, but for those that are slowed or get a status. */
export const faultTexts = {
  reset: "connection reset",
  cut: "answer cut short",
  hang: "no answer",
} as const;

function effectWords(fault: Fault): string[] {
  if (fault.effect === "latency") return [`slow by ${seconds(fault.latencyMs)}`];
  const words = fault.effect === "status" ? statusWords(fault) : faultTexts[fault.effect];
  return [words, carriedOut(isCarriedOut(fault))];
}

function statusWords({ status, retryAfter }: Extract<Fault, { effect: "status" }>): string {
  return `answers ${status}${retryAfter === undefined ? "" : ` with Retry-After: ${retryAfter.seconds} s`}`;
}

export function carriedOut(done: boolean): string {
  return done ? "carried out" : "not carried out";
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
