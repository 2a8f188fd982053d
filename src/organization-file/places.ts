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
    const { type, key, organization, edited } = resource;
    const declared = declaredAt(resource, isProgram ? undefined : yaml);
    if (declared === undefined) return undefined;
    const values = isProgram && organization === undefined ? [...declared, "properties"] : declared;
    const names = key === undefined ? edited : edited.map((each) => String(pathInEntry(type, [each])[0]));
    const lines = names.flatMap((each) => yaml.placeOfKey([...values, each])?.line ?? []);
    const line = lines.length > 0 ? Math.min(...lines) : yaml.placeOfKey(declared)?.line;
    return line === undefined ? undefined : `${printable(name)}:${line}`;
  };
}

/** The path of what declares the resource. @param file undefined for a program */
function declaredAt({ type, name, organization, key, id }: ChangedResource, file?: YamlDocument): string[] | undefined {
  if (!file && organization === undefined) return ["resources", name];
  const section = sectionNames.find((each) => sectionOf(each).type === type);
  if (section === undefined || key === undefined) return undefined;
  if (!file) return ["resources", organization ?? "", "properties", section, key];
  // An entry with this key is another object if its id differs: the file may be another organization's.
  const { type: known, key: keyArgument } = sectionOf(section);
  const { identity } = resources[known].lifecycle;
  const idPath = [section, key, ...pathInEntry(type, [identity])];
  const inFile = keyArgument === identity ? key : valueAt(file.value, idPath);
  return id === undefined || inFile === id ? [section, key] : undefined;
}
