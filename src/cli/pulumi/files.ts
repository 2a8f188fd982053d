/** Reads files as the Pulumi CLI reads them. */
import { readFileSync, statSync } from "node:fs";
import { parseJson, tried } from "../../values/any.js";
import { parse } from "yaml";

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** The library prints warnings on standard error, and they quote the text. */
export const withoutWarnings = { logLevel: "error" } as const;

/** Undefined if the file is missing, or is not YAML or JSON in UTF-8. */
export function documentIn(file: string): unknown {
  return tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return file.endsWith(".json") ? parseJson(text) : (parse(text, withoutWarnings) as unknown);
  });
}
