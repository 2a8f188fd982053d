import { journalLength } from "../journal.js";

/** Puts what the server tells in its place. The browser's EventSource connects again by itself. */
export const live = /* javascript */ `
const journal = byId("journal-rows");
const connection = byId("connection");
const source = new EventSource("/_control/events");

/** Replaces what is in an element; whoever is at one of its buttons stays there. */
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
  while (journal.rows.length > ${journalLength}) journal.deleteRow(${journalLength});
  announce(announcement);
});

function tell(connected, text) {
  connection.classList.toggle("live", connected);
  connection.textContent = text;
}

source.addEventListener("open", () => tell(true, "Live"));
source.addEventListener("error", () => {
  const givenUp = source.readyState === EventSource.CLOSED;
  tell(false, givenUp ? "Not connected. Reload the page." : "Connection lost, trying again.");
});
`;
