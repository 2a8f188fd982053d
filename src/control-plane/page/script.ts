import { journalLength } from "./journal.js";

/**
 * What runs in the browser. The server sends markup that is ready to show, so all that is left is to put it in its place;
 * the browser's EventSource connects again by itself.
 */
export const script = /* javascript */ `"use strict";
const journal = document.getElementById("journal-rows");
const spoken = document.getElementById("spoken");
const connection = document.getElementById("connection");
const source = new EventSource("/_control/events");

function on(name, act) {
  source.addEventListener(name, (event) => act(JSON.parse(event.data)));
}

on("parts", (parts) => {
  for (const [id, markup] of Object.entries(parts)) document.getElementById(id).innerHTML = markup;
});

on("journal", ({ rows }) => {
  journal.innerHTML = rows;
});

on("requests", ({ rows, spoken: sentence }) => {
  const before = journal.firstElementChild;
  before.insertAdjacentHTML("beforebegin", rows);
  for (let row = before.previousElementSibling; row; row = row.previousElementSibling) row.classList.add("fresh");
  while (journal.rows.length > ${journalLength + 1}) journal.deleteRow(${journalLength});
  spoken.textContent = sentence;
});

function tell(live, text) {
  connection.classList.toggle("live", live);
  connection.textContent = text;
}

source.addEventListener("open", () => tell(true, "Live"));
source.addEventListener("error", () => {
  const givenUp = source.readyState === EventSource.CLOSED;
  tell(false, givenUp ? "Not connected. Reload the page." : "Connection lost, trying again.");
});
`;
