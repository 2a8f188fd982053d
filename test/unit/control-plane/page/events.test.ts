import { ids, perform, plane, send } from "../plane";
import { openEvents } from "./events";
import { textOf } from "./reading";
import { markupProblems } from "./well-formed";

const noon = Date.parse("2026-06-01T12:00:00.000Z");
const day = 86_400_000;

test("a page receives everything first, then each change", async () => {
  const server = await plane({ now: () => noon });
  const events = await openEvents(server.url);
  expect([events.response.status, events.response.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
  expect(events.response.headers.get("Cache-Control")).toBe("no-store");

  const first = await events.next();
  expect([first.name, Object.keys(first.data)]).toEqual([
    "parts",
    [
      ...["conditions", "journal-count", "journal-note", "about"],
      ...["retention", "retention-count", "retention-note", "networks", "networks-count", "networks-note"],
      ...["trunks", "trunks-count", "webhooks", "webhooks-count"],
    ],
  ]);
  expect(await events.next()).toEqual({
    name: "journal",
    data: { rows: "" },
  });

  await perform(server, "clearTrunkOutboundAuth");
  const parts = await events.next();
  expect([parts.name, Object.keys(parts.data)]).toEqual(["parts", ["journal-count", "trunks"]]);
  expect(textOf(parts.data.trunks ?? "")).toContain(`Carrier A cleared ${ids.trunk}`);
  const requests = await events.next();
  expect(requests).toEqual({
    name: "requests",
    data: { rows: expect.any(String) as string, announcement: "Clear outbound authentication: committed, 204" },
  });
  expect(markupProblems(`<table>${requests.data.rows ?? ""}</table>`)).toEqual([]);
  await events.close();
});

test("a change through the admin API is sent too, over HTTP and in the process", async () => {
  const server = await plane();
  const events = await openEvents(server.url);
  await events.next();
  await events.next();
  server.control.seed({ retentionPolicies: [{ resource: "recordings", retention_days: 7, enabled: true }] });
  expect(Object.keys((await events.next()).data)).toEqual(["retention", "retention-count"]);
  await send(server, "PUT", "/_control/clock", { advanceMs: 90 * day });
  expect(Object.keys((await events.next()).data)).toEqual(["conditions", "webhooks"]);
  await events.close();
});

test("after the journal is emptied, it is sent as a whole, although its numbers restart", async () => {
  const server = await plane();
  await perform(server, "listWebhooks");
  const events = await openEvents(server.url);
  await events.next();
  await events.next();
  server.control.clearJournal();
  await perform(server, "rotateWebhookSecret");
  expect((await events.next()).name).toBe("parts");
  const journal = await events.next();
  expect(journal.name).toBe("journal");
  expect(journal.data.rows?.match(/class="verdict/g)).toHaveLength(1);
  await events.close();
});

test("a closing control plane ends the streams at once, without cutting them", async () => {
  const server = await plane();
  const events = await openEvents(server.url);
  await server.close();
  expect((await events.rest()).map(({ name }) => name)).toEqual(["parts", "journal"]);
});
