/** The definition of a resource: everything that the rest of the package knows of one. */
import type * as z from "zod";
import type { Api } from "../client/api.js";
import { withRules, type Lifecycle } from "../lifecycle/lifecycle.js";
import { retains } from "../lifecycle/on-delete.js";
import type { Values } from "../values/any.js";
import type { Section } from "./section.js";

export interface ResourceDefinition<
  Path extends string = string,
  Args extends z.ZodObject = z.ZodObject,
  SectionName extends string = string,
> {
  /** The path under `pulumi-voiceplane/dynamic/`, and the page under docs/reference. Frozen: it is in the state. */
  readonly path: Path;
  /** The schema of the user's arguments. */
  readonly args: Args;
  /** The schema of what programs read of the resource. The state may have more. */
  readonly outputs: z.ZodObject;
  readonly section: Section<SectionName>;
  readonly lifecycle: Lifecycle;
  /** The objects that the server has. Absent if the interface has no list of them. */
  readonly list?: (api: Api) => Promise<readonly { readonly id: string }[]>;
}

/**
 * The engine's option `retainOnDelete` for a resource with these arguments: what the user gives, otherwise true where `onDelete` asks a destroy
 * to send nothing. A resource without `onDelete` never has it: the provider is asked, because the state may have the only copy of a secret.
 */
export function retainOnDeleteOf({ args }: ResourceDefinition, values: Values, given?: boolean): boolean | undefined {
  return "onDelete" in args.shape ? (given ?? (retains(values) || undefined)) : false;
}

/** The definition, whose lifecycle gets the rules of all resources. */
export function define<const Path extends string, Args extends z.ZodObject, SectionName extends string>(
  definition: ResourceDefinition<Path, Args, SectionName>,
): ResourceDefinition<Path, Args, SectionName> {
  return { ...definition, lifecycle: withRules(definition.lifecycle) };
}
