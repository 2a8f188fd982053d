/** A progress bar for terminals. Elsewhere it writes nothing. */
import type { Row } from "./nights.ts";

const barWidth = 24;

export function progressLine(rows: readonly Row[], seconds: number, columns = 80): string {
  const done = rows.filter(({ state }) => state === "done");
  const failed = done.filter(({ outcome }) => outcome === "failed").length;
  const filled = rows.length === 0 ? barWidth : Math.floor((done.length / rows.length) * barWidth);
  const bar = "#".repeat(filled).padEnd(barWidth, "-");
  const deferred = rows.filter(({ state }) => state === "deferred").length;
  const parts = [
    `[${bar}] ${done.length}/${rows.length}`,
    `${Math.round(seconds)} s`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(deferred > 0 ? [`${deferred} wait for a lock`] : []),
  ];
  return parts.join("  ").slice(0, columns - 1);
}

export interface Progress {
  show(rows: readonly Row[]): void;
  clear(): void;
}

export function createProgress(stream: NodeJS.WriteStream, now: () => number = Date.now): Progress {
  const started = now();
  const clear = (): void => {
    if (stream.isTTY) stream.write("\r\u001b[K");
  };
  return {
    show(rows) {
      if (!stream.isTTY) return;
      clear();
      stream.write(progressLine(rows, (now() - started) / 1000, stream.columns));
    },
    clear,
  };
}
