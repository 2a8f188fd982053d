/** Finds the line of an organization file, or of a program in YAML, that declares a change. */
import { resolve } from "node:path";
import { printable } from "../values/text.js";
import { valueAt } from "../schema/problems.js";
import { readYaml, type YamlDocument } from "../yaml/document.js";
import { resources } from "../resources/index.js";
import { contentOf } from "./content.js";
import { pathInEntry, sectionNames, sectionOf } from "./entries.js";

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

/**
 * @param name the file's name, from the stack's configuration. That is not trusted: only a file in an allowed folder is read
 * @param isProgram whether the file is a program in YAML
 */
export function placesIn(folder: string, name: string, isProgram = false): PlaceOf {
  const content = contentOf(resolve(folder, name), folder);
  return typeof content === "string" ? () => undefined : placesInText(Buffer.from(content).toString(), name, isProgram);
}

/** @param name the file's name, as it is shown */
export function placesInText(text: string, name: string, isProgram = false): PlaceOf {
  const yaml = readYaml(text);
  return (resource) => {
    const path = isProgram ? pathInProgram(resource) : pathInFile(resource, yaml);
    if (path === undefined) return undefined;
    const { type, key, edited } = resource;
    const names = key === undefined ? edited : edited.map((each) => String(pathInEntry(type, [each])[0]));
    const lines = names.flatMap((each) => yaml.placeOfKey([...path.values, each])?.line ?? []);
    const line = lines.length > 0 ? Math.min(...lines) : yaml.placeOfKey(path.declared)?.line;
    return line === undefined ? undefined : `${printable(name)}:${line}`;
  };
}

/** Where a resource is declared, and where its arguments are. */
interface DeclaredAt {
  readonly declared: readonly string[];
  readonly values: readonly string[];
}

const sectionOfType = (type: string) => sectionNames.find((each) => sectionOf(each).type === type);

function pathInProgram({ type, name, organization, key }: ChangedResource): DeclaredAt | undefined {
  const section = sectionOfType(type);
  const declared = ["resources", organization ?? name];
  const properties = [...declared, "properties"];
  if (organization === undefined) return { declared, values: properties };
  if (section === undefined || key === undefined) return undefined;
  return { declared: [...properties, section, key], values: [...properties, section, key] };
}

/** An entry with this key is another object if its id differs: the file may be another organization's. */
function pathInFile({ type, key, id }: ChangedResource, yaml: YamlDocument): DeclaredAt | undefined {
  const section = sectionOfType(type);
  if (section === undefined || key === undefined) return undefined;
  const entry = [section, key];
  const { identity } = resources[sectionOf(section).type].lifecycle;
  const inFile =
    sectionOf(section).key === identity ? key : valueAt(yaml.value, [...entry, ...pathInEntry(type, [identity])]);
  return id === undefined || inFile === id ? { declared: entry, values: entry } : undefined;
}
