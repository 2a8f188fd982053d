import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { ControlPlane } from "../../../src/control-plane/index";
import { findChromium, launchChromium } from "./chromium";

export interface Browsing {
  /** Opens the page and waits until it is connected, unless scripts are disabled. */
  readonly open: (server: ControlPlane, options?: BrowserContextOptions) => Promise<Page>;
  /** Errors in the browser's console, and requests to other hosts. A test fails if it leaves any. */
  readonly problems: string[];
}

/** Runs tests in a new browser. Skips them if there is none. */
export function inBrowser(name: string, tests: (browsing: Browsing) => void): void {
  const executablePath = findChromium();
  const describeThere = executablePath === undefined ? describe.skip : describe;
  describeThere(name, () => {
    let browser: Browser;
    const problems: string[] = [];

    beforeAll(async () => {
      if (executablePath !== undefined) browser = await launchChromium(executablePath);
    });
    afterAll(() => browser.close());
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
      expect(problems.splice(0)).toEqual([]);
    });

    tests({
      problems,
      open: async (server, options = {}) => {
        const page = await browser.newPage(options);
        page.on("pageerror", ({ message }) => problems.push(message));
        page.on("console", (message) => problems.push(message.text()));
        page.on("request", (request) => {
          if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) problems.push(request.url());
        });
        await page.goto(server.url);
        if (options.javaScriptEnabled !== false) await page.getByText("Live", { exact: true }).waitFor();
        return page;
      },
    });
  });
}
