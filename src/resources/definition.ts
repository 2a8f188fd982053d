/** The definition of a resource: everything that the rest of the package knows of one. */
import type * as z from "zod";
import type { Lifecycle } from "../lifecycle/lifecycle.js";
import { retains } from "../lifecycle/effects/guards.js";
import { withOwnership } from "../lifecycle/ownership.js";
import type { Values } from "../values/any.js";

export interface ResourceDefinition<
  Path extends string = string,
  Args extends z.ZodObject = z.ZodObject,
  SectionName extends string = string,
> {
  /** The path under `pulumi-voiceplane/dynamic/`, and the page under docs/reference. Frozen: it is in the state. */
  readonly path: Path;
  readonly args: Args;
  /** The schema of what programs read of the resource. The state may have more. */
  readonly outputs: z.ZodObject;
  readonly section: Section<SectionName>;
  readonly lifecycle: Lifecycle;
}

type ArgumentOf<Args extends z.ZodObject> = keyof Args["shape"] & string;

/** The arguments that may be the key of a section. The compiler shows the sentence if there are none. */
type KeyOf<Args extends z.ZodObject, Name = RequiredEnumIn<Args>> = [Name] extends [never]
  ? "the key of a section is a required argument with a fixed set of values, and this resource has none"
  : Name;

type RequiredEnumIn<Args extends z.ZodObject> = {
  [Name in ArgumentOf<Args>]: Args["shape"][Name] extends z.ZodEnum ? Exclude<Name, "onCreate"> : never;
}[ArgumentOf<Args>];

/** What a section says of arguments by their names. */
interface SectionOfArgs<Args extends z.ZodObject> {
  readonly key?: KeyOf<Args>;
  readonly names: Readonly<Record<string, ArgumentOf<Args> | `${ArgumentOf<Args>}.${string}`>>;
}

export function define<const Path extends string, Args extends z.ZodObject, SectionName extends string>(
  definition: ResourceDefinition<Path, Args, SectionName> & { readonly section: SectionOfArgs<Args> },
): ResourceDefinition<Path, Args, SectionName> {
  return { ...definition, lifecycle: withOwnership(definition.lifecycle) };
}

/**
 * The engine's option `retainOnDelete` for a resource with these arguments: what the user gives, otherwise true where `onDelete` asks a destroy
 * to send nothing. A resource without `onDelete` never has it: the provider is asked, because the state may have the only copy of a secret.
 */
export function retainOnDeleteOf({ args }: ResourceDefinition, values: Values, given?: boolean): boolean | undefined {
  return "onDelete" in args.shape ? (given ?? (retains(values) || undefined)) : false;
}

interface SectionOutput {
  readonly of: string;
  readonly doc: string;
  /** Whether it is no secret, so that the state of an Organization has it. If it differs there from the resource's, an update has not written the outputs. */
  readonly isPlain?: boolean;
}

/** How an organization file, and the component `Organization`, declare a resource: in a section with an entry for each object. */
export interface Section<Name extends string = string> {
  /** The section's key in the file, such as "networkPolicies". */
  readonly name: Name;
  readonly doc: string;
  /** What its entries are, in the plural, such as "network policies". */
  readonly content: string;
  /** The type of an entry in programs, such as "OrganizationNetworkPolicy", and its text. */
  readonly entryType: string;
  readonly entryDoc: string;
  /** The arguments that have another name in entries, by that name. The members of an argument are named like `onDelete.days`. */
  readonly names: Readonly<Record<string, string>>;
  /**
   * The argument that is the entry's key: an enum, whose values are the keys that a file may have. Default: the key is a name of the user's
   * choice, and can be changed with `formerly`.
   */
  readonly key?: string;
  /** The schemas of properties that have another type than their argument. */
  readonly properties?: Readonly<Record<string, z.ZodType>>;
  /** For such a property, the value of the argument for each text that the user may write. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  /** The arguments that are secret, with their texts in a file. There, they name a secret of the stack's configuration. */
  readonly secretNames?: Readonly<Record<string, string>>;
  /** Which values of the organization's own `onCreate` hold for entries without one. */
  readonly inherits: readonly string[];
  readonly onCreateAdvice: string;
  /** Outputs of the organization. Each has the output `of` of every resource of the section, by the keys of the entries. */
  readonly outputs?: Readonly<Record<string, SectionOutput>>;
}

/** What the sections of settings share. `onCreate` has no default: nobody replaces what cannot be read by leaving something out. */
export const settingSection = {
  inherits: ["overwrite", "adopt"],
  onCreateAdvice:
    'write "overwrite" to send the setting, which replaces what the server has, or "adopt" to send nothing. `onCreate` at ' +
    "the top of the file is for all settings",
} as const;

/** What the texts of sections say whose keys are names. */
export const renameDoc = "A renamed entry is another resource, unless it says `formerly`.";
