/** Shows a night until it is over, then its summary. */
import { setTimeout } from "node:timers/promises";
import pg from "pg";
import { withConnection } from "./database.ts";
import { explained } from "./errors.ts";
import { rowsOf, type Row } from "./nights.ts";
import { createProgress } from "./progress.ts";
import { isFinished, summaryLines } from "./report.ts";

const pollMs = 500;

export async function follow(night: string, options: { readonly all?: boolean } = {}): Promise<Row[]> {
  const progress = createProgress(process.stderr);
  let last = "";
  for (;;) {
    try {
      const rows = await withConnection(async (client) => {
        for (;;) {
          const rows = await rowsOf(client, night);
          progress.show(rows);
          if (isFinished(rows)) return rows;
          await setTimeout(pollMs);
        }
      });
      progress.clear();
      console.log(summaryLines(rows, options).join("\n"));
      return rows;
    } catch (error) {
      if (!mayPass(error)) throw error;
      // The workers go on when it is back, and so does the night.
      const line = explained(error);
      if (line !== last) console.error(`${line}; the night goes on, and is shown again when PostgreSQL answers`);
      last = line;
      await setTimeout(pollMs);
    }
  }
}

/** Without an answer, and while PostgreSQL stops, starts or has no room for another connection. */
const mayPass = (error: unknown): boolean =>
  !(error instanceof pg.DatabaseError) || /^(08|53|57)/.test(error.code ?? "");
