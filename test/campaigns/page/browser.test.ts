import { ids, perform, plane, send } from "../../unit/control-plane/plane";
import { poorContrasts } from "../../support/page/contrast";
import { inBrowser, journalRows } from "../../support/page/in-browser";

jest.setTimeout(60_000);

inBrowser("in a browser", ({ open }) => {
  test("requests appear at the top as they arrive, the organization follows, and both are announced", async () => {
    const server = await plane();
    const page = await open(server);
    await page.getByText("No requests yet. They appear here as they arrive.").waitFor();
    await perform(server, "putRetentionPolicy");
    await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");

    await page.getByRole("row", { name: "Clear outbound authentication · Carrier A" }).waitFor();
    expect((await journalRows(page).allTextContents()).map((text) => text.replace(/\s+/g, " ").trim())).toEqual([
      expect.stringMatching(
        /Clear outbound authentication · Carrier A credential scope required: trunks:write DELETE .* refused 403$/,
      ),
      expect.stringMatching(/Retention · recordings · 30 days PUT .* committed 200$/),
    ]);
    expect(await page.getByText("No requests yet.").isVisible()).toBe(false);
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
    expect(await page.getByRole("status").innerText()).toBe("Not live. Reload the page to update it.");
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

  test("on a phone, links lead to the sections; beside each other, the sections need none", async () => {
    const page = await open(await plane(), { viewport: { width: 390, height: 700 } });
    const links = page.getByRole("navigation", { name: "Sections" }).getByRole("link");
    expect(await links.allInnerTexts()).toEqual(["Journal", "Retention", "Networks", "Trunks", "Webhooks"]);
    await links.getByText("Webhooks").click();
    expect((await page.locator("#webhooks-title").boundingBox())?.y).toBeLessThan(700 - 44);
    await page.setViewportSize({ width: 1280, height: 800 });
    expect(await links.count()).toBe(0);
  });

  test("a path outside the interface is not as loud as a refusal", async () => {
    const server = await plane();
    await send(server, "GET", "/favicon.ico");
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    const page = await open(server);
    const grounds =
      "[...document.querySelectorAll('#journal-rows .verdict')].map((e) => getComputedStyle(e).backgroundColor)";
    expect(await page.evaluate(grounds)).toEqual(["rgb(252, 229, 227)", "rgba(0, 0, 0, 0)"]);
  });

  test("nothing is cut off at any width, however long the names are", async () => {
    const server = await plane();
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "W".repeat(128) });
    server.control.seed({ trunks: [{ id: "W".repeat(64), name: "Carrier W" }] });
    server.control.advanceClock(86_400_000);
    server.control.setFaults([{ operation: "rotateWebhookSecret", effect: "status", status: 503, commit: true }]);
    const page = await open(server);
    await page.evaluate("document.querySelectorAll('details').forEach((row) => (row.open = true))");
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

  test("on a phone, the scale has room for its labels", async () => {
    const page = await open(await plane(), { viewport: { width: 320, height: 800 } });
    const boxes = await page.evaluate<{ x: number; width: number }[]>(
      `Array.from(document.querySelectorAll(".scale text"), (label) => label.getBoundingClientRect().toJSON())`,
    );
    const gaps = boxes.slice(1).map((box, index) => box.x - (boxes[index]?.x ?? 0) - (boxes[index]?.width ?? 0));
    expect(gaps).toHaveLength(5);
    expect(Math.min(...gaps)).toBeGreaterThan(3);
  });

  test.each([
    ["on a phone", { viewport: { width: 390, height: 800 } }],
    ["on a tablet", { viewport: { width: 1024, height: 800 }, isMobile: true, hasTouch: true }],
  ])("%s, everything to press is 44 pixels high, and the letters of fields are 16", async (_where, options) => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    server.control.setFaults([{ operation: "*", effect: "reset" }]);
    const page = await open(server, options);
    await page.getByRole("button", { name: "Set a fault…" }).click();
    const all = await page.evaluate<{ name: string; height: number; letters: string | undefined }[]>(
      `[...document.querySelectorAll("button, input, select, summary")].filter((it) => it.checkVisibility()).map((it) => ({
        name: it.id || it.name || it.ariaLabel || it.textContent,
        height: it.getBoundingClientRect().height,
        letters: it.matches("input, select") ? getComputedStyle(it).fontSize : undefined,
      }))`,
    );
    expect(all.length).toBeGreaterThan(15);
    expect(all.filter(({ height }) => height < 44)).toEqual([]);
    const fields = all.filter(({ letters }) => letters !== undefined);
    expect(fields.map(({ name, letters }) => [name, letters])).toEqual([
      ["filter", "16px"],
      ["operation", "16px"],
      ["effect", "16px"],
      ["count", "16px"],
    ]);
  });

  test("a row of the journal opens its body, and stays open while requests arrive", async () => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    const page = await open(server);
    const body = page.getByText('"retention_days": 30');
    expect(await body.isVisible()).toBe(false);
    await page.getByText("Retention · recordings").click();
    expect(await body.isVisible()).toBe(true);
    await perform(server, "rotateWebhookSecret");
    await page.getByRole("row", { name: "Rotate signing secret" }).waitFor();
    expect(await body.isVisible()).toBe(true);
    expect(await page.locator("details[open]").count()).toBe(1);
  });

  test("a folded row of the journal is one line, also of a long name, a refusal and a fault", async () => {
    const server = await plane();
    await perform(server, "listWebhooks");
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "W".repeat(200) });
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    server.control.setFaults([{ operation: "*", effect: "status", status: 503, commit: true }]);
    await perform(server, "putRetentionPolicy");
    const page = await open(server, { viewport: { width: 1280, height: 800 } });
    const heights = await page.evaluate<number[]>(
      `[...document.querySelectorAll("#journal-rows tr")].map((row) => Math.round(row.getBoundingClientRect().height))`,
    );
    expect(heights).toHaveLength(4);
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThanOrEqual(1);
    expect(Math.max(...heights)).toBeLessThan(45);
  });

  test("the journal shows each date once, at the first visible request of the day", async () => {
    let now = Date.parse("2026-06-01T23:59:58Z");
    const server = await plane({ now: () => now });
    await perform(server, "listWebhooks");
    await perform(server, "rotateWebhookSecret");
    const page = await open(server);
    const dates = async () =>
      (await journalRows(page).allInnerTexts()).map((text) => /\d{4}-\d\d-\d\d/.exec(text)?.[0]);
    expect(await dates()).toEqual(["2026-06-01", undefined]);
    now += 5000;
    await perform(server, "putRetentionPolicy");
    await perform(server, "listWebhooks");
    await page.getByText("4", { exact: true }).waitFor();
    expect(await dates()).toEqual(["2026-06-02", undefined, "2026-06-01", undefined]);
    await page.getByRole("searchbox", { name: "Filter" }).fill("list");
    expect(await dates()).toEqual(["2026-06-02", "2026-06-01"]);
  });

  test("while the server is away, data is dimmed and no button can be pressed", async () => {
    const server = await plane();
    server.control.advanceClock(86_400_000);
    const page = await open(server);
    page.removeAllListeners("console");
    const disabled = () =>
      page.evaluate<boolean[]>(
        "[...document.querySelectorAll('[data-send], [data-opens]')].map(({ disabled }) => disabled)",
      );
    const opacity = () => page.evaluate<string>('getComputedStyle(document.querySelector("main")).opacity');
    expect([await opacity(), new Set(await disabled())]).toEqual(["1", new Set([false])]);
    await server.close();
    await page.getByText("Connection lost, trying again.").waitFor();
    expect([await opacity(), new Set(await disabled())]).toEqual(["0.45", new Set([true])]);
    await plane({ port: Number(new URL(server.url).port) });
    await page.getByText("Live", { exact: true }).waitFor();
    expect([await opacity(), new Set(await disabled())]).toEqual(["1", new Set([false])]);
  });

  test("the journal is as high as the organization beside it, and never higher than the window", async () => {
    const server = await plane();
    server.control.seed({ organization: { rateLimits: null } });
    const page = await open(server, { viewport: { width: 1280, height: 1400 } });
    const edges = async () => {
      const [journal, organization] = await Promise.all(
        [".journal", "#organization"].map((part) => page.locator(part).boundingBox()),
      );
      return { top: journal?.y ?? 0, height: journal?.height ?? 0, beside: organization?.height ?? 0 };
    };
    const empty = await edges();
    expect(empty.height).toBeCloseTo(empty.beside, 0);
    await page.setViewportSize({ width: 1280, height: 600 });
    for (let n = 0; n < 10; n += 1) await perform(server, "listWebhooks");
    await page.getByText("10", { exact: true }).waitFor();
    expect((await edges()).height).toBe(600 - 32);
  });

  test("verdicts have signs that no font has to have, and refused rows are red", async () => {
    const server = await plane();
    await perform(server, "rotateWebhookSecret");
    await perform(server, "listWebhooks");
    await perform(server, "listWebhooks", "stranger");
    server.control.setFaults([{ operation: "*", effect: "status", status: 503 }]);
    await perform(server, "listWebhooks");
    const page = await open(server);
    const looks = await page.evaluate<Record<"verdict" | "text" | "sign" | "ground", string>[]>(
      `[...document.querySelectorAll("#journal-rows tr")].map((row) => {
        const sign = getComputedStyle(row.querySelector(".verdict"), "::before");
        const ground = getComputedStyle(row).backgroundColor;
        return { verdict: row.querySelector(".verdict").textContent, text: sign.content, sign: sign.maskImage, ground };
      })`,
    );
    const clear = "rgba(0, 0, 0, 0)";
    expect(looks.map(({ verdict, text, ground }) => [verdict, text, ground])).toEqual([
      ["fault", '""', clear],
      ["refused", '""', "rgb(255, 245, 244)"],
      ["read", '""', clear],
      ["committed", '""', clear],
    ]);
    expect(new Set(looks.map(({ sign }) => sign)).size).toBe(4);
    for (const { sign } of looks) expect(sign).toMatch(/^url\("data:image\/svg\+xml,/);
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
    await page.getByText("No requests yet.").waitFor();
    expect((await page.evaluate<{ poor: string[] }>(poorContrasts)).poor).toEqual([]);
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(245, 246, 247)" : "rgb(18, 22, 27)");
  });
});
