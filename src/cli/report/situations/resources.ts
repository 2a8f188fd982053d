/** The resource types of a report, and names for people. */
import { organizationType, urnParts } from "../../../values/engine.js";
import { resourceTypeOf, resources } from "../../../resources/index.js";
import type { Lifecycle } from "../../../lifecycle/lifecycle.js";
import type { ChangedResource } from "../../../organization-file/places.js";

/** @param token the engine's name of the type, dynamic or native @returns undefined for a type of another package */
export function lifecycleOf(token: string): Lifecycle | undefined {
  const type = resourceTypeOf(token);
  return type && resources[type].lifecycle;
}

/** Whether sentences call an object of this type by its id. */
export const isCalledByItsId = (type: string): boolean =>
  Object.values(resources).some(({ lifecycle }) => lifecycle.type === type && lifecycle.subject !== undefined);

/** The whole name, to find a resource by. What people read has the names of `cli/pulumi/names.ts`, which cuts long ones. */
export const wholeNameIn = (urn: string): string => urnParts(urn).name;

/** Whether no component is its parent. */
export const isUnderStack = (urn: string): boolean => urnParts(urn).parents.length === 0;

export const typeIn = (urn: string): string => urnParts(urn).type;

/** Where a resource is declared: by its own name, or as an entry of its parent, if that is an Organization. */
export function declarationOf(urn: string, parent = ""): Pick<ChangedResource, "name" | "organization" | "key"> {
  const [name, organization] = [wholeNameIn(urn), wholeNameIn(parent)];
  if (typeIn(parent) !== organizationType || !name.startsWith(`${organization}-`)) return { name };
  return { name, organization, key: name.slice(organization.length + 1) };
}
