/**
 * Prints a folder whose node_modules have OpenTelemetry's SDK, as docs/operate/what-to-watch.md says to install it. It is 40 MB, so it is
 * no development dependency: it is installed once, next to the engines.
 *
 *     node tools/otel-sdk.mjs
 */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { npm } from "./bootstrap.mjs";
import { cached } from "./engine/cache.mjs";
import { createProgress } from "./progress.mjs";

const [api, sdk] = ["1.10.0", "0.301.0"];

const log = createProgress(process.stderr);
try {
  const folder = await cached(`opentelemetry-${api}-${sdk}`, { env: process.env, log }, async (made) => {
    log.update("getting OpenTelemetry's SDK");
    await writeFile(path.join(made, "package.json"), "{}\n");
    const packages = [`@opentelemetry/api@${api}`, `@opentelemetry/sdk-node@${sdk}`];
    const args = ["install", ...packages, "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", made];
    const { code, tail } = await npm(args, { cwd: made });
    if (code !== 0) throw new Error(`OpenTelemetry's SDK could not be installed:\n${tail}`);
  });
  log.stop();
  console.log(folder);
} catch (error) {
  log.line(error.message);
  process.exitCode = 1;
}
