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
  const [first = "", ...rest] = withoutPrefix(message).trim().split(/\r?\n/);
  if (/^\w+ failed$/.test(first)) return [];
  const ofYaml = yamlErrorLines(message);
  if (ofYaml) return ofYaml;
  if (/\bunhandled exception:$/.test(first)) {
    // Python writes the exception last, below its traceback.
    const unindented = rest.filter((line) => /^\S/.test(line));
    const exception = unindented[0]?.startsWith("Traceback ") ? unindented.at(-1) : unindented[0];
    return [`${first} ${maskedText(exception, secrets) ?? ""}`.trim() + seeTheRest];
  }
  // The rest is a stack trace or the text of any exception, which may hold a secret.
  return [rest.length > 0 ? `${first.replace(/:$/, "")}${seeTheRest}` : first];
}

/**
 * The errors that the host of programs in YAML prints, each with its line; if a value has the wrong type, with its keys. The host also quotes the
 * program: that is left out, because it may contain a secret. Undefined for another text.
 */
function yamlErrorLines(message: string): string[] | undefined {
  const errors = stripVTControlCharacters(message)
    .split(/^Error: /m)
    .slice(1);
  const found = errors.map((error) => {
    const [, file, line] = /^ +on (.+) line (\d+):$/m.exec(error) ?? [];
    const place = file === undefined ? undefined : `${file}:${line ?? ""}`;
    const [first = ""] = error.split("\n", 1);
    const ofKeys = wrongKeys(error).map(({ key, text }) => subjectLine(key, place, text));
    const ofPlace = place === undefined ? undefined : [`${safeText(place)}: ${first}`];
    return { first, lines: ofKeys.length > 0 ? ofKeys : ofPlace };
  });
  if (found.every(({ lines }) => lines === undefined)) return undefined;
  return found.flatMap(({ first, lines }) => lines ?? [first + seeTheRest]);
}

/** The innermost keys of a value that cannot be assigned, with what is wrong: below "Cannot assign", the host indents each key by its depth. */
function wrongKeys(error: string): { key: string; text: string }[] {
  const [, tree = ""] = error.split(/^Cannot assign .*:$/m);
  const path: string[] = [];
  const wrong: { key: string; text: string }[] = [];
  for (const line of tree.split("\n")) {
    const [, detail] = /^ *((?:Allowed values|Existing properties) are\b.*)$/.exec(line) ?? [];
    const [, indent = "", key, text = ""] = /^( +)([^:]+): (.+)$/.exec(line) ?? [];
    const last = wrong.at(-1);
    if (detail !== undefined) {
      if (last) last.text = `${last.text.replace(/:$/, "")}. ${detail}`;
    } else if (key !== undefined) {
      // What ends with a colon is a key above this one.
      if (last?.text.endsWith(":")) wrong.pop();
      path.splice(indent.length / 2 - 1, Infinity, key);
      wrong.push({ key: path.join("."), text });
    }
  }
  return wrong;
}

const seeTheRest = " (see Pulumi's own output for the rest)";
