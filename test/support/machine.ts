/** What only some machines have. Tests that need it are skipped elsewhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { testWith } from "./programs";

type TestFunction = (title: string, run: jest.ProvidesCallback) => void;

/** Whether /proc says which processes there are, and what they have open. */
export const hasProc = existsSync("/proc/self/stat");

/** A file of each process in /proc, by the process's id. A process that ends meanwhile has none. */
export function ofEachProcess(file: "cmdline" | "environ"): ReadonlyMap<number, string> {
  const ids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const found = ids.flatMap((id): [number, string][] => {
    try {
      return [[Number(id), readFileSync(`/proc/${id}/${file}`, "utf8")]];
    } catch {
      return [];
    }
  });
  return new Map(found);
}

export const testOnLinux: TestFunction = (title, run) => {
  testWith({ missing: hasProc ? undefined : "there is no /proc" }, title, run);
};
