/**
 * Takes the picture of the control plane's page for README.md. Needs a build.
 *
 *     node tools/screenshot.mjs                              docs/images/control-plane.png
 *     node tools/screenshot.mjs --dark --width 390 FILE.png  another picture
 */
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { startControlPlane } from "../dist/control-plane/index.js";
import { root } from "./bootstrap.mjs";
import { findChromium } from "./chromium.mjs";
import { createProgress } from "./progress.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: "boolean", default: false }, width: { type: "string", default: "1280" } },
});
const [file = path.join(root, "docs/images/control-plane.png")] = positionals;

const rotation = "/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const office = "/v1/network-policies/a0000000-0000-4000-8000-000000000001";
const recordings = ["PUT", "/v1/retention-policies/recordings", "full", { retention_days: 90, enabled: true }];
const story = [
  ["GET", "/v1/webhooks/", "full"],
  ["PUT", "/v1/retention-policies/audit_events", "full", { retention_days: 2555, enabled: true }],
  ["PATCH", office, "full", { source_cidr: "203.0.113.0/25", note: "not of the interface" }],
  ["DELETE", "/v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth", "full"],
  ["POST", rotation, "full"],
  ["POST", rotation, "withoutWebhooksWrite"],
  recordings,
  recordings,
];

const controlPlane = await startControlPlane();
try {
  controlPlane.control.setClock("2026-06-01T09:30:00Z");
  controlPlane.control.setFaults([{ operation: "putRetentionPolicy", connection: "reset", commit: true, count: 2 }]);
  controlPlane.control.seed({ retentionPolicies: [{ resource: "conversations", retention_days: 30, enabled: false }] });
  for (const [method, route, token, body] of story) {
    const headers = { Authorization: `Bearer ${controlPlane.tokens[token]}`, "Content-Type": "application/json" };
    // A fault makes two of them fail.
    await fetch(controlPlane.url + route, { method, headers, body: JSON.stringify(body) }).catch(() => {});
  }
  const browser = await chromium.launch({
    executablePath: await findChromium(createProgress(process.stderr)),
    args: ["--disable-quic"],
  });
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: 600 },
    colorScheme: values.dark ? "dark" : "light",
  });
  await page.goto(controlPlane.url);
  await page.getByText("Live", { exact: true }).waitFor();
  await page.screenshot({ path: file, fullPage: true });
  await browser.close();
  process.stdout.write(`${file}\n`);
} finally {
  await controlPlane.close();
}
