/** Shows a night until it is over, then its summary. */
import { setTimeout } from "node:timers/promises";
import { withConnection } from "./database.ts";
import { rowsOf, type Row } from "./nights.ts";
import { createProgress } from "./progress.ts";
import { isFinished, summaryLines } from "./report.ts";

export async function follow(night: string, options: { readonly all?: boolean } = {}): Promise<Row[]> {
  return withConnection(async (client) => {
    const progress = createProgress(process.stderr);
    for (;;) {
      const rows = await rowsOf(client, night);
      progress.show(rows);
      if (isFinished(rows)) {
        progress.clear();
        console.log(summaryLines(rows, options).join("\n"));
        return rows;
      }
      await setTimeout(500);
    }
  });
}
