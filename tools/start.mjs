/**
 * `npm start`: applies a declared organization, from a new clone, without any other setup.
 *
 *     npm start              installs, gets an engine, and applies organization.yaml to an embedded control plane
 *     npm start -- --keep    the same, and leaves the control plane running until Ctrl-C
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { bootstrap } from "./bootstrap.mjs";
import { createProgress } from "./progress.mjs";

const log = createProgress(process.stdout);
try {
  const { values } = parseArgs({ options: { keep: { type: "boolean", default: false } } });
  log.line("\n[1/5] install the dependencies");
  process.exitCode = await bootstrap({
    log,
    script: "tools/start/index.mjs",
    args: values.keep ? ["--keep"] : [],
    installed: (how) => log.line(`      ${how}`),
  });
} catch (error) {
  log.line(error.message);
  process.exitCode = 1;
}
