/** How the entries of an organization become resources. */
import { resources, type ResourceType } from "../resources/index.js";
import type { Section } from "../resources/section.js";
import { isObject } from "../values/any.js";
import { caution, ownerText, type Diagnostic } from "../values/diagnostic.js";
import { unknownValue } from "../values/engine.js";
import { formerlyKey, formerNames, plain } from "./formerly.js";

export type SectionName = (typeof resources)[ResourceType]["section"]["name"];

type OwnSection = Section & { readonly type: ResourceType };

const sections = Object.fromEntries(
  Object.entries(resources).map(([type, { section }]) => [section.name, { type, ...section }]),
) as Readonly<Record<SectionName, OwnSection>>;

export const sectionNames = Object.keys(sections) as SectionName[];
export const sectionOf = (name: SectionName): OwnSection => sections[name];

/**
 * Options that the resources of an Organization do not get, since each of them means the properties or the actions of one resource.
 *
 * @param given the names of the options that were given to it
 */
export function droppedOptions(name: string, given: readonly string[]): Diagnostic | undefined {
  const single = [
    "ignoreChanges",
    "replaceOnChanges",
    "deleteBeforeReplace",
    "replaceWith",
    "replacementTrigger",
    "additionalSecretOutputs",
    "hooks",
  ];
  const dropped = single.filter((option) => given.includes(option)).join(", ");
  if (dropped === "") return undefined;
  const text =
    `${ownerText("Organization", name)}: its resources do not get these options: ${dropped}. ` +
    "Declare the resource that needs them by itself, for example as a RetentionPolicy.";
  return caution("option-ignored", text);
}

export interface Child {
  readonly section: SectionName;
  readonly key: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** The names that the resource had as another entry. */
  readonly aliases: readonly string[];
}

/** How a program or the plugin reads values that may be secret or unknown. */
interface ValueReader {
  /** The members of a map; none if it is unknown. */
  members(map: unknown): [name: string, value: unknown][];
  /** Applies `change` to the value, now or once it is known. */
  map(value: unknown, change: (plain: unknown) => unknown): unknown;
}

/** The resources that a section of the organization `name` declares. An unknown entry declares none. */
export function childrenOf(
  section: SectionName,
  name: string,
  organization: Readonly<Partial<Record<SectionName | "onCreate", unknown>>>,
  reader: ValueReader,
): Child[] {
  const of = sectionOf(section);
  const onCreate = plain(organization.onCreate);
  return reader.members(organization[section]).flatMap(([key, entry]) => {
    if (entry === undefined || entry === unknownValue) return [];
    const members = reader.members(entry);
    const former = members.flatMap(([property, value]) => (property === formerlyKey ? formerNames(value) : []));
    const args = members.flatMap(([property, value]): [string, unknown][] => {
      if (property === formerlyKey) return [];
      const change = changeOf(of, property);
      return [[of.names[property] ?? property, change ? reader.map(value, change) : value]];
    });
    if (of.key !== undefined) args.push([of.key, key]);
    const isInherited = typeof onCreate === "string" && of.inherits.includes(onCreate);
    if (isInherited && !args.some(([property]) => property === "onCreate")) args.push(["onCreate", onCreate]);
    return [
      {
        section,
        key,
        type: of.type,
        name: `${name}-${key}`,
        args: Object.fromEntries(args),
        aliases: former.map((old) => `${name}-${String(old)}`),
      },
    ];
  });
}

/** What makes the argument's value of an entry's; undefined if they are the same. */
function changeOf({ names, values }: Section, property: string): ((plain: unknown) => unknown) | undefined {
  const own = values?.[property];
  // Any other text becomes undefined, which the resource refuses.
  if (own) return (text) => new Map<unknown, boolean>(Object.entries(own)).get(text);
  const members = Object.entries(names).filter(([name]) => name.startsWith(`${property}.`));
  if (members.length === 0) return undefined;
  const renamed = new Map(
    members.map((pair) => pair.map((path) => path.slice(path.indexOf(".") + 1)) as [string, string]),
  );
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [renamed.get(name) ?? name, member]))
      : value;
}

/** The path of an argument in the entry that declares it: `days` for `retentionDays`. @param type of the resource */
export function pathInEntry(type: string, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const of = Object.values(sections).find((section) => section.type === type);
  const argument = path.map(String).join(".");
  const [name] = Object.entries(of?.names ?? {}).find(([, each]) => each === argument) ?? [];
  return name === undefined ? path : name.split(".");
}
