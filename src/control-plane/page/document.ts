import { html, type Html } from "./html.js";
import { journalRows } from "./journal.js";
import type { View } from "./news.js";
import { organizationParts } from "./organization.js";

/** A rising bar: in the page itself, so that the browser asks for no file. */
const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path fill="#2563a8" d="M1 9h3v6H1zm5-4h3v10H6zm5-4h3v14h-3z"/></svg>',
)}`;

/** The whole page as it is now; complete without the script, which keeps it so. */
export function pageDocument(view: View): string {
  const parts = organizationParts(view.state, view.clock);
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
        <header>
          <h1>voiceplane control plane</h1>
          <p id="about">${parts.about}</p>
          <p id="connection" role="status">As of when it was loaded.</p>
        </header>
        <main>
          <div class="organization">
            ${section("retention", "Retention", parts.retention)} ${section("networks", "Networks", parts.networks)}
            ${section("trunks", "Trunks", parts.trunks)} ${section("webhooks", "Webhooks", parts.webhooks)}
          </div>
          <section class="journal" aria-labelledby="journal-title">
            <h2 id="journal-title">Journal</h2>
            <p id="spoken" class="unseen" aria-live="polite"></p>
            <div id="journal-scroller" tabindex="0" role="group" aria-labelledby="journal-title">
              <table aria-labelledby="journal-title">
                <thead>
                  <tr>
                    <th scope="col">Time (UTC)</th>
                    <th scope="col">Request</th>
                    <th scope="col">Verdict</th>
                  </tr>
                </thead>
                <tbody id="journal-rows">
                  ${journalRows(view.journal, view.state)}
                </tbody>
              </table>
            </div>
          </section>
        </main>
      </body>
    </html> `.text;
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>
    <div id="${id}">${content}</div>
  </section>`;
}
