import { chromium, type Browser, type BrowserContextOptions, type Locator, type Page } from "playwright-core";
import type { ControlPlane } from "../../src/control-plane/index";
import { findChromium } from "./chromium";

export interface Browsing {
  /** Opens the page; it is connected then, unless without scripts. */
  readonly open: (server: ControlPlane, options?: BrowserContextOptions) => Promise<Page>;
  /** What the browser complains of, and what it asks other hosts for. A test that leaves any fails. */
  readonly complaints: string[];
}

/** Tests in a browser of their own; skipped where there is none. */
export function inBrowser(name: string, tests: (browsing: Browsing) => void): void {
  const executablePath = findChromium();
  const describeThere = executablePath === undefined ? describe.skip : describe;
  describeThere(name, () => {
    let browser: Browser;
    const complaints: string[] = [];

    beforeAll(async () => {
      browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--disable-quic"] });
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(complaints.splice(0)).toEqual([]);
    });

    tests({
      complaints,
      open: async (server, options = {}) => {
        const page = await browser.newPage(options);
        page.on("pageerror", ({ message }) => complaints.push(message));
        page.on("console", (message) => complaints.push(message.text()));
        page.on("request", (request) => {
          if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) complaints.push(request.url());
        });
        await page.goto(server.url);
        if (options.javaScriptEnabled !== false) await page.getByText("Live", { exact: true }).waitFor();
        return page;
      },
    });
  });
}

/** The rows of the journal that show, from the top. */
export const journalRows = (page: Page): Locator => page.locator("#journal-rows tr:visible");
