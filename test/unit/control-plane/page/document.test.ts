import { readFileSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { resolve } from "node:path";
import { Script } from "node:vm";
import { Page } from "../../../../src/control-plane/page/index";
import { Store } from "../../../../src/control-plane/store";
import { openEvents } from "./events";
import { browser, journalText, open, partText, textOf } from "./reading";
import { markupProblems } from "./well-formed";
import { ids, perform, plane, send, sendRaw } from "../plane";

const noon = Date.parse("2026-06-01T12:00:00.000Z");
const day = 86_400_000;
describe("the page", () => {
  test("is for browsers: a client of the interface gets the 404 of any unknown path", async () => {
    const server = await plane();
    expect((await open(server)).status).toBe(200);
    expect((await send(server, "GET", "/")).status).toBe(404);
    expect((await send(server, "POST", "/", undefined, browser)).status).toBe(404);
    expect(server.control.journal().map(({ method, status }) => [method, status])).toEqual([
      ["GET", 404],
      ["POST", 404],
    ]);
  });

  test.each([
    ["/", "text/html; charset=utf-8", "</main>"],
    ["/_control/page.css", "text/css; charset=utf-8", "@media"],
    ["/_control/page.js", "text/javascript; charset=utf-8", "new EventSource("],
  ])(
    "%s is served as %s, with a policy that allows nothing from elsewhere and nothing inline",
    async (path, type, part) => {
      const { status, headers, text } = await send(await plane(), "GET", path, undefined, browser);
      expect([status, text]).toEqual([200, expect.stringContaining(part)]);
      expect(Object.fromEntries(headers)).toMatchObject({
        "content-type": type,
        "content-security-policy":
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; " +
          "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "cache-control": "no-store",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "referrer-policy": "no-referrer",
        "x-content-type-options": "nosniff",
      });
    },
  );

  test("requests nothing but its own two files", async () => {
    const { text } = await open(await plane());
    const addresses = [...text.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address);
    expect(addresses.filter((address) => !address?.startsWith("data:image/svg+xml,"))).toEqual([
      "/_control/page.css",
      "/_control/page.js",
      "#journal-scroller",
      "#organization",
      "#journal-title",
      "#retention-title",
      "#networks-title",
      "#trunks-title",
      "#webhooks-title",
    ]);
  });

  test("is well-formed, empty and full, and escapes text from users", async () => {
    const server = await plane();
    expect(markupProblems((await open(server)).text)).toEqual([]);
    const name = `<img src=x onerror="alert(1)">'&amp;`;
    server.control.seed({
      trunks: [{ id: "</td>", name }],
      networkPolicies: [{ id: ids.office, name, source_cidr: "192.0.2.0/24" }],
    });
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name, source_cidr: name });
    await sendRaw(server, "GET", "/<b>", {});
    server.control.advanceClock(day);
    server.control.setFaults([{ operation: "*", effect: "hang", count: 1 }]);
    const { text } = await open(server);
    expect(markupProblems(text)).toEqual([]);
    expect(textOf(text)).toContain(name);
    expect(await journalText(server)).toContainEqual(expect.stringContaining("GET /<b>"));
  });

  test("has a script that a browser can read", async () => {
    const { text } = await send(await plane(), "GET", "/_control/page.js", undefined, browser);
    expect(text).toBe(readFileSync(resolve(__dirname, "../../../../src/control-plane/page/page.js"), "utf8"));
    expect(text).toContain("getElementById");
    expect(() => new Script(text)).not.toThrow();
  });

  test("shows neither tokens nor secrets, wherever they appear in the data", async () => {
    const server = await plane();
    server.control.seed({
      webhooks: [{ id: ids.webhook, url: "https://user:pass-1@crm.example.com/in?key=key-1#key-2" }],
    });
    const events = await openEvents(server.url);
    await send(server, "PATCH", "/v1/network-policies/vp_dev_full", { name: "vp_dev_full", signing_secret: "whsec-1" });
    const { json } = await perform(server, "rotateWebhookSecret");
    const { signing_secret } = (json as { data: { signing_secret: string } }).data;
    const digest = server.control.state().webhooks[0]?.signing_secret_sha256;
    const { text } = await open(server);
    await server.close();
    // The instructions before the first request are the only place that shows a development token.
    const [start = ""] = /<div id="start">.*?<\/div>\s*<p/s.exec(text) ?? [];
    expect(start).toContain("export VOICEPLANE_TOKEN=vp_dev_full");
    const shown = text.replace(start, "") + JSON.stringify(await events.rest());
    expect(shown).toContain("https://crm.example.com/in?…");
    for (const secret of ["vp_dev", "pass-1", "key-1", "key-2", "whsec-1", signing_secret, digest ?? "no digest"]) {
      expect(shown).not.toContain(secret);
    }
  });
});

describe("the organization as it is now", () => {
  test("retention bars share one scale, and unset and disabled policies are labelled", async () => {
    const server = await plane();
    expect(await partText(server, "retention")).toContain(
      "Recordings not set Conversations not set Audit events not set",
    );
    server.control.seed({
      retentionPolicies: [
        { resource: "recordings", retention_days: 90, enabled: true },
        { resource: "audit_events", retention_days: 1, enabled: false },
      ],
    });
    expect(await partText(server, "retention")).toBe(
      "Days kept As a bar on a square-root scale from 0 to 3,650 days 0 90 365 1,095 2,190 3,650 " +
        "Recordings 90 days Conversations not set Audit events 1 day, disabled",
    );
    expect(await partText(server, "retention-count")).toBe("2 of 3 set");
    const { text } = await open(server);
    expect(text.match(/<rect[^>]*>/g)?.map((rect) => rect.replace(/\s+/g, " "))).toEqual([
      '<rect class="enabled" width="15.7%" y="25%" height="50%" rx="2" />',
      '<rect class="disabled" width="1.66%" y="25%" height="50%" rx="2" />',
    ]);
  });

  test.each([
    [1, "1.66%"],
    [30, "9.07%"],
    [90, "15.7%"],
    [365, "31.62%"],
    [2555, "83.67%"],
    [3650, "100%"],
  ])("a bar for %d days is %s of the scale, and ends at the line of its label", async (retention_days, width) => {
    const server = await plane();
    server.control.seed({ retentionPolicies: [{ resource: "recordings", retention_days, enabled: true }] });
    const { text } = await open(server);
    expect(/<rect\s+class="enabled"\s+width="([^"]*)"/.exec(text)?.[1]).toBe(width);
    const labels = [...text.matchAll(/<text x="([^"]*)"[^>]*>([^<]*)</g)].map(([, x, days]) => `${days} at ${x}`);
    expect(labels).toEqual([
      ...["0 at 0%", "90 at 15.7%", "365 at 31.62%"],
      ...["1,095 at 54.77%", "2,190 at 77.46%", "3,650 at 100%"],
    ]);
  });

  test("networks, trunks and webhooks have names, ids and a status", async () => {
    const server = await plane({ now: () => noon });
    server.control.seed({
      networkPolicies: [
        { id: ids.office, name: "Office", source_cidr: "2001:db8::/32", action: "deny", status: "disabled" },
      ],
      remove: [
        "a0000000-0000-4000-8000-000000000002",
        "b0000000-0000-4000-8000-000000000002",
        "b0000000-0000-4000-8000-000000000003",
        "c0000000-0000-4000-8000-000000000002",
      ],
    });
    expect(await partText(server, "networks")).toBe(
      `Policy Range Id Office 2001:db8::/32 denied, disabled ${ids.office}`,
    );
    expect(await partText(server, "networks-note")).toBe(
      "Not enforced: no address is set for callers on this machine.",
    );
    expect(await partText(server, "trunks")).toBe(`Trunk Outbound authentication Id Carrier A set ${ids.trunk}`);
    expect(await partText(server, "webhooks")).toBe(
      "Webhook Age of the secret Id " +
        `https://crm.example.com/voice 151 days created 2026-01-01 ${ids.webhook} ` +
        "https://retired.example.com/voice 92 days created 2026-03-01 disabled c0000000-0000-4000-8000-000000000003",
    );
    const counts = ["networks-count", "trunks-count", "webhooks-count"].map((id) => partText(server, id));
    expect(await Promise.all(counts)).toEqual(["1", "1", "2"]);
  });

  test("an empty organization shows None, and missing rights and limits are noted", async () => {
    const server = await plane();
    const { networkPolicies, trunks, webhooks } = server.control.state();
    server.control.seed({
      organization: {
        callerAddress: "203.0.113.7",
        entitlements: { retentionPolicies: false, privateNetworking: false },
        retentionPlan: { maxDays: 365, available: false },
      },
      remove: [...networkPolicies, ...trunks, ...webhooks].map(({ id }) => id),
    });
    expect([await partText(server, "trunks"), await partText(server, "trunks-count")]).toEqual(["None", "0"]);
    expect(await partText(server, "networks-note")).toContain(
      "Enforced: callers on this machine count as 203.0.113.7. The organization lacks the entitlement",
    );
    expect(await partText(server, "retention-note")).toBe(
      "The plan keeps data for at most 365 days. The plan service is unavailable: changes answer 503. " +
        "The organization lacks the entitlement: changes answer 403.",
    );
  });

  test("a secret's age counts from its last rotation, by the control plane's clock", async () => {
    const server = await plane({ now: () => noon });
    const age = async () => /voice (.*?) c0000000-/.exec(await partText(server, "webhooks"))?.[1];
    await perform(server, "rotateWebhookSecret");
    expect(await age()).toBe("less than a minute rotated 2026-06-01");
    server.control.advanceClock(59 * 60_000);
    expect(await age()).toBe("59 minutes rotated 2026-06-01");
    server.control.advanceClock(60_000);
    expect(await age()).toBe("1 hour rotated 2026-06-01");
    server.control.advanceClock(90 * day);
    expect(await age()).toBe("90 days rotated 2026-06-01");
    server.control.setClock("2026-05-01T00:00:00Z");
    expect(await age()).toBe("rotated 2026-06-01");
  });
});

describe("the page is for this machine alone", () => {
  const paths = ["/", "/_control/page.css", "/_control/page.js", "/_control/events"];

  test.each(
    paths.flatMap((path) => [
      [path, { Host: "rebound.example.com" }],
      [path, { Host: "127.0.0.1", Origin: "https://example.com" }],
      [path, { Host: "127.0.0.1", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" }],
      [path, { Host: "127.0.0.1", "Sec-Fetch-Site": "same-site", "Sec-Fetch-Mode": "cors" }],
    ]) as [string, Record<string, string>][],
  )("%s is refused to a web page with %j", async (path, headers) => {
    const { status, text } = await sendRaw(await plane(), "GET", path, { ...browser, ...headers });
    expect([status, text]).toEqual([403, expect.stringMatching(/^the admin API accepts .*\n$/)]);
  });

  test("a link on another site opens the page, and nothing else", async () => {
    const server = await plane();
    const link = { ...browser, Host: "127.0.0.1", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate" };
    expect((await sendRaw(server, "GET", "/", link)).status).toBe(200);
    expect((await sendRaw(server, "GET", "/_control/events", link)).status).toBe(403);
    expect((await sendRaw(server, "GET", "/_control/state", link)).status).toBe(403);
  });

  test.each(paths)("%s is refused to another machine", async (path) => {
    const { control } = await plane();
    const store = new Store();
    const page = new Page({ store, control, onProblem: () => undefined, closing: new AbortController().signal });
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    const headers = { host: "localhost:4010", accept: "text/html" };
    expect(page.answer({ method: "GET", path, body: "", peer: "192.0.2.1", headers }, response)).toBe(true);
    expect(response.statusCode).toBe(403);
    store.close();
  });
});
