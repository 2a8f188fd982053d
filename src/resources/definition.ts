/** What a resource is: everything that the rest of the package asks of one, in its folder. */
import type * as z from "zod";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { withRules } from "../lifecycle/rules.js";
import type { Section } from "./section.js";

export interface ResourceDefinition<Path extends string = string, Args extends z.ZodObject = z.ZodObject> {
  /** The path under `pulumi-voiceplane/dynamic/`, and the page under docs/reference. Frozen: it is in the state. */
  readonly path: Path;
  /** The user's arguments. */
  readonly args: Args;
  /** What programs read of the resource. The state may have more. */
  readonly outputs: z.ZodObject;
  readonly section: Section;
  readonly lifecycle: Lifecycle;
}

export function define<const Path extends string, Args extends z.ZodObject>(
  definition: ResourceDefinition<Path, Args>,
): ResourceDefinition<Path, Args> {
  return { ...definition, lifecycle: withRules(definition.lifecycle) };
}
