/** The fleet on one page: read-only, without scripts, and with nothing from elsewhere. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { outcomes, shown, type Facts, type Night } from "./facts.ts";

const style = readFileSync(new URL("page.css", import.meta.url), "utf8");

export const headers = {
  "Content-Type": "text/html; charset=utf-8",
  "Content-Security-Policy": `default-src 'none'; style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "Cache-Control": "no-store",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** Escaped markup. Only safe() makes it, so that no text of a server or a file becomes markup. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}
type Part = Html | readonly Html[] | string | number;

function safe(markup: TemplateStringsArray, ...parts: Part[]): Html {
  const render = (part: Part): string => {
    if (part instanceof Html) return part.text;
    if (typeof part === "object") return part.map(render).join("");
    return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
  };
  return new Html(String.raw({ raw: markup }, ...parts.map(render)));
}

const number = (value: number): string => value.toLocaleString("en-US");
const time = (at: Date): Html =>
  safe`<time datetime="${at.toISOString()}">${at.toISOString().slice(0, 16).replace("T", " ")}</time>`;

/** Each outcome that there is can be seen, also one in ten thousand. */
function bar(night: Night): Html {
  const least = outcomes.reduce((sum, outcome) => sum + night[outcome], 0) / 100;
  const widths = outcomes.map((outcome) => (night[outcome] === 0 ? 0 : night[outcome] + least));
  const total = widths.reduce((sum, width) => sum + width, 0);
  let place = 0;
  const parts = outcomes.map((outcome, index) => {
    const [x, width] = [place, ((widths[index] ?? 0) / total) * 100];
    place += width;
    return safe`<rect class="${outcome}" x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="1" />`;
  });
  return safe`<svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none">${parts}</svg>`;
}

const row = (head: Part, ...cell: Part[]): Html =>
  safe`<tr><th scope="row">${head}</th><td>${cell.map((part) => safe`${part}`)}</td></tr>\n`;

function nightRow(night: Night): Html {
  const counts = outcomes.filter((outcome) => night[outcome] > 0).map((each) => `${number(night[each])} ${each}`);
  const text = [...counts, `${number(night.rotations)} ${night.rotations === 1 ? "rotation" : "rotations"}`].join(", ");
  const decisions = night.decisions.map((line) => safe`<p>${line}</p>`);
  return row(safe`${time(night.startedAt)}<p>${night.version ?? ""}</p>`, text, bar(night), decisions);
}

/** Organizations with the same reason are one row. */
function whose({ count, names }: { readonly count: number; readonly names: readonly string[] }): string {
  const more = count > names.length ? `, and ${number(count - names.length)} more` : "";
  return names.join(", ") + more;
}

function problemRow(problem: Facts["problems"][number]): Html {
  const { outcome, due, reason, log, worker, finishedAt, names } = problem;
  const failed = safe`<strong>failed</strong> ${time(finishedAt)}<p>${reason ?? ""}</p>`;
  const state = outcome === "failed" ? failed : safe`<strong>overdue</strong> since ${due ?? ""}`;
  const where = log === null ? "" : safe`<p>Log of ${names[0] ?? ""}: <code>${log}</code> on ${worker ?? ""}</p>`;
  return row(whose(problem), state, where);
}

function heldRow(held: Facts["held"][number]): Html {
  const flags = held.risks.map((risk) => ` --risk ${risk.replaceAll(" ", "-")}`).join("");
  const command = safe`<p>To let it go: <code>npm run release -- ${held.night}${flags}</code></p>`;
  return row(whose(held), safe`<p>${held.reason ?? ""}</p>`, held.risks.length === 0 ? "" : command);
}

const dueRow = (due: Facts["due"][number]): Html => row(due.day, `${number(due.count)}: ${whose(due)}`);

function section(name: string, about: string, columns: readonly [string, string], rows: readonly Html[]): Html {
  const id = name.toLowerCase().replaceAll(" ", "-");
  const head = columns.map((column) => safe`<th scope="col">${column}</th>`);
  const table = safe`<table aria-labelledby="${id}"><thead><tr>${head}</tr></thead><tbody>\n${rows}</tbody></table>`;
  return safe`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2><p>${about}</p>${rows.length > 0 ? table : safe`<p>None.</p>`}</section>`;
}

const sumOf = (groups: readonly { readonly count: number }[]): string =>
  number(groups.reduce((sum, { count }) => sum + count, 0)) + (groups.length < shown.rows ? "" : " or more");

export function fleetPage({ organizations, now, nights, problems, held, due, again }: Facts): string {
  const key = outcomes.map(
    (outcome) =>
      safe`<span><svg aria-hidden="true"><rect class="${outcome}" width="11" height="11" /></svg> ${outcome}</span> `,
  );
  const sections = [
    section(
      "Needs attention",
      `${sumOf(problems)} failed in their last run, or have a due date in the past.`,
      ["Organizations", "What"],
      problems.map(problemRow),
    ),
    section(
      "Held",
      `${sumOf(held)} wait for a person: nothing of this was sent.`,
      ["Organizations", "What would be done"],
      held.map(heldRow),
    ),
    section("Nights", "The newest nights, with their files.", ["Night", "Organizations"], nights.map(nightRow)),
    safe`<p class="key">${key}</p>`,
    section(
      "Due dates",
      `In the next ${shown.days} days: rotations, and settings that are sent again.`,
      ["Day", "Organizations"],
      due.map(dueRow),
    ),
    section(
      "Rotated again",
      "Secrets that were rotated once more than declared, in the nights above.",
      ["Organization", "Why"],
      again.map(({ organization, startedAt, why }) =>
        row(safe`${organization}<p>${time(startedAt)}</p>`, why.join("; ")),
      ),
    ),
  ];
  return safe`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Fleet</title>
<style>${new Html(style)}</style></head>
<body><header><h1>Fleet</h1><p>${number(organizations)} organizations, as of ${time(now)} UTC</p></header><main>${sections}</main></body></html>\n`
    .text;
}
