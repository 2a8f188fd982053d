/** What /proc says of the processes of this machine. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { tried } from "../../src/values/any";

/** Whether there is one. */
export const hasProc = existsSync("/proc/self/stat");

/** A file of each process, by the process's id. A process that ends meanwhile has none. */
export function ofEachProcess(file: "cmdline" | "environ"): ReadonlyMap<number, string> {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const texts = ids.map((id) => [Number(id), tried(() => readFileSync(`/proc/${id}/${file}`, "utf8"))] as const);
  return new Map(texts.flatMap(([id, text]): [number, string][] => (text === undefined ? [] : [[id, text]])));
}
