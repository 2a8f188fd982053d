"use strict";

/*
 * What runs in the browser. The server sends markup that is ready to show; this puts it in its place, shortens and filters the
 * lists, and sends what the buttons say.
 */

const byId = (id) => document.getElementById(id);

/** To screen readers. */
function announce(text) {
  byId("announcement").textContent = text;
}

/*
 * Lists are the sections with data-rows, which says how many rows show at first. A row matches where each word of the filter is
 * in its text, or is one of its ids: any few letters are in some id.
 */

const step = 50;
const filter = byId("filter");
const lists = [...document.querySelectorAll("[data-rows]")].map((section) => ({
  section,
  first: Number(section.dataset.rows),
  limit: Number(section.dataset.rows),
}));

function arrange(list) {
  const { section, first, limit } = list;
  const part = (selector) => section.querySelector(selector);
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = [...section.querySelectorAll("tbody tr")];
  const fitting = rows.filter((row) => {
    const { text, ids } = wordsOf(row);
    return words.every((word) => text.includes(word) || ids.includes(word));
  });
  const shown = new Set(fitting.slice(0, limit));
  for (const row of rows) row.hidden = !shown.has(row);
  showDaysOnce(shown);

  const filtered = words.length > 0;
  part(".count").hidden = filtered;
  part(".matches").hidden = !filtered;
  part(".matches").textContent = fitting.length + " of " + rows.length + " match";
  if (rows.length > 0) part("table").hidden = fitting.length === 0;
  const more = part(".more");
  const left = fitting.length - limit;
  more.hidden = fitting.length <= first;
  more.textContent = left > 0 ? "Show " + Math.min(left, step) + " more" : "Show fewer";
  return fitting.length;
}

function wordsOf(row) {
  const copy = row.cloneNode(true);
  const ids = [...copy.querySelectorAll(".id")].map((id) => id.textContent.toLowerCase());
  for (const id of copy.querySelectorAll(".id")) id.remove();
  return { text: copy.textContent.toLowerCase(), ids };
}

/** Of the requests of one day, only the first shows the date. */
function showDaysOnce(rows) {
  let above;
  for (const row of rows) {
    const date = row.querySelector(".date");
    if (date === null) return;
    date.hidden = date.textContent === above;
    above = date.textContent;
  }
}

function arrangeAll() {
  const fitting = lists.reduce((sum, list) => sum + arrange(list), 0);
  byId("no-match").hidden = fitting > 0 || filter.value.trim() === "";
  return fitting;
}

for (const list of lists) {
  const more = list.section.querySelector(".more");
  more.addEventListener("click", () => {
    const fewer = more.textContent === "Show fewer";
    list.limit = fewer ? list.first : list.limit + step;
    arrange(list);
    if (fewer) more.scrollIntoView({ block: "nearest" });
  });
}

function applyFilter() {
  for (const list of lists) list.limit = list.first;
  const fitting = arrangeAll();
  announce(filter.value.trim() === "" ? "" : fitting + (fitting === 1 ? " row matches." : " rows match."));
}
filter.addEventListener("input", applyFilter);
byId("clear-filter").addEventListener("click", () => {
  filter.value = "";
  applyFilter();
  filter.focus();
});
// A browser that goes back to the page fills the field in again.
addEventListener("pageshow", arrangeAll);
arrangeAll();

/* Live updates. The browser's EventSource connects again by itself. */

const journal = byId("journal-rows");
const connection = byId("connection");
const source = new EventSource("/_control/events");

/** Replaces the content of an element. A button in it that has the focus keeps it. */
function fill(element, markup) {
  const at = element.contains(document.activeElement) ? document.activeElement.dataset : {};
  element.innerHTML = markup;
  const same = (button) => button.dataset.copy === at.copy && button.dataset.send === at.send;
  if (at.copy || at.send) [...element.querySelectorAll("button")].find(same)?.focus();
}

function on(name, act) {
  source.addEventListener(name, (event) => {
    act(JSON.parse(event.data));
    arrangeAll();
  });
}

on("parts", (parts) => {
  for (const [id, markup] of Object.entries(parts)) fill(byId(id), markup);
});

on("journal", ({ rows }) => fill(journal, rows));

on("requests", ({ rows, announcement }) => {
  const before = journal.firstElementChild;
  journal.insertAdjacentHTML("afterbegin", rows);
  for (const row of journal.rows) {
    if (row === before) break;
    row.classList.add("fresh");
  }
  const longest = Number(journal.dataset.longest);
  while (journal.rows.length > longest) journal.deleteRow(longest);
  announce(announcement);
});

function showConnection(connected, text) {
  connection.classList.toggle("live", connected);
  connection.textContent = text;
  // What is shown may be old, and no button could do anything.
  document.body.classList.toggle("away", !connected);
  for (const button of document.querySelectorAll("[data-send], [data-opens]")) button.disabled = !connected;
}

source.addEventListener("open", () => showConnection(true, "Live"));
source.addEventListener("error", () => {
  const givenUp = source.readyState === EventSource.CLOSED;
  showConnection(false, givenUp ? "Not connected. Reload the page." : "Connection lost, trying again.");
});

/*
 * Buttons say by their attributes what they do:
 *
 * - data-copy: this text goes to the clipboard
 * - data-opens: the dialog of this name opens; data-closes: the own one closes
 * - data-send: this method and route of the admin, with data-body, or with the fault of the form that the button is in
 *
 * Then data-done is announced, and data-then is the button that gets the focus, where the own one may go.
 */

const trouble = byId("trouble");

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
  } catch {
    trouble.textContent = "The browser does not let this page copy.";
    return;
  }
  button.classList.add("copied");
  announce("Copied.");
  setTimeout(() => button.classList.remove("copied"), 2000);
}

function faultOf(form) {
  const { operation, effect, count } = form.elements;
  const limit = count.value === "" ? {} : { count: Number(count.value) };
  return JSON.stringify([{ operation: operation.value, ...JSON.parse(effect.value), ...limit }]);
}

async function send(button) {
  const { send, body, done, then } = button.dataset;
  const [method, route] = send.split(" ");
  trouble.textContent = "";
  try {
    const response = await fetch("/_control/" + route, {
      method,
      headers: { "Content-Type": "application/json" },
      body: method === "POST" ? undefined : (body ?? faultOf(button.form)),
    });
    if (!response.ok) trouble.textContent = (await response.json()).error;
  } catch {
    trouble.textContent = "The control plane does not answer.";
  }
  if (trouble.textContent === "") announce(done ?? "Done.");
  byId(then)?.focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button === null) return;
  if (button.dataset.copy) void copy(button);
  if (button.dataset.opens) byId(button.dataset.opens + "-dialog").showModal();
  if (button.dataset.closes !== undefined) button.closest("dialog").close();
  // A form's button sends once the browser has found nothing wrong in the form.
  if (button.dataset.send && button.form === null) void send(button);
});

document.addEventListener("submit", ({ submitter }) => {
  if (submitter.dataset.send) void send(submitter);
});
