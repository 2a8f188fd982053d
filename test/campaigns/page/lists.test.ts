import type { Page } from "playwright-core";
import { ids, perform, plane } from "../../unit/control-plane/plane";
import { inBrowser, journalRows } from "../../support/page/in-browser";

jest.setTimeout(60_000);

/** A control plane with 200 objects, and a journal that is longer than the page shows. */
async function crowdedPlane() {
  const server = await plane();
  const numbered = (count: number) => Array.from({ length: count }, (_, n) => n + 1);
  server.control.seed({
    organization: { rateLimits: null },
    networkPolicies: numbered(58).map((n) => ({
      id: `network-${n}`,
      name: `Site ${n}`,
      source_cidr: `10.${n}.0.0/16`,
    })),
    trunks: numbered(67).map((n) => ({ id: `trunk-${n}`, name: `Line ${n}` })),
    webhooks: numbered(67).map((n) => ({ id: `webhook-${n}`, url: `https://team-${n}.example.com/` })),
  });
  for (let round = 0; round < 12; round += 1) await perform(server, "listWebhooks");
  await perform(server, "clearTrunkOutboundAuth", "vp_dev_without_trunks_write");
  return server;
}

const rows = (page: Page, section: string) => page.locator(`#${section} tbody tr:visible`);
const countOf = (page: Page, section: string) =>
  page.getByRole("region", { name: section }).locator(".count:visible").innerText();

const more = (page: Page, section: string, name: string) =>
  page.getByRole("region", { name: section }).getByRole("button", { name, exact: true });

inBrowser("long lists", ({ open }) => {
  test.each([
    [1280, 2000],
    [390, 5000],
  ])("200 objects make a short page, %d pixels wide", async (width, height) => {
    const page = await open(await crowdedPlane(), { viewport: { width, height: 800 } });
    expect(await page.evaluate("document.documentElement.scrollHeight")).toBeLessThan(height);
  });

  test("a section shows its first six and their total, and more on request", async () => {
    const page = await open(await crowdedPlane());
    expect(await countOf(page, "Trunks")).toBe("70");
    expect(await rows(page, "trunks").count()).toBe(6);
    await more(page, "Trunks", "Show 50 more").click();
    expect(await rows(page, "trunks").count()).toBe(56);
    await more(page, "Trunks", "Show 14 more").click();
    expect(await rows(page, "trunks").count()).toBe(70);
    expect(await rows(page, "webhooks").count()).toBe(6);
    await more(page, "Trunks", "Show fewer").click();
    expect(await rows(page, "trunks").count()).toBe(6);
  });

  test("the journal shows its latest ten, and more on request", async () => {
    const page = await open(await crowdedPlane());
    expect(await countOf(page, "Journal")).toBe("13");
    expect(await journalRows(page).count()).toBe(10);
    await more(page, "Journal", "Show 3 more").click();
    expect(await journalRows(page).count()).toBe(13);
  });

  test("after a change, expanded sections stay expanded and new entries are visible", async () => {
    const server = await crowdedPlane();
    const page = await open(server);
    await more(page, "Trunks", "Show 50 more").click();
    server.control.seed({ trunks: [{ id: ids.trunk, name: "Carrier Z" }] });
    await page.getByRole("rowheader", { name: "Carrier Z" }).waitFor();
    expect(await rows(page, "trunks").count()).toBe(56);
    await perform(server, "putRetentionPolicy");
    await page.getByRole("row", { name: "Retention · recordings" }).waitFor();
    expect(await journalRows(page).count()).toBe(10);
  });

  test("a filter matches names, whole ids and verdicts, in every section at once", async () => {
    const page = await open(await crowdedPlane());
    const filter = page.getByRole("searchbox", { name: "Filter" });
    await filter.fill("CARRIER");
    expect(await rows(page, "trunks").count()).toBe(3);
    expect(await countOf(page, "Trunks")).toBe("3 of 70 match");
    expect(await journalRows(page).count()).toBe(1);
    expect(await rows(page, "webhooks").count()).toBe(0);
    expect(await countOf(page, "Webhooks")).toBe("0 of 70 match");
    expect(await page.getByRole("table", { name: "Webhooks" }).count()).toBe(0);
    expect(await page.locator("[aria-live=polite]").textContent()).toBe("4 rows match.");

    await filter.fill("carrier cleared");
    expect(await rows(page, "trunks").allInnerTexts()).toEqual([expect.stringContaining("Carrier C")]);
    await filter.fill("b0000000-0000-4000-8000-000000000002");
    expect(await rows(page, "trunks").allInnerTexts()).toEqual([expect.stringContaining("Carrier B")]);
    // A part of many ids, and of no name.
    await filter.fill("0000");
    expect(await page.locator("tbody tr").locator("visible=true").count()).toBe(0);
    await filter.fill("refused 403");
    expect(await journalRows(page).allInnerTexts()).toEqual([expect.stringContaining("Carrier A")]);
    await filter.fill("team-");
    expect(await rows(page, "webhooks").count()).toBe(6);
    await more(page, "Webhooks", "Show 50 more").click();
    expect(await rows(page, "webhooks").count()).toBe(56);

    const nothing = page.getByText("Nothing matches the filter.").locator("visible=true");
    expect(await nothing.count()).toBe(0);
    await filter.fill("no such thing");
    expect(await nothing.count()).toBe(1);
    expect(await page.getByRole("region").count()).toBe(5);
    expect(await countOf(page, "Trunks")).toBe("0 of 70 match");
    await page.getByRole("button", { name: "Clear the filter" }).click();
    expect(await filter.inputValue()).toBe("");
    expect(await countOf(page, "Trunks")).toBe("70");
    expect(await nothing.count()).toBe(0);
  });

  test("a filter applies to later changes", async () => {
    const server = await crowdedPlane();
    const page = await open(server);
    await page.getByRole("searchbox", { name: "Filter" }).fill("recordings");
    expect(await journalRows(page).count()).toBe(0);
    await perform(server, "rotateWebhookSecret");
    await perform(server, "putRetentionPolicy");
    await page.getByRole("row", { name: "Retention · recordings · 30 days" }).waitFor();
    expect(await journalRows(page).count()).toBe(1);
    expect(await countOf(page, "Journal")).toBe("1 of 15 match");
  });

  test("a request is found by the request id in its answer", async () => {
    const server = await crowdedPlane();
    const refused = await perform(server, "putRetentionPolicy", "vp_dev_without_retention");
    const page = await open(server);
    await page.getByRole("searchbox", { name: "Filter" }).fill(refused.headers.get("X-Request-ID") ?? "no id");
    expect(await journalRows(page).allInnerTexts()).toEqual([
      expect.stringContaining("organization permission required: retention"),
    ]);
  });
});

inBrowser("ids", ({ open }) => {
  test("an id is shortened to its start and end, and can be read in full", async () => {
    const page = await open(await plane());
    const id = page.getByRole("row", { name: "Carrier A" }).locator(".id");
    expect(await id.innerText()).toBe(ids.trunk);
    expect(await id.getAttribute("title")).toBe(ids.trunk);
    expect((await id.boundingBox())?.width).toBeLessThan(110);
    expect((await id.locator(".tail").boundingBox())?.width).toBeGreaterThan(20);
    const shape =
      "(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)(document.querySelector('#trunks .head'))";
    expect(await page.evaluate(shape)).toBe(true);
  });

  test("a button copies the whole id, and says so", async () => {
    const page = await open(await plane(), { permissions: ["clipboard-read", "clipboard-write"] });
    const button = page.getByRole("button", { name: "Copy the id of Carrier A" });
    const box = await button.boundingBox();
    expect([box?.width, box?.height]).toEqual([24, 24]);
    await button.click();
    await page.getByText("Copied.").waitFor({ state: "attached" });
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(ids.trunk);
  });

  test("a button copies the two lines that point a program here", async () => {
    const server = await plane();
    const page = await open(server, { permissions: ["clipboard-read", "clipboard-write"] });
    await page.getByRole("button", { name: "Copy both lines" }).click();
    await page.getByText("Copied.").waitFor({ state: "attached" });
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(
      `export VOICEPLANE_BASE_URL=${server.url}\nexport VOICEPLANE_TOKEN=vp_dev_full\n`,
    );
  });

  test("a focused button keeps its focus when its section is updated", async () => {
    const server = await plane();
    const page = await open(server);
    await page.getByRole("button", { name: "Copy the id of Carrier B" }).focus();
    server.control.seed({ trunks: [{ id: ids.trunk, name: "Carrier Z" }] });
    await page.getByRole("rowheader", { name: "Carrier Z" }).waitFor();
    expect(await page.evaluate("document.activeElement.ariaLabel")).toBe("Copy the id of Carrier B");
  });
});
