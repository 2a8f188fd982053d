/** The files of this repository. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

export const root = resolve(__dirname, "../..");

/** @param file its path from the root */
export const read = (file: string): string => readFileSync(join(root, file), "utf8");
