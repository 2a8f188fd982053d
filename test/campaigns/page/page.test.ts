/** The page in a browser. */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";
import type { ControlPlane } from "../../../src/control-plane/index";
import { testWith } from "../../support/tools";
import { temporaryFolder } from "../../support/folders";
import { perform, plane, send } from "../../unit/control-plane/plane";
import { root } from "../../support/repository";

jest.setTimeout(120_000);

const script = join(root, "tools/chromium.mjs");
const found = spawnSync(process.execPath, [script], { encoding: "utf8" });
if (found.status !== 0 && process.env.CHROMIUM) throw new Error(found.stderr);
const browserHere = { missing: found.status === 0 ? undefined : found.stderr.trim() };

let browser: Browser | undefined;
/** Errors in the browser's console, and requests to other hosts. */
const problems: string[] = [];

beforeAll(async () => {
  if (browserHere.missing !== undefined) return;
  // On a busy machine the browser is ended before it has removed its lock. So that lies in a folder that goes with the run.
  const folder = join(process.env.VOICEPLANE_SURROUNDINGS ?? temporaryFolder(), "browser");
  mkdirSync(folder, { recursive: true });
  const env = { ...(process.env as Record<string, string>), TMPDIR: folder };
  browser = await chromium.launch({ executablePath: found.stdout.trim(), env, args: ["--disable-quic"] });
});
afterAll(() => browser?.close());
afterEach(() => {
  expect(problems.splice(0)).toEqual([]);
});

async function open(server: ControlPlane): Promise<Page> {
  if (browser === undefined) throw new Error("no browser");
  const page = await browser.newPage();
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => problems.push(message.text()));
  page.on("request", (request) => {
    if (!/^(data:|http:\/\/127\.0\.0\.1:)/.test(request.url())) problems.push(request.url());
  });
  await page.goto(server.url);
  await page.getByText("Live", { exact: true }).waitFor();
  return page;
}

testWith(
  browserHere,
  "shows the journal and the settings as they change, and says when it is not live any more",
  async () => {
    const server = await plane();
    await perform(server, "rotateWebhookSecret", "vp_dev_no_rights");
    const page = await open(server);
    await page.locator("#journal").getByText("403 · refused").waitFor();
    await perform(server, "putRetentionPolicy");
    await page.getByText("200 · committed").waitFor();
    await page.getByText("retention_days: 30").waitFor();

    await server.close();
    await page.getByText("Not live: the control plane does not answer").waitFor();
    await page.close();
    // The browser's own words about requests that failed.
    expect(problems.splice(0).join()).toContain("ERR_CONNECTION_REFUSED");
  },
);

testWith(browserHere, "markup in names, paths, bodies and faults stays text", async () => {
  const server = await plane();
  const markup = '<img src=x onerror="document.title = 1">';
  const id = `<b>${"x".repeat(300)}</b>`;
  server.control.seed({
    networkPolicies: [{ id, name: markup, source_cidr: "192.0.2.0/24" }],
    trunks: [{ id, name: markup }],
    webhooks: [{ id, url: `https://example.com/#${markup}` }],
  });
  server.control.setFaults([{ operation: "listWebhooks", status: 200, body: markup }]);
  await send(server, "PATCH", `/v1/network-policies/${encodeURIComponent(id)}`, { name: markup, [markup]: markup });
  await send(server, "GET", `/${markup}`);
  const page = await open(server);
  await page.getByText("404 · refused").waitFor();
  expect(await page.locator("img, b").count()).toBe(0);
  expect(await page.title()).toBe("voiceplane control plane");
  const text = await page.locator("body").innerText();
  expect(text).toContain(`name: ${markup}`);
  // The page reports an error once its server has ended, so it is closed before.
  await page.close();
});
