/**
 * `npm run test:fleet`: nights of many organizations with the real engine and PostgreSQL, workers that are killed, and what
 * that costs.
 *
 *     npm run test:fleet -- --organizations 100 --kills 3
 *
 * `npm test` runs the same test with 7 organizations, without the figures.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, loadavg, tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { npm, root } from "./bootstrap.mjs";
import { getEngine } from "./engine/index.mjs";
import { createProgress } from "./progress.mjs";

const { values } = parseArgs({
  options: { organizations: { type: "string", default: "100" }, kills: { type: "string", default: "3" } },
});
const [organizations, kills] = [Number(values.organizations), Number(values.kills)];
const log = createProgress(process.stdout);
const folder = await mkdtemp(path.join(tmpdir(), "voiceplane-fleet-"));

function line({ phase, organizations: count, wallSeconds, cpuSeconds, peakMegabytes, rows, bytes }) {
  return [
    phase.padEnd(8),
    `${count} organizations`.padStart(18),
    `${wallSeconds.toFixed(1)} s`.padStart(10),
    `${(cpuSeconds / count).toFixed(3)} CPU s each`.padStart(20),
    `${Math.round(peakMegabytes)} MB at most`.padStart(18),
    `${(rows / count).toFixed(1)} rows and ${(bytes / count / 1024).toFixed(1)} KB each`.padStart(28),
  ].join("");
}

async function main() {
  if (!(Number.isInteger(kills) && kills >= 0)) throw new Error("--kills takes a whole number");
  if (!(organizations >= kills + 5)) throw new Error("--organizations takes a number that is above --kills by 5");
  log.update("npm run build");
  const { code, tail } = await npm(["run", "build"]);
  if (code !== 0) throw new Error(tail);
  const engine = await getEngine({ log });
  log.line(`load ${loadavg()[0].toFixed(1)} on ${availableParallelism()} processors, before`);
  const report = path.join(folder, "report.json");
  const jest = path.join(root, "node_modules", "jest", "bin", "jest.js");
  const child = spawn(process.execPath, [jest, "-w", "1", "test/campaigns/fleet/nights"], {
    cwd: root,
    env: {
      ...process.env,
      VOICEPLANE_ENGINE: engine.dir,
      FLEET_TEST_ORGANIZATIONS: String(organizations),
      FLEET_TEST_KILLS: String(kills),
      FLEET_TEST_REPORT: report,
    },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const [ended] = await once(child, "close");
  if (ended !== 0) throw new Error("the test failed");
  for (const figures of JSON.parse(await readFile(report, "utf8"))) log.line(line(figures));
}

try {
  await main();
} catch (error) {
  log.line(error.message);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
