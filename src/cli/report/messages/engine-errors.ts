/** Errors of the engine, of programs and of their hosts. The text of any exception may hold a secret, so only a part of it is shown. */
import { stripVTControlCharacters } from "node:util";
import { maskedText } from "../../../values/text.js";
import { safeText } from "../../output.js";
import type { EngineMessage } from "../../pulumi/preview-or-update.js";
import { typeIn } from "../situations/resources.js";
import { isOfStack, subjectLine, withoutPrefix } from "./message.js";

export function engineLines(
  { urn, message }: EngineMessage,
  nameOf: (urn: string) => string,
  secrets: readonly string[],
): string[] {
  if (!isOfStack(urn)) return [`${typeIn(urn)} ${nameOf(urn)} has a problem: see Pulumi's own output`];
  const text = withoutPrefix(message);
  const [first = "", ...rest] = text.split(/\r?\n/);
  // The summary says this: it is "update failed".
  if (/^\w+ failed$/.test(first)) return [];
  const ofYaml = yamlErrorLines(text);
  if (ofYaml.length > 0) return ofYaml;
  if (/\bunhandled exception:$/.test(first))
    return [`${first} ${maskedText(exceptionIn(rest), secrets) ?? ""}`.trim() + seeTheRest];
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")}${seeTheRest}` : first];
}

/** Node writes the exception above its trace, and Python below its own. The lines of both traces are indented. */
function exceptionIn(lines: readonly string[]): string | undefined {
  const [first, ...others] = lines.filter((line) => /^\S/.test(line));
  return first?.startsWith("Traceback ") ? others.at(-1) : first;
}

/**
 * The errors that the host of programs in YAML prints, each with its line; if a value has the wrong type, with its keys. The host also quotes the
 * program: that is left out, because it may contain a secret. Empty for the text of another host.
 */
function yamlErrorLines(text: string): string[] {
  const [, ...errors] = stripVTControlCharacters(text).split(/^Error: /m);
  const found = errors.map((error) => ({ error, place: placeIn(error), keys: wrongKeys(error) }));
  if (found.every(({ place, keys }) => place === undefined && keys.length === 0)) return [];
  return found.flatMap(({ error, place, keys }) => {
    if (keys.length > 0) return keys.map(({ key, text: what }) => subjectLine(key, place, what));
    const [first = ""] = error.split("\n", 1);
    return place === undefined ? first + seeTheRest : `${safeText(place)}: ${first}`;
  });
}

function placeIn(error: string): string | undefined {
  const [, file, line = ""] = /^ +on (.+) line (\d+):$/m.exec(error) ?? [];
  return file === undefined ? undefined : `${file}:${line}`;
}

/**
 * The innermost keys of a value that cannot be assigned, with what is wrong. The host indents each key by its depth:
 *
 *     Cannot assign '{recordings: {dayz: number}}' to 'Map<OrganizationRetention>':
 *       recordings: Cannot assign '{dayz: number}' to 'OrganizationRetention':
 *         days: Missing required property 'days'
 *         Existing properties are: days, enabled
 */
function wrongKeys(error: string): { key: string; text: string }[] {
  const [, tree = ""] = error.split(/^Cannot assign .*:$/m);
  const path: string[] = [];
  const wrong: { key: string; text: string }[] = [];
  for (const line of tree.split("\n")) {
    const last = wrong.at(-1);
    const [, detail] = /^ *((?:Allowed values|Existing properties) are\b.*)$/.exec(line) ?? [];
    const [, indent = "", key, text = ""] = /^( +)([^:]+): (.+)$/.exec(line) ?? [];
    if (detail !== undefined) {
      if (last) last.text = `${last.text.replace(/:$/, "")}. ${detail}`;
    } else if (key !== undefined) {
      // What ends with a colon is a key above this one.
      if (last?.text.endsWith(":")) wrong.pop();
      const depth = indent.length / 2;
      path.splice(depth - 1);
      path.push(key);
      wrong.push({ key: path.join("."), text });
    }
  }
  return wrong;
}

const seeTheRest = " (see Pulumi's own output for the rest)";
