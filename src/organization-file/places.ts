/** Finds the line of an organization file, or of a program in YAML, that declares a change. */
import { resolve } from "node:path";
import { LineCounter, isScalar } from "yaml";
import { printable } from "../values/text.js";
import { contentOf } from "./content.js";
import { parseYaml } from "../yaml/document.js";
import { resources } from "../resources/index.js";
import { pathInEntry, sectionNames, sectionOf } from "./entries.js";
import { Nodes, startOf } from "../yaml/nodes.js";

export interface ChangedResource {
  readonly type: string;
  readonly name: string;
  /** The name of its Organization, and the key of its entry there. Undefined for a resource that is no entry. */
  readonly organization?: string | undefined;
  readonly key?: string | undefined;
  /** The object's id, if it is known. */
  readonly id: unknown;
  readonly edited: readonly string[];
}

/** The first line with a changed argument, such as "organization.yaml:12"; otherwise the line of the name. */
export type PlaceOf = (resource: ChangedResource) => string | undefined;

const nowhere: PlaceOf = () => undefined;

/**
 * @param name the file's name, from the stack's configuration. That is not trusted: only a file in an allowed folder is read
 * @param isProgram whether the file is a program in YAML
 */
export function placesIn(folder: string, name: string, isProgram = false): PlaceOf {
  const content = contentOf(resolve(folder, name), folder);
  return typeof content === "string" ? nowhere : placesInText(Buffer.from(content).toString(), name, isProgram);
}

/** @param name the file's name, as it is shown */
export function placesInText(text: string, name: string, isProgram = false): PlaceOf {
  const lines = new LineCounter();
  const { document, problems } = parseYaml(text, lines);
  if (problems.length > 0) return nowhere;
  const nodes = new Nodes(document.contents);
  return (resource) => {
    const offset = isProgram ? offsetInProgram(nodes, resource) : offsetOf(nodes, resource);
    return offset === undefined ? undefined : `${printable(name)}:${lines.linePos(offset).line}`;
  };
}

function offsetInProgram(nodes: Nodes, { organization, ...resource }: ChangedResource): number | undefined {
  const { name, edited } = resource;
  const at = ["resources", organization ?? name, "properties"];
  // Without the id, which the program may compute: the name is enough, because a program has each name once.
  if (organization !== undefined) return offsetOf(nodes.below(at), { ...resource, id: undefined });
  return firstOffset(nodes.below(at), [], edited) ?? startOf(nodes.pairAt(["resources", name])?.key);
}

function firstOffset(nodes: Nodes, path: readonly string[], names: readonly string[]): number | undefined {
  const offsets = names.flatMap((name) => startOf(nodes.pairAt([...path, name])?.key) ?? []);
  return offsets.length > 0 ? Math.min(...offsets) : undefined;
}

function offsetOf(nodes: Nodes, { type, key, id, edited }: ChangedResource): number | undefined {
  const name = sectionNames.find((each) => sectionOf(each).type === type);
  if (name === undefined || key === undefined) return undefined;
  const section = sectionOf(name);
  const { identity } = resources[section.type].lifecycle;
  const inEntry = (argument: string): string => String(pathInEntry(type, [argument])[0]);
  const entry = nodes.pairAt([name, key]);
  // An entry with this key is another object if its id differs: the file may be another organization's.
  const idNode = nodes.at([name, key, inEntry(identity)]);
  const idInFile = isScalar(idNode) ? idNode.value : undefined;
  if (!entry || (id !== undefined && (section.key === identity ? key : idInFile) !== id)) return undefined;
  const inFile = edited.map(inEntry);
  return firstOffset(nodes, [name, key], inFile) ?? startOf(entry.key);
}
