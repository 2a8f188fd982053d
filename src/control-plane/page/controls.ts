import { operations, type OperationName } from "../../contract/index.js";
import type { FaultInput } from "../faults.js";
import { html, type Html, operationTitles } from "./html.js";

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** The faults that the page offers. They cover every kind of failure that a client must handle. */
export const offeredEffects: readonly (readonly [
  words: string,
  DistributiveOmit<FaultInput, "operation" | "count">,
])[] = [
  ["503, not carried out", { effect: "status", status: 503 }],
  ["503, though carried out", { effect: "status", status: 503, commit: true }],
  ["500, not carried out", { effect: "status", status: 500 }],
  ["429 with Retry-After: 5 s", { effect: "status", status: 429, retryAfter: { seconds: 5 } }],
  ["Connection reset, not carried out", { effect: "reset" }],
  ["Connection reset, though carried out", { effect: "reset", commit: true }],
  ["Answer cut short, carried out", { effect: "cut" }],
  ["No answer, not carried out", { effect: "hang" }],
  ["No answer, though carried out", { effect: "hang", commit: true }],
  ["Slow by 5 s", { effect: "latency", latencyMs: 5000 }],
];

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const steps = [
  ["1 hour", hourMs],
  ["1 day", dayMs],
  ["30 days", 30 * dayMs],
  ["90 days", 90 * dayMs],
] as const;

/** The filter and the buttons that open the dialogs. All of them need the script. */
export const toolbar = html`<div class="toolbar">
  <div role="search">
    <input
      id="filter"
      type="search"
      autocomplete="off"
      spellcheck="false"
      aria-label="Filter"
      placeholder="Filter: a name, an id, refused …"
    />
  </div>
  <div class="buttons" role="group" aria-label="Control plane">
    <button type="button" id="open-faults" data-opens="faults">Set a fault…</button>
    <button type="button" id="open-clock" data-opens="clock">Move the clock…</button>
    <button type="button" id="open-reset" data-opens="reset">Reset…</button>
  </div>
</div>`;

export const dialogs = html`${dialog(
  "faults",
  "Set a fault",
  html`<label>
      <span>Operation</span>
      <select name="operation">
        ${option("*", "All operations")}
        ${(Object.keys(operations) as OperationName[]).map((name) => option(name, operationTitles[name]))}
      </select>
    </label>
    <label>
      <span>What happens</span>
      <select name="effect">
        ${offeredEffects.map(([words, effect]) => option(JSON.stringify(effect), words))}
      </select>
    </label>
    <label>
      <span>How many requests</span>
      <input name="count" type="number" min="1" step="1" value="1" aria-describedby="count-hint" />
      <span class="note" id="count-hint">Leave it empty for no limit.</span>
    </label>
    <p class="note">It replaces the faults that are set now.</p>`,
  html`<button class="primary" data-send="PUT faults" data-done="The fault is set.">Set the fault</button>`,
)}
${dialog(
  "clock",
  "Move the clock",
  html`<p class="note">
      Due dates follow this clock in runs with VOICEPLANE_TRIAL_CLOCK=1. Rate limits and your machine keep their own
      time.
    </p>
    <div class="steps">
      ${steps.map(
        ([words, advanceMs]) =>
          html`<button
            data-send="PUT clock"
            data-body="${JSON.stringify({ advanceMs })}"
            data-done="The clock was moved ${words} ahead."
          >
            ${words} ahead
          </button>`,
      )}
    </div>`,
  html`<button
    data-send="PUT clock"
    data-body="${JSON.stringify({ offsetMs: 0 })}"
    data-done="The clock shows this machine's time."
  >
    Use this machine's time
  </button>`,
)}
${dialog(
  "reset",
  "Reset the control plane?",
  html`<p>
    This restores the initial state: the initial objects, no retention policies, an empty journal, no faults, and this
    machine's time. All that it has now is lost.
  </p>`,
  html`<button class="danger" data-send="POST reset" data-done="The control plane is reset.">Reset</button>`,
)}`;

/** The dialog has the id `<id>-dialog`, its title `<id>-dialog-title`. */
function dialog(id: string, title: string, content: Html, action: Html): Html {
  return html`<dialog id="${id}-dialog" aria-labelledby="${id}-dialog-title">
    <form method="dialog">
      <h2 id="${id}-dialog-title">${title}</h2>
      ${content}
      <div class="actions">
        <button type="button" data-closes="">Cancel</button>
        ${action}
      </div>
    </form>
  </dialog>`;
}

function option(value: string, words: string): Html {
  return html`<option value="${value}">${words}</option>`;
}
