/** Finds the line of an organization file, or of a program in YAML, that declares a change. */
import { resolve } from "node:path";
import { LineCounter, isScalar } from "yaml";
import { printable } from "../values/text.js";
import { contentOf } from "./content.js";
import { parseYaml } from "../yaml/document.js";
import { sectionNames, sectionOf } from "./entries.js";
import { Nodes, startOf } from "../yaml/nodes.js";

export interface Entry {
  readonly type: string;
  /** The name of the resource. */
  readonly name: string;
  /** The name of its Organization, and its key there; undefined for a resource of its own. */
  readonly organization?: string | undefined;
  readonly key?: string | undefined;
  /** The object's id; undefined if it is not known. */
  readonly id: unknown;
  /** The arguments that changed. */
  readonly edited: readonly string[];
}

/** The first changed line, such as "organization.yaml:12"; otherwise the line of the entry; undefined if it is not in the file. */
export type PlaceOf = (entry: Entry) => string | undefined;

const nowhere: PlaceOf = () => undefined;

/**
 * @param name from the stack's configuration, which is not trusted: only a file in a folder that is allowed is read
 * @param isProgram whether it is a program in YAML
 */
export function placesIn(folder: string, name: string, isProgram = false): PlaceOf {
  const content = contentOf(resolve(folder, name), folder);
  return typeof content === "string" ? nowhere : placesInText(Buffer.from(content).toString(), name, isProgram);
}

/** @param name the name of the file, to show */
export function placesInText(text: string, name: string, isProgram = false): PlaceOf {
  const lines = new LineCounter();
  const { document, problems } = parseYaml(text, lines);
  if (!document || problems.length > 0) return nowhere;
  const nodes = Nodes.of(document, lines);
  return (entry) => {
    const offset = isProgram ? offsetInProgram(nodes, entry) : offsetOf(nodes, entry);
    return offset === undefined ? undefined : `${printable(name)}:${lines.linePos(offset).line}`;
  };
}

function offsetInProgram(nodes: Nodes, { organization, ...entry }: Entry): number | undefined {
  const { name, edited } = entry;
  // The name says which object it is. The id may be computed by the program.
  const at = ["resources", organization ?? name, "properties"];
  if (organization !== undefined) return offsetOf(nodes.below(at), { ...entry, id: undefined });
  return firstOf(nodes.below(at), [], edited) ?? startOf(nodes.pairAt(["resources", name])?.key);
}

/** The first of these arguments. */
function firstOf(nodes: Nodes, path: readonly string[], names: readonly string[]): number | undefined {
  const offsets = names.flatMap((name) => startOf(nodes.pairAt([...path, name])?.key) ?? []);
  return offsets.length > 0 ? Math.min(...offsets) : undefined;
}

function offsetOf(nodes: Nodes, { type, key, id, edited }: Entry): number | undefined {
  const name = sectionNames.find((each) => sectionOf(each).type === type);
  if (name === undefined || key === undefined) return undefined;
  const section = sectionOf(name);
  const entry = nodes.pairAt([name, key]);
  // An entry of the same name may belong to another organization or file.
  const idNode = nodes.at([name, key, "id"]);
  const idInFile = isScalar(idNode) ? idNode.value : undefined;
  if (!entry || (id !== undefined && (section.key === undefined ? idInFile : key) !== id)) return undefined;
  const names = Object.entries(section.names);
  const inFile = edited.map((argument) => names.find(([, each]) => each === argument)?.[0] ?? argument);
  return firstOf(nodes, [name, key], inFile) ?? startOf(entry.key);
}
