/** The line of the organization file that declares a change. */
import { readFileSync, statSync } from "node:fs";
import path from "node:path";
import { LineCounter, isAlias, isMap, isScalar, parseDocument, type Document, type Pair } from "yaml";
import { printable } from "../client/printable.js";
import type { Step } from "../engine/preview.js";
import { editsOf, entryKeyOf, typeIn } from "./resources.js";

/** "organization.yaml:12"; undefined if the file does not declare it. */
export type PlaceOf = (step: Step) => string | undefined;

const nowhere: PlaceOf = () => undefined;

/** Larger than any organization file. The preview may name any file. */
const maxBytes = 4_194_304;

/** @param name from the stack's configuration, which a stranger may have written: only a file in this folder is read */
export function placesIn(folder: string, name: string): PlaceOf {
  const file = path.resolve(folder, name);
  const relative = path.relative(folder, file);
  if (relative.startsWith("..") || path.isAbsolute(relative)) return nowhere;
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile() || stats.size > maxBytes) return nowhere;
  return placesInText(readFileSync(file, "utf8"), name);
}

/** @param name the file, for people */
export function placesInText(text: string, name: string): PlaceOf {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  if (document.errors.length > 0) return nowhere;
  return (step) => {
    const pair = declarationOf(document, step);
    const start = pair && startOf(pair.key);
    return start === undefined ? undefined : `${printable(name)}:${lines.linePos(start).line}`;
  };
}

interface Section {
  readonly key: string;
  readonly identity: string;
  /** Inputs that have another name in the file. */
  readonly renamed: Readonly<Record<string, string>>;
}

const sections: Readonly<Partial<Record<string, Section>>> = {
  RetentionPolicy: { key: "retention", identity: "resource", renamed: { retentionDays: "days" } },
  NetworkPolicy: { key: "networkPolicies", identity: "networkPolicyId", renamed: {} },
  TrunkOutboundAuth: { key: "trunks", identity: "trunkId", renamed: { cleared: "outboundAuth" } },
  WebhookSecret: { key: "webhooks", identity: "webhookId", renamed: {} },
};

/** The first changed line, otherwise that of the entry. */
function declarationOf(document: Document, step: Step): Pair | undefined {
  const section = sections[/(\w+)$/.exec(typeIn(step.urn))?.[1] ?? ""];
  const key = entryKeyOf(step);
  const id = step.after?.inputs[section?.identity ?? ""];
  if (!section || key === undefined) return undefined;
  const entry = below(below(document.contents, section.key, document)?.value, key, document);
  // An entry of the same name may belong to another organization or file.
  const own = section.key === "retention" ? key : scalarOf(below(entry?.value, "id", document)?.value);
  if (!entry || own !== id) return undefined;
  const edits = step.before ? editsOf(step.before.inputs, step.after?.inputs ?? {}) : [];
  const pairs = edits.flatMap(
    ({ property }) => below(entry.value, section.renamed[property] ?? property, document) ?? [],
  );
  return pairs.sort((a, b) => (startOf(a.key) ?? 0) - (startOf(b.key) ?? 0))[0] ?? entry;
}

/** The pair of a map or of an alias to one. */
function below(node: unknown, key: string, document: Document): Pair | undefined {
  const map = isAlias(node) ? node.resolve(document) : node;
  return isMap(map) ? map.items.find((item) => isScalar(item.key) && String(item.key.value) === key) : undefined;
}

function scalarOf(node: unknown): unknown {
  return isScalar(node) ? node.value : undefined;
}

function startOf(node: unknown): number | undefined {
  return isScalar(node) ? node.range?.[0] : undefined;
}
