/** What is wrong with entries whose values are valid individually: what a resource refuses, and what two entries have in common. */
import type { LineCounter } from "yaml";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import { Declarations, objectKey } from "../lifecycle/object.js";
import { resources } from "../resources/index.js";
import { valueAt } from "../schema/problems.js";
import { isObject } from "../values/any.js";
import { problem, propertyOf, type Diagnostic } from "../values/diagnostic.js";
import type { Nodes } from "../yaml/nodes.js";
import { childrenOf, pathInEntry, sectionNames, type Child } from "./entries.js";
import { formerlyProblems } from "./formerly.js";
import type { OrganizationFile } from "./schema.js";

/** The problems of a file whose values are valid individually. */
export function problemsBetweenFields(nodes: Nodes, lines: LineCounter, organization: OrganizationFile): Diagnostic[] {
  const whereIs = (path: readonly string[]) =>
    ` (${path.join(".")}, line ${lines.linePos(nodes.offsetOf(path, true)).line})`;
  return sectionNames.flatMap((section) => {
    const children = childrenOf(section, "", organization, plainReader);
    return [
      ...children.flatMap((child) => problemsOfEntry(child, organization[section]?.[child.key])),
      ...duplicateIds(children),
      ...formerlyProblems(section, organization[section], whereIs),
    ];
  });
}

const plainReader: Parameters<typeof childrenOf>[3] = {
  members: (map) => (isObject(map) ? Object.entries(map) : []),
  map: (value, change) => change(value),
};

/** What the resource refuses of an entry. Its arguments have their names in the entry. */
function problemsOfEntry({ section, key, type, args }: Child, entry: unknown): Diagnostic[] {
  const { lifecycle, section: rules } = resources[type];
  const refused = problemsOfArgs(lifecycle, args);
  if (refused.length === 0) return [];
  const isUndecided = refused.some((each) => propertyOf(each) === "onCreate");
  // Another problem shows only in arguments that are valid individually.
  const others = isUndecided ? problemsOfArgs(lifecycle, { ...args, onCreate: rules.inherits.at(-1) }) : refused;
  const undecided = isUndecided ? [problem("missing", `is missing: ${rules.onCreateAdvice}`, ["onCreate"])] : [];
  return [...undecided, ...others].map((each) => {
    const { path = [] } = each;
    const renamed = pathInEntry(type, path);
    // An entry may write a member of `onDelete` as the argument does.
    const written = valueAt(entry, renamed) === undefined ? path : renamed;
    return { ...each, path: [section, key, ...written] };
  });
}

function duplicateIds(children: readonly Child[]): Diagnostic[] {
  const declarations = new Declarations<string>();
  return children.flatMap(({ section, key, type, args }) => {
    const { identity } = resources[type].lifecycle;
    const other = declarations.add(objectKey(type, String(args[identity]), "the file"), key);
    if (other === undefined) return [];
    const path = [section, key, ...pathInEntry(type, [identity])];
    return [problem("duplicate-id", `has the same id as ${section}.${other}`, path)];
  });
}
