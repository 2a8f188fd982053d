/** Reads files as the Pulumi CLI reads them. */
import { readFileSync, statSync } from "node:fs";
import { parseJson, tried } from "../values.js";
import { parse } from "yaml";

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** Undefined if the file is missing, or is not YAML or JSON in UTF-8. */
export function documentIn(file: string): unknown {
  return tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return file.endsWith(".json") ? parseJson(text) : (parse(text) as unknown);
  });
}
