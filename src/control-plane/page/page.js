"use strict";

/* Shows what the admin answers. Every text is set as text, never as markup: names and paths come from others. */

const byId = (id) => document.getElementById(id);

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  made.className = className;
  made.append(...children);
  return made;
}

const instant = (iso) => iso.slice(0, 19).replace("T", " ");
const ask = async (route) => (await fetch("/_control/" + route)).json();

function journalRow({ time, method, path, status, token, body, committed, refusal, fault, requestId }) {
  const outcome = committed ? "committed" : fault !== null ? "not carried out" : status < 300 ? "read" : "refused";
  const notes = [refusal, fault && "fault: " + fault, body && JSON.stringify(body)].filter(Boolean);
  return element(
    "li",
    fault === null ? outcome : "fault",
    element("time", "", instant(time)),
    element("strong", "", (status ?? "no answer") + " · " + outcome),
    element("code", "request", method + " " + path),
    ...notes.map((note) => element("code", "", note)),
    element("small", "", "token: " + (token ?? "none known") + ", request " + requestId),
  );
}

const quiet = ["organization_id", "created_at"];

const membersText = (members) =>
  Object.entries(members)
    .filter(([key]) => !quiet.includes(key))
    .map(([key, value]) => key + ": " + (typeof value === "string" ? value : JSON.stringify(value)))
    .join(", ");

/** Each object with its name, its id and its other members. */
function showSettings(state) {
  const lists = Object.entries(state).map(([collection, objects]) => {
    const shown = objects.flatMap(({ id, name, resource, url, ...others }) => [
      element("dt", "", name ?? resource ?? url),
      element("dd", "", membersText(others), " ", element("small", "", id ?? "")),
    ]);
    return [element("h3", "", collection), shown.length === 0 ? "None" : element("dl", "", ...shown)];
  });
  byId("settings").replaceChildren(...lists.flat());
}

function showConditions(clock, faults) {
  const moved = clock.offsetMs === 0 ? [] : ["The clock is moved: it is " + instant(clock.now) + " UTC."];
  const texts = [...moved, ...faults.map((fault) => "A fault is set: " + JSON.stringify(fault))];
  byId("conditions").replaceChildren(...texts.map((text) => element("li", "", text)));
}

/** A row stays if it has each word of the filter. */
function applyFilter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...byId("journal").children];
  for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  byId("count").textContent = rows.filter((row) => !row.hidden).length + " of " + rows.length;
}

/** Once a second. What has not changed stays as it is, so that a selection does too. */
let shown = "";
async function refresh() {
  const answers = await Promise.all(["state", "journal", "faults", "clock"].map(ask));
  byId("live").textContent = "Live";
  const [state, journal, faults, clock] = answers;
  const text = JSON.stringify([state, journal.at(-1), journal.length, faults, clock.offsetMs]);
  if (text === shown) return;
  shown = text;
  showSettings(state);
  showConditions(clock, faults);
  byId("journal").replaceChildren(...journal.slice(-500).reverse().map(journalRow));
  applyFilter();
}

function keepLive() {
  const lost = () => (byId("live").textContent = "Not live: the control plane does not answer");
  void refresh()
    .catch(lost)
    .finally(() => setTimeout(keepLive, 1000));
}

byId("filter").addEventListener("input", applyFilter);
keepLive();
