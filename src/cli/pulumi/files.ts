/** Reads files as the Pulumi CLI reads them. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { parseJson, tried } from "../../values/any.js";
import { parse } from "yaml";

export const isFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** A digest of what these files contain. */
export function digestOf(paths: readonly string[]): string {
  const contents = paths.map((path) => tried(() => (isFile(path) ? readFileSync(path, "base64") : undefined)));
  return createHash("sha256").update(JSON.stringify(contents)).digest("hex");
}

/** The library prints warnings on standard error, and they quote the text. */
export const withoutWarnings = { logLevel: "error" } as const;

/** Undefined if the file is missing, or is not YAML or JSON in UTF-8. */
export function documentIn(file: string): unknown {
  return tried(() => {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(readFileSync(file));
    return file.endsWith(".json") ? parseJson(text) : (parse(text, withoutWarnings) as unknown);
  });
}
