/**
 * Takes the picture of the fleet's page for examples/fleet/README.md, from made-up nights. Needs neither a build nor PostgreSQL.
 *
 *     node tools/fleet/screenshot.mjs                              docs/images/fleet.png
 *     node tools/fleet/screenshot.mjs --dark --width 390 FILE.png  another picture
 */
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";
import { fleetPage } from "../../examples/fleet/page.ts";
import { findChromium } from "../chromium.mjs";
import { createProgress } from "../progress.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dark: { type: "boolean", default: false }, width: { type: "string", default: "1100" } },
});
const [file = path.resolve(import.meta.dirname, "../../docs/images/fleet.png")] = positionals;

const at = (day, time) => new Date(Date.parse(`2026-11-${day}T${time}:00Z`));
const night = (day, applied, unchanged, failed, rotations, held = 0, decisions = []) => ({
  startedAt: at(day, "02:30"),
  version: day > 20 ? "commit 8d1f4c0a72be" : "commit 51c0be93ad1f",
  applied,
  unchanged,
  skipped: 10_000 - applied - unchanged - failed - held,
  failed,
  held,
  unfinished: 0,
  rotations,
  decisions,
});
const problem = (organization, more) => ({
  count: 1,
  names: [organization],
  outcome: "failed",
  due: null,
  log: null,
  worker: "fleet-worker-2:41",
  finishedAt: at(23, "02:41"),
  ...more,
});

const facts = {
  organizations: 10_000,
  now: at(23, "06:12"),
  nights: [
    night("23", 631, 1_402, 2, 118, 2_213),
    night("22", 96, 1_377, 1, 96),
    night("21", 2_214, 1_391, 0, 102, 0, ["cuts a trunk released by ada@fleet-1 at 2026-11-21 06:58"]),
    night("20", 104, 1_420, 0, 104),
    night("19", 88, 1_398, 640, 88),
  ],
  problems: [
    problem("brightline-eu", {
      reason: "the credential was refused (401): check the organization's token",
      log: "/tmp/voiceplane-1000/run-8f2c/log",
    }),
    problem("norfolk-care", {
      reason: "organizations/norfolk-care.yaml:2:15 retention.recordings.days: is missing",
    }),
    problem("tessera", { outcome: "skipped", due: "2026-11-21", reason: null }),
  ],
  held: [
    {
      count: 2_213,
      names: ["acme-eu", "aldgate-dental", "arbor-eu", "atlas-4", "auris"],
      night: at(23, "02:30").toISOString(),
      risks: ["narrows access"],
      reason:
        "narrows access (the budget of 500 is spent): office: admits 203.0.113.128/25, half of 203.0.113.0/24; " +
        "may lock this pipeline out, as no `mustInclude` names its address",
    },
  ],
  due: [
    { day: "2026-11-24", count: 107, names: ["acme", "aldgate-dental", "arbor-eu", "atlas-4", "auris"] },
    { day: "2026-11-25", count: 3, names: ["benton", "globex", "zephyr-us"] },
    { day: "2026-11-28", count: 1, names: ["initech"] },
  ],
  again: [
    {
      organization: "umbra-us",
      startedAt: at(22, "02:30"),
      why: ["org-crm was rotated again (an earlier run died while rotating it)"],
    },
  ],
};

const log = createProgress(process.stderr);
const executablePath = await findChromium({ log });
log.stop();
const browser = await chromium.launch({ executablePath, args: ["--disable-quic"] });
try {
  const page = await browser.newPage({
    viewport: { width: Number(values.width), height: 600 },
    colorScheme: values.dark ? "dark" : "light",
  });
  await page.setContent(fleetPage(facts));
  await page.screenshot({ path: file, fullPage: true });
  process.stdout.write(`${file}\n`);
} finally {
  await browser.close();
}
