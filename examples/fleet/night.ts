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

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { all: { type: "boolean", default: false } },
  });
  const night = await withBoss((boss) => startNight(boss, positionals.length > 0 ? positionals : undefined));
  const rows = await follow(night, values);
  if (rows.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
});
