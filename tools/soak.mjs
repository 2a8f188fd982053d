/**
 * `npm run test:soak`: tests random servers and histories with new seeds for as long as asked.
 *
 *     npm run test:soak -- --minutes 60                        default: 10
 *     npm run test:soak -- --seed 123 [--path 4:0] --property "a call ends as the server's last answer says …"
 *                                                               repeats a violation; a part of the name is enough
 */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { root } from "./bootstrap.mjs";

/** Time for one property in one round, in ms. Short enough that all properties have a turn within about a minute. */
const turnMs = "4000";

const tests = ["test/unit/resources/conformance", "test/unit/resources/webhook-secret/rotation-model"];
// Jest says nothing of a name that matches no test, if another name does.
const missing = tests.filter((name) => !existsSync(path.join(root, name)));
if (missing.length > 0) throw new Error(`there is no ${missing.join(", ")}`);

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string" },
    path: { type: "string" },
    property: { type: "string", default: "" },
  },
});

const env = { ...process.env, ...(values.path && { SOAK_PATH: values.path }) };
// Jest selects tests by a regular expression.
const property = values.property.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
const args = ["node_modules/jest/bin/jest.js", "--runInBand", ...tests, "-t", property];
const end = performance.now() + Number(values.minutes) * 60_000;
let status;
do {
  const seed = values.seed ?? String(Math.floor(Math.random() * 2 ** 31));
  const more = { SOAK_SEED: seed, SOAK_MS: values.seed === undefined ? turnMs : "0" };
  ({ status } = spawnSync(process.execPath, args, { cwd: root, env: { ...env, ...more }, stdio: "inherit" }));
} while (status === 0 && values.seed === undefined && performance.now() < end);
process.exitCode = status ?? 1;
