/**
 * Shows the newest night, also while it runs. Exit code 1: an organization failed.
 *
 *     npm run summary
 *     npm run summary -- --all         also a line for each skipped organization
 */
import { parseArgs } from "node:util";
import { withConnection } from "./database.ts";
import { main } from "./main.ts";
import { newestNight, rowsOf } from "./nights.ts";
import { summaryLines } from "./report.ts";

await main(async () => {
  const { values } = parseArgs({
    options: { all: { type: "boolean", default: false } },
  });
  await withConnection(async (client) => {
    const night = await newestNight(client);
    if (night === undefined) throw new Error("there was no night yet: npm run night");
    const rows = await rowsOf(client, night);
    console.log(`night of ${night}`);
    console.log(summaryLines(rows, values).join("\n"));
    if (rows.some(({ outcome }) => outcome === "failed")) process.exitCode = 1;
  });
});
