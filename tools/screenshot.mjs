/**
 * Takes the pictures of the control plane's page for the documents. Needs a build.
 *
 *     node tools/screenshot.mjs                              docs/images/control-plane.png
 *     node tools/screenshot.mjs --dark --width 400 FILE.png  another picture
 *
 * The requests and the time are the same on every run. Only request ids, the browser and its fonts differ.
 */
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { findChromium } from "./chromium.mjs";
import { createProgress } from "./progress.mjs";

const root = path.resolve(import.meta.dirname, "..");
const { startControlPlane } = createRequire(import.meta.url)(path.join(root, "dist/control-plane/index.js"));

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: "boolean", default: false }, width: { type: "string", default: "1280" } },
});
const [file = path.join(root, "docs/images/control-plane.png")] = positionals;

const trunk = "b0000000-0000-4000-8000-000000000001";
const webhook = "c0000000-0000-4000-8000-000000000001";
const unseen = ["b0000000-0000-4000-8000-000000000003", "c0000000-0000-4000-8000-000000000003"];

/** Seconds after the first request, and the request. */
const story = [
  [0, "GET", "/v1/webhooks/", "full"],
  [0, "PUT", "/v1/retention-policies/conversations", "full", { retention_days: 365, enabled: true }],
  [0, "PUT", "/v1/retention-policies/audit_events", "full", { retention_days: 2555, enabled: true }],
  [1, "PATCH", "/v1/network-policies/a0000000-0000-4000-8000-000000000001", "full", { source_cidr: "203.0.113.0/25" }],
  [1, "DELETE", `/v1/trunks/${trunk}/outbound-auth`, "full"],
  [2, "POST", `/v1/webhooks/${webhook}/rotate-secret`, "full"],
  [340, "POST", `/v1/webhooks/${webhook}/rotate-secret`, "withoutWebhooksWrite"],
  [360, "PUT", "/v1/retention-policies/recordings", "full", { retention_days: 90, enabled: true }, "reset"],
  [361, "PUT", "/v1/retention-policies/recordings", "full", { retention_days: 90, enabled: true }],
];

let now = Date.parse("2026-06-01T09:30:00Z");
const controlPlane = await startControlPlane({ now: () => now });

async function play() {
  const start = now;
  // Fewer objects make a smaller picture.
  controlPlane.control.seed({ remove: unseen });
  for (const [seconds, method, route, token, body, fault] of story) {
    now = start + seconds * 1000;
    if (fault !== undefined) {
      controlPlane.control.setFaults([{ operation: "*", effect: fault, commit: true, count: 1 }]);
    }
    await fetch(controlPlane.url + route, {
      method,
      headers: { Authorization: `Bearer ${controlPlane.tokens[token]}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    }).catch(() => {}); // The fault makes this request fail.
  }
}

async function photograph() {
  const log = createProgress(process.stderr);
  const executablePath = await findChromium({ log });
  log.stop();
  const browser = await chromium.launch({
    executablePath,
    args: ["--disable-quic"],
  });
  try {
    const page = await browser.newPage({
      viewport: { width: Number(values.width), height: 1000 },
      colorScheme: values.dark ? "dark" : "light",
      reducedMotion: "reduce",
    });
    await page.goto(controlPlane.url);
    await page.getByText("Live", { exact: true }).waitFor();
    await page.getByText("range 203.0.113.0/25").click();
    await page.screenshot({ path: file, fullPage: true });
  } finally {
    await browser.close();
  }
}

try {
  await play();
  await photograph();
  process.stdout.write(`${file}\n`);
} finally {
  await controlPlane.close();
}
