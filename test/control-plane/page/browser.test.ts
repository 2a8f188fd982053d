import { ids, perform, plane, send } from "../plane";
import { poorContrasts } from "./contrast";
import { inBrowser, journalRows } from "./in-browser";

jest.setTimeout(60_000);

inBrowser("in a browser", ({ open }) => {
  test("requests appear at the top as they arrive, the organization follows, and both are announced", async () => {
    const server = await plane();
    const page = await open(server);
    await page.getByText("No request yet. They appear here as they come.").waitFor();
    await perform(server, "putRetentionPolicy");
    await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");

    await page.getByRole("row", { name: "Clear outbound authentication · Carrier A" }).waitFor();
    expect((await journalRows(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
      expect.stringMatching(
        /Clear outbound authentication · Carrier A credential scope required: trunks:write DELETE .* refused 403$/,
      ),
      expect.stringMatching(/Retention · recordings · 30 days PUT .* committed 200$/),
    ]);
    expect(await page.getByText("No request yet.").isVisible()).toBe(false);
    expect(await page.getByRole("row", { name: "Recordings" }).first().innerText()).toContain("30 days");
    expect(await page.locator("[aria-live=polite]").textContent()).toContain(
      "Clear outbound authentication: refused, 403, credential scope required: trunks:write",
    );
  });

  test("the journal stays at a hundred rows, however long the page is open", async () => {
    const server = await plane();
    server.control.seed({ organization: { rateLimits: null } });
    const page = await open(server);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 45 }, () => perform(server, "listWebhooks")));
    }
    await perform(server, "rotateWebhookSecret");
    await page.getByRole("row", { name: "Rotate signing secret" }).waitFor();
    expect(await page.locator("#journal-rows tr").count()).toBe(100);
    expect(await page.locator("#journal-count").innerText()).toBe("136");
  });

  test("a page reconnects when its control plane restarts", async () => {
    const server = await plane();
    const page = await open(server);
    // The browser logs an error for each failed connection.
    page.removeAllListeners("console");
    await server.close();
    await page.getByText("Connection lost, trying again.").waitFor();
    const again = await plane({ port: Number(new URL(server.url).port) });
    again.control.seed({ trunks: [{ id: ids.trunk, name: "Carrier Z" }] });
    await page.getByRole("rowheader", { name: "Carrier Z" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("markup in names stays text, also in updates", async () => {
    const server = await plane();
    const page = await open(server);
    const name = "<img src=x onerror=alert(1)>";
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name });
    await page.getByRole("rowheader", { name }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });

  test("without scripts the page is complete, and shows no button that does nothing", async () => {
    const server = await plane();
    server.control.seed({ trunks: Array.from({ length: 20 }, (_, n) => ({ id: `trunk-${n}`, name: `Trunk ${n}` })) });
    server.control.advanceClock(86_400_000);
    await perform(server, "listWebhooks");
    const page = await open(server, { javaScriptEnabled: false });
    expect(await page.getByRole("status").innerText()).toBe("As of when it was loaded.");
    expect(await page.getByRole("row", { name: "List webhooks" }).count()).toBe(1);
    expect(await page.locator("#trunks tbody tr:visible").count()).toBe(23);
    await page.getByText("The clock is at").waitFor();
    expect(await page.locator("button:visible, input:visible").count()).toBe(0);
  });

  test("landmarks, headings and tables have names, and bars have text", async () => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    const page = await open(server);
    const outline = await page.locator("body").ariaSnapshot();
    for (const line of [
      "- banner:",
      '- heading "voiceplane control plane" [level=1]',
      "- status: Live",
      "- main:",
      ...["Retention", "Networks", "Trunks", "Webhooks", "Journal"].flatMap((name) => [
        `- region "${name}":`,
        `- heading "${name}" [level=2]`,
        `- table "${name}":`,
      ]),
      '- rowheader "Recordings 30 days"',
      '- rowheader "Carrier A"',
      '- button "Copy the id of Carrier A"',
      '- searchbox "Filter"',
      '- columnheader "Age of the secret"',
      '- columnheader "Verdict"',
    ]) {
      expect(outline).toContain(line);
    }
  });

  test("on a phone, rows still belong to tables and cells to their rows", async () => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    const page = await open(server, { viewport: { width: 390, height: 800 } });
    for (const table of ["Retention", "Networks", "Trunks", "Webhooks", "Journal"]) {
      const outline = await page.getByRole("table", { name: table }).ariaSnapshot();
      expect(outline).toContain("- columnheader");
      expect(outline).toContain("- cell");
    }
    await page.getByRole("rowheader", { name: "Carrier A" }).waitFor();
  });

  test("on a phone the journal comes before the organization, and a row's cells are stacked", async () => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    const page = await open(server, { viewport: { width: 390, height: 800 } });
    const top = async (selector: string) => (await page.locator(selector).first().boundingBox())?.y ?? 0;
    expect(await top(".journal")).toBeLessThan(200);
    expect(await top(".journal")).toBeLessThan(await top(".organization"));
    expect(await top(".journal .ending")).toBeLessThan(await top(".journal .request"));
    expect(await top("#trunks tbody th")).toBeLessThan(await top("#trunks tbody td"));
    expect((await page.locator("#journal-rows .request").boundingBox())?.width).toBeGreaterThan(300);
  });

  test.each([
    ["journal", 1, /^<div id="journal-scroller"/, "solid"],
    ["organization", 2, /^<div id="organization"/, "solid"],
  ])("the keyboard can jump to the %s, and focus is visible", async (part, tabs, element, outline) => {
    const page = await open(await plane(), { viewport: { width: 1280, height: 400 } });
    const focused = () => page.evaluate<string>("document.activeElement.outerHTML");
    for (let tab = 0; tab < tabs; tab += 1) await page.keyboard.press("Tab");
    expect(await focused()).toContain(`Skip to the ${part}`);
    const link = await page.getByRole("link", { name: `Skip to the ${part}` }).boundingBox();
    expect(link?.height).toBeGreaterThan(24);
    await page.keyboard.press("Enter");
    expect(await focused()).toMatch(element);
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe(outline);
  });

  test("nothing is cut off at any width, however long the names are", async () => {
    const server = await plane();
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "W".repeat(128) });
    server.control.seed({ trunks: [{ id: "W".repeat(64), name: "Carrier W" }] });
    server.control.advanceClock(86_400_000);
    server.control.setFaults([{ operation: "rotateWebhookSecret", effect: "status", status: 503, commit: true }]);
    const page = await open(server);
    // Ids are shortened on purpose, and headings for screen readers alone have no width.
    const tooWide =
      "[...document.querySelectorAll('body, body *:not(.unseen, .unseen *, .id .head, thead, #retention th:first-child)')]" +
      ".filter((it) => it.getBoundingClientRect().right > innerWidth || it.scrollWidth > it.clientWidth + 1 && " +
      "getComputedStyle(it).overflowX !== 'visible').map((it) => it.outerHTML)";
    for (const width of [1280, 900, 400, 320]) {
      await page.setViewportSize({ width, height: 800 });
      expect([width, await page.evaluate(tooWide)]).toEqual([width, []]);
    }
    for (const name of ["Set a fault…", "Move the clock…", "Reset…"]) {
      await page.getByRole("button", { name }).click();
      expect([name, await page.evaluate(tooWide)]).toEqual([name, []]);
      await page.keyboard.press("Escape");
    }
  });

  test("on a phone, every scale has room for its labels", async () => {
    const server = await plane();
    const page = await open(server, { viewport: { width: 320, height: 800 } });
    for (const [days, longest] of [
      [7, "30"],
      [90, "90"],
      [365, "365"],
      [730, "730"],
      [2190, "2,190"],
      [3650, "3,650"],
    ] as const) {
      server.control.seed({ retentionPolicies: [{ resource: "recordings", retention_days: days, enabled: true }] });
      await page.locator(".scale text:last-child", { hasText: longest }).waitFor();
      // In one call, because the page may replace the labels between two.
      const boxes = await page.evaluate<{ x: number; width: number }[]>(
        `Array.from(document.querySelectorAll(".scale text"), (label) => label.getBoundingClientRect().toJSON())`,
      );
      const gaps = boxes.slice(1).map((box, index) => box.x - (boxes[index]?.x ?? 0) - (boxes[index]?.width ?? 0));
      expect(gaps.length).toBeGreaterThan(1);
      expect(Math.min(...gaps)).toBeGreaterThan(3);
    }
  });

  test.each(["light", "dark"] as const)("every text has enough contrast in %s colours", async (colorScheme) => {
    const server = await plane();
    server.control.seed({ retentionPolicies: [{ resource: "recordings", retention_days: 7, enabled: false }] });
    await perform(server, "rotateWebhookSecret");
    await perform(server, "listWebhooks");
    await perform(server, "listWebhooks", "stranger");
    server.control.advanceClock(86_400_000);
    server.control.setFaults([{ operation: "*", effect: "status", status: 503 }]);
    await perform(server, "listWebhooks");
    const page = await open(server, { colorScheme, reducedMotion: "reduce" });
    const { seen, poor } = await page.evaluate<{ seen: number; poor: string[] }>(poorContrasts);
    expect(seen).toBeGreaterThan(60);
    expect(poor).toEqual([]);
    for (const name of ["Set a fault…", "Move the clock…", "Reset…"]) {
      await page.getByRole("button", { name }).click();
      expect((await page.evaluate<{ poor: string[] }>(poorContrasts)).poor).toEqual([]);
      await page.keyboard.press("Escape");
    }
    server.control.reset();
    await page.getByText("No request yet.").waitFor();
    expect((await page.evaluate<{ poor: string[] }>(poorContrasts)).poor).toEqual([]);
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(245, 246, 247)" : "rgb(18, 22, 27)");
  });
});
