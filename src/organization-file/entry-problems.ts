/** What is wrong with entries whose values are valid individually: what a resource refuses, and what two entries have in common. */
import type { LineCounter } from "yaml";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { Declarations, objectKey } from "../lifecycle/object.js";
import { resources } from "../resources/index.js";
import { isObject } from "../values/any.js";
import { problem, propertyOf, type Diagnostic } from "../values/diagnostic.js";
import type { Nodes } from "../yaml/nodes.js";
import { childrenOf, sectionNames, type Child } from "./entries.js";
import { formerlyProblems } from "./formerly.js";
import type { OrganizationFile } from "./schema.js";

/** The problems of a file whose values are valid individually. */
export function problemsBetweenFields(nodes: Nodes, lines: LineCounter, organization: OrganizationFile): Diagnostic[] {
  const placedAt = (path: readonly string[]) =>
    ` (${path.join(".")}, line ${lines.linePos(nodes.offsetOf(path, true)).line})`;
  return sectionNames.flatMap((section) => {
    const children = childrenOf(section, "", organization, plainReader);
    return [
      ...children.flatMap((child) => problemsOfEntry(child, organization[section]?.[child.key])),
      ...duplicateIds(children),
      ...formerlyProblems(section, organization[section], placedAt),
    ];
  });
}

const plainReader: Parameters<typeof childrenOf>[3] = {
  members: (map) => (isObject(map) ? Object.entries(map) : []),
  map: (value, change) => change(value),
};

/** What the resource refuses of an entry. Its arguments have their names in the entry. */
function problemsOfEntry({ section, key, type, args }: Child, entry: unknown): Diagnostic[] {
  const { lifecycle, section: of } = resources[type];
  const refused = problemsOfArgs(lifecycle, args);
  if (refused.length === 0) return [];
  const isUndecided = refused.some((each) => propertyOf(each) === "onCreate");
  // Another problem shows only in arguments that are valid individually.
  const others = isUndecided ? problemsOfArgs(lifecycle, { ...args, onCreate: of.inherits.at(-1) }) : refused;
  const names = Object.entries(of.names).filter(([name]) => memberAt(entry, name) !== undefined);
  const written = others.map((each) => {
    const [name] = names.find(([, argument]) => argument === propertyOf(each)) ?? [];
    return name === undefined ? each : { ...each, path: name.split(".") };
  });
  const undecided = isUndecided ? [problem("missing", `is missing: ${of.onCreateAdvice}`, ["onCreate"])] : [];
  return [...undecided, ...written].map((each) => ({ ...each, path: [section, key, ...(each.path ?? [])] }));
}

const memberAt = (value: unknown, path: string): unknown =>
  path.split(".").reduce((node, key) => (isObject(node) ? node[key] : undefined), value);

function duplicateIds(children: readonly Child[]): Diagnostic[] {
  const declarations = new Declarations<string>();
  return children.flatMap(({ section, key, type, args }) => {
    const { lifecycle, section: of } = resources[type];
    const other = declarations.add(objectKey(type, String(args[lifecycle.identity]), "the file"), key);
    if (other === undefined) return [];
    const [name = lifecycle.identity] =
      Object.entries(of.names).find(([, argument]) => argument === lifecycle.identity) ?? [];
    return [problem("duplicate-id", `has the same id as ${section}.${other}`, [section, key, name])];
  });
}
