/** How the entries of an organization become resources. */
import { resources, type ResourceType } from "../resources/index.js";
import type { Section } from "../resources/definition.js";
import { isObject, membersOf, type Values } from "../values/any.js";
import { ownerText, problem, warning, type Diagnostic } from "../values/diagnostic.js";
import { containsUnknown, isSecret, unknownValue } from "../values/engine.js";

export type SectionName = (typeof resources)[ResourceType]["section"]["name"];

type OwnSection = Section & { readonly type: ResourceType };

const sections = Object.fromEntries(
  Object.entries(resources).map(([type, { section }]) => [section.name, { type, ...section }]),
) as Readonly<Record<SectionName, OwnSection>>;

export const sectionNames = Object.keys(sections) as SectionName[];
export const sectionOf = (name: SectionName): OwnSection => sections[name];

/**
 * The warning about options that the resources of an Organization do not get, since each of them means the properties or the actions of one
 * resource.
 *
 * @param given the names of the options that the Organization was given
 */
export function droppedOptions(name: string, given: readonly string[]): Diagnostic | undefined {
  const ofOneResource = [
    "ignoreChanges",
    "replaceOnChanges",
    "deleteBeforeReplace",
    "replaceWith",
    "replacementTrigger",
    "additionalSecretOutputs",
    "hooks",
  ];
  const dropped = ofOneResource.filter((option) => given.includes(option)).join(", ");
  if (dropped === "") return undefined;
  const text =
    `${ownerText("Organization", name)}: its resources do not get these options: ${dropped}. ` +
    "Declare the resource that needs them by itself, for example as a RetentionPolicy.";
  return warning("option-ignored", text);
}

/** The resource that an entry declares. */
export interface Child {
  readonly section: SectionName;
  readonly key: string;
  readonly type: ResourceType;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** What the resource was, by `formerly`: an entry of that name, or a resource of that name directly under the stack. */
  readonly former: readonly { readonly name: string; readonly isEntry: boolean }[];
}

/** How a program or the plugin reads values that may be secret or unknown. */
interface ValueReader {
  /** The members of a map; none if it is unknown. */
  members(map: unknown): [name: string, value: unknown][];
  /** Applies `change` to the value, now or once it is known. */
  map(value: unknown, change: (plain: unknown) => unknown): unknown;
}

const plainReader: ValueReader = {
  members: (map) => Object.entries(membersOf(map)),
  map: (value, change) => change(value),
};

/** The resources that a section of the organization `name` declares. An unknown entry declares none. */
export function childrenOf(
  section: SectionName,
  name: string,
  organization: Readonly<Partial<Record<SectionName | "onCreate", unknown>>>,
  reader = plainReader,
): Child[] {
  const rules = sectionOf(section);
  const { type, names, key: keyArgument, inherits } = rules;
  const onCreate = unmarked(organization.onCreate);
  return reader.members(organization[section]).flatMap(([key, entry]) => {
    if (entry === undefined || entry === unknownValue) return [];
    const { [formerlyKey]: formerly, ...properties } = Object.fromEntries(reader.members(entry));
    const args: Values = Object.fromEntries(
      Object.entries(properties).map(([property, value]) => {
        const change = conversionOf(rules, property);
        return [ownOf(names, property) ?? property, change ? reader.map(value, change) : value];
      }),
    );
    if (keyArgument !== undefined) args[keyArgument] = key;
    const isInherited = typeof onCreate === "string" && inherits.includes(onCreate);
    if (isInherited && !("onCreate" in args)) args.onCreate = onCreate;
    const former = formerNames(formerly).flatMap((old) => [
      { name: `${name}-${String(old)}`, isEntry: true },
      { name: String(old), isEntry: false },
    ]);
    return [{ section, key, type, name: `${name}-${key}`, args, former }];
  });
}

/** The object's own member. A program without type checking may call a property "constructor", which every object inherits. */
const ownOf = <Value>(object: Readonly<Record<string, Value>> = {}, name: string): Value | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** How a property's value in an entry becomes the argument's value; undefined if it stays as it is. */
function conversionOf({ names, values }: Section, property: string): ((plain: unknown) => unknown) | undefined {
  const known = ownOf(values, property);
  // Any other text becomes undefined, which the resource refuses.
  if (known) return (text) => new Map<unknown, boolean>(Object.entries(known)).get(text);
  const members = Object.entries(names).filter(([name]) => name.startsWith(`${property}.`));
  if (members.length === 0) return undefined;
  const lastKey = (path: string) => path.slice(path.indexOf(".") + 1);
  const renamed = new Map(members.map(([name, argument]) => [lastKey(name), lastKey(argument)]));
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, member]) => [renamed.get(name) ?? name, member]))
      : value;
}

/** The path of an argument in the entry that declares it: `days` for `retentionDays`. @param type of the resource */
export function pathInEntry(type: string, path: readonly PropertyKey[]): readonly PropertyKey[] {
  const section = Object.values(sections).find((each) => each.type === type);
  const argument = path.map(String).join(".");
  const [name] = Object.entries(section?.names ?? {}).find(([, each]) => each === argument) ?? [];
  return name === undefined ? path : name.split(".");
}

/** The property of an entry with its former names: one name, or a list. */
export const formerlyKey = "formerly";

const unmarked = (value: unknown): unknown => (isSecret(value) ? value.value : value);

const formerNames = (formerly: unknown = []): readonly unknown[] => [unmarked(formerly)].flat().map(unmarked);

/** The problems of the former names in a section. A name must be free: only one resource can take over a state. */
export function formerlyProblems(section: string, entries: unknown): Diagnostic[] {
  const owners = new Map(Object.keys(membersOf(entries)).map((key) => [key, key]));
  return Object.entries(membersOf(entries)).flatMap(([key, entry]) =>
    formerNames(membersOf(entry)[formerlyKey]).flatMap((name) => {
      const found = (text: string) => [problem("former-name", text, [section, key, formerlyKey])];
      if (typeof name !== "string" || containsUnknown(name))
        return found("must be a name of an entry, or a list of such names, known before the run");
      const owner = owners.get(name) ?? key;
      owners.set(name, owner);
      return owner === key
        ? []
        : found(`${name}: the entry ${owner} has this name too, or had it: remove it there or here`);
    }),
  );
}
