/**
 * Starts a night now, instead of at its hour, and shows it until it is over. Workers have to be running. Exit code 1: an
 * organization failed.
 *
 *     npm run night
 *     npm run night -- acme globex     only these
 *     npm run night -- --all           also a line for each skipped organization
 */
import { parseArgs } from "node:util";
import { follow } from "./follow.ts";
import { main } from "./main.ts";
import { startNight } from "./nights.ts";
import { withBoss } from "./queue.ts";
import { organizationNames } from "./settings.ts";

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean", default: false } },
  });
  const known = organizationNames();
  const unknown = positionals.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`there is no organizations/${unknown.join(".yaml, organizations/")}.yaml`);
  const night = await withBoss((boss) => startNight(boss, positionals.length > 0 ? positionals : known));
  const rows = await follow(night, values);
  if (rows.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
});
