import { tokens } from "../access.js";
import { dialogs, toolbar } from "./controls.js";
import { copyButton, html, type Html } from "./html.js";
import { journalLength, requestRows } from "./journal.js";
import { pageParts, type PartName, type View } from "./live-updates.js";

/** A bar chart, inlined so that the browser requests no file. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563a8" d="M1 9h3v6H1zm5-4h3v10H6zm5-4h3v14h-3z"/></svg>',
)}`;

/** The number of rows that each list shows first. */
const firstRows = { journal: 10, organization: 6 } as const;

/** For a phone, where one section is below the other. */
const sectionTitles = {
  journal: "Journal",
  retention: "Retention",
  networks: "Networks",
  trunks: "Trunks",
  webhooks: "Webhooks",
} as const;

/** The whole page. It is complete without the script. `baseUrl` is the address that the browser requested. */
export function pageDocument(view: View, baseUrl: string): string {
  const parts = pageParts(view);
  const part = (id: PartName): Html => html`<div id="${id}">${parts[id]}</div>`;
  const note = (id: "journal-note" | "retention-note" | "networks-note"): Html =>
    html`<p id="${id}" class="note">${parts[id]}</p>`;
  const section = (id: "retention" | "networks" | "trunks" | "webhooks", note?: Html): Html =>
    html`<section aria-labelledby="${id}-title" data-rows="${firstRows.organization}">
      ${heading(id, parts[`${id}-count`])} ${part(id)} ${listEnd(id)} ${note}
    </section>`;

  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>voiceplane control plane</title>
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="/_control/page.css" />
        <script src="/_control/page.js" defer></script>
      </head>
      <body>
        <a class="skip unseen" href="#journal-scroller">Skip to the journal</a>
        <a class="skip unseen" href="#organization">Skip to the organization</a>
        <header>
          <div class="title">
            <h1>voiceplane control plane</h1>
            <p id="connection" role="status">Not live. Reload the page to update it.</p>
          </div>
          <div id="about">${parts.about}</div>
          ${toolbar}
          <p id="trouble" role="alert"></p>
          ${part("conditions")}
        </header>
        <div id="no-match" hidden="">
          <p>Nothing matches the filter.</p>
          <button type="button" id="clear-filter">Clear the filter</button>
        </div>
        <main>
          <section class="journal" aria-labelledby="journal-title" data-rows="${firstRows.journal}">
            ${heading("journal", parts["journal-count"])}
            <p id="announcement" class="unseen" aria-live="polite"></p>
            <div id="journal-scroller" tabindex="0" role="group" aria-labelledby="journal-title">
              <table aria-labelledby="journal-title">
                <thead>
                  <tr>
                    <th scope="col">Time (UTC)</th>
                    <th scope="col">Request</th>
                    <th scope="col">Verdict</th>
                  </tr>
                </thead>
                <tbody id="journal-rows" data-longest="${journalLength}">
                  ${requestRows(view.journal, view.state)}
                </tbody>
              </table>
              ${start(baseUrl)} ${listEnd("journal")} ${note("journal-note")}
            </div>
          </section>
          <div id="organization" class="organization" tabindex="-1">
            ${section("retention", note("retention-note"))} ${section("networks", note("networks-note"))}
            ${section("trunks")} ${section("webhooks")}
          </div>
        </main>
        <nav class="sections" aria-label="Sections">
          ${Object.entries(sectionTitles).map(([id, title]) => html`<a href="#${id}-title">${title}</a> `)}
        </nav>
        ${dialogs}
      </body>
    </html> `.text;
}

function heading(id: keyof typeof sectionTitles, count: Html): Html {
  return html`<div class="heading">
    <h2 id="${id}-title">${sectionTitles[id]}</h2>
    <p id="${id}-count" class="count">${count}</p>
    <p class="matches count" hidden=""></p>
  </div>`;
}

/** A button that the script shows for a shortened list. */
function listEnd(id: string): Html {
  return html`<button type="button" class="more" aria-describedby="${id}-title" hidden=""></button>`;
}

/** Instructions for an empty journal. The style sheet hides them after the first request. */
function start(baseUrl: string): Html {
  const lines = `export VOICEPLANE_BASE_URL=${baseUrl}\nexport VOICEPLANE_TOKEN=${tokens.full}\n`;
  return html`<div id="start">
    <p>No requests yet. They appear here as they arrive.</p>
    <p>To send some from a stack or a program:</p>
    <div class="lines">
      <pre><code>${lines}</code></pre>
      ${copyButton(lines, "both lines")}
    </div>
    <p class="note">This token has all rights, and is the same on every machine.</p>
  </div>`;
}
