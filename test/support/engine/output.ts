/** What a project has printed and written, in the form that tests compare. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { secretMark } from "../marks";

/**
 * Removes the SDK's own debug messages from an event log. They show every answer of the engine, and no provider can
 * prevent it.
 */
export function withoutDebugMessages(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.includes('"severity":"debug"'))
    .join("\n");
}

/** Skips installed packages. Node's own recursive readdir follows links, and a package may be linked into itself. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === "node_modules" ? [] : filesBelow(path);
    return entry.isFile() ? [path] : [];
  });
}

/** Replaces secrets, which are encrypted differently each time, so that two states can be compared. */
export function hideSecret(_key: string, value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && secretMark in value;
  return isSecret ? "[secret]" : value;
}

/** "  ~ name    : 1" => "~ name: 1" */
export function tidy(text: string): string {
  return text
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " ").replaceAll(" : ", ": "))
    .join("\n");
}
