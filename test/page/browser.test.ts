import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { ControlPlane } from "../../src/control-plane/index";
import { ids, perform, plane, send } from "../control-plane/plane";
import { findChromium } from "./chromium";
import { poorContrasts } from "./contrast";

const executablePath = findChromium();
const inBrowser = executablePath === undefined ? describe.skip : describe;
jest.setTimeout(60_000);

inBrowser("in a browser", () => {
  let browser: Browser;
  /** What the browser complains of, and what it asks other hosts for: nothing, ever. */
  let complaints: string[];

  beforeAll(async () => {
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--disable-quic"] });
  });
  afterAll(() => browser.close());
  beforeEach(() => {
    complaints = [];
  });
  afterEach(async () => {
    await Promise.all(browser.contexts().map((context) => context.close()));
    expect(complaints).toEqual([]);
  });

  async function open(server: ControlPlane, options: BrowserContextOptions = {}): Promise<Page> {
    const page = await browser.newPage(options);
    page.on("pageerror", ({ message }) => complaints.push(message));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("request", (request) => {
      if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(request.url());
    });
    await page.goto(server.url);
    if (options.javaScriptEnabled !== false) await page.getByText("Live", { exact: true }).waitFor();
    return page;
  }

  const journal = (page: Page) => page.locator("#journal-rows tr:visible");

  test("requests appear on top as they come, the organization follows, and both are said", async () => {
    const server = await plane();
    const page = await open(server);
    expect(await journal(page).allInnerTexts()).toEqual(["No request yet. They appear here as they come."]);
    await perform(server, "putRetentionPolicy");
    await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");

    await page.getByRole("row", { name: "Clear outbound authentication · Carrier A" }).waitFor();
    expect((await journal(page).allInnerTexts()).map((text) => text.replace(/\s+/g, " "))).toEqual([
      expect.stringMatching(/Clear outbound authentication · Carrier A DELETE .* refused 403$/),
      expect.stringMatching(/Retention · recordings · 30 days PUT .* committed 200$/),
    ]);
    expect(await page.getByRole("row", { name: "Recordings" }).first().innerText()).toContain("30 days");
    const spoken = page.locator("[aria-live=polite]");
    expect(await spoken.textContent()).toContain("Clear outbound authentication: refused, 403");
  });

  test("the journal stays at a hundred rows however long it is watched", async () => {
    const server = await plane();
    server.control.seed({ organization: { rateLimits: null } });
    const page = await open(server);
    for (let round = 0; round < 3; round += 1) {
      await Promise.all(Array.from({ length: 45 }, () => perform(server, "listWebhooks")));
    }
    await perform(server, "rotateWebhookSecret");
    await page.getByRole("row", { name: "Rotate signing secret" }).waitFor();
    expect(await journal(page).count()).toBe(100);
  });

  test("a page whose control plane ends and comes back goes on by itself", async () => {
    const server = await plane();
    const page = await open(server);
    // Where nobody listens, that is no fault of the page.
    page.removeAllListeners("console");
    await server.close();
    await page.getByText("Connection lost, trying again.").waitFor();
    const again = await plane({ port: Number(new URL(server.url).port) });
    again.control.seed({ trunks: [{ id: ids.trunk, name: "Carrier Z" }] });
    await page.getByRole("rowheader", { name: "Carrier Z" }).waitFor();
    await page.getByText("Live", { exact: true }).waitFor();
  });

  test("markup in names stays text, also in what comes later", async () => {
    const server = await plane();
    const page = await open(server);
    const name = "<img src=x onerror=alert(1)>";
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name });
    await page.getByRole("rowheader", { name }).waitFor();
    expect(await page.locator("img").count()).toBe(0);
  });

  test("it is whole without scripts", async () => {
    const server = await plane();
    await perform(server, "listWebhooks");
    const page = await open(server, { javaScriptEnabled: false });
    expect(await page.getByRole("status").innerText()).toBe("As of when it was loaded.");
    expect(await page.getByRole("row", { name: "List webhooks" }).count()).toBe(1);
  });

  test("landmarks, headings and tables have names, and bars have words", async () => {
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
      '- columnheader "Age of the secret"',
      '- columnheader "Verdict"',
    ]) {
      expect(outline).toContain(line);
    }
  });

  test("the keyboard reaches the journal first, and shows where it is", async () => {
    const page = await open(await plane(), { viewport: { width: 1280, height: 400 } });
    const focused = () => page.evaluate<string>("document.activeElement.outerHTML");
    await page.keyboard.press("Tab");
    expect(await focused()).toContain("Skip to the journal");
    const link = await page.getByRole("link", { name: "Skip to the journal" }).boundingBox();
    expect(link?.height).toBeGreaterThan(24);
    await page.keyboard.press("Enter");
    expect(await focused()).toMatch(/^<div id="journal-scroller"/);
    const outline = await page.evaluate("getComputedStyle(document.activeElement).outlineStyle");
    expect(outline).toBe("solid");
  });

  test.each([1280, 900, 400, 320])("nothing is cut off at %d pixels, however long the names are", async (width) => {
    const server = await plane();
    await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
    await send(server, "PATCH", `/v1/network-policies/${ids.office}`, { name: "W".repeat(128) });
    const page = await open(server, { viewport: { width, height: 800 } });
    const tooWide = await page.evaluate<string[]>(
      "[...document.querySelectorAll('body, body *:not(.unseen):not(.unseen *)')]" +
        ".filter((it) => it.getBoundingClientRect().right > innerWidth || it.scrollWidth > it.clientWidth + 1 && " +
        "getComputedStyle(it).overflowX !== 'visible').map((it) => it.outerHTML)",
    );
    expect(tooWide).toEqual([]);
  });

  test.each([7, 90, 365, 730, 2190, 3650])(
    "on a phone, the scale that ends at %d days has room for its labels",
    async (days) => {
      const server = await plane();
      server.control.seed({ retentionPolicies: [{ resource: "recordings", retention_days: days, enabled: true }] });
      const page = await open(server, { viewport: { width: 320, height: 800 } });
      const labels = await page.locator(".scale text").all();
      const boxes = await Promise.all(labels.map((label) => label.boundingBox()));
      const gaps = boxes
        .slice(1)
        .map((box, index) => (box?.x ?? 0) - (boxes[index]?.x ?? 0) - (boxes[index]?.width ?? 0));
      expect(gaps.length).toBeGreaterThan(1);
      expect(Math.min(...gaps)).toBeGreaterThan(3);
    },
  );

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
    const ground = await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(ground).toBe(colorScheme === "light" ? "rgb(245, 246, 247)" : "rgb(18, 22, 27)");
  });
});
