/** How an organization file, and the component `Organization`, declare a resource: in a section with an entry for each object. */
import type * as z from "zod";

export interface Section<Name extends string = string> {
  /** The section's key in the file, such as "networkPolicies". */
  readonly name: Name;
  readonly doc: string;
  /** What it has, in the plural, such as "network policies". */
  readonly content: string;
  /** The type of an entry in programs, such as "OrganizationNetworkPolicy", and its text. */
  readonly entryType: string;
  readonly entryDoc: string;
  /** The arguments that have another name in entries, by that name. The members of an argument are named like `onDelete.days`. */
  readonly names: Readonly<Record<string, string>>;
  /** The argument that is the entry's key. Default: the key is a name of the user's choice, and can be changed with `formerly`. */
  readonly key?: string;
  /** Properties of entries with another type than their argument. */
  readonly properties?: Readonly<Record<string, z.ZodType>>;
  /** Of such a property: the values of the argument, by those that the user writes. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
  /** Arguments that are secret: in a file, they name a secret of the stack's configuration. By name, with its text there. */
  readonly secretNames?: Readonly<Record<string, string>>;
  /** The values of the organization's own `onCreate` that entries without one take over. */
  readonly inherits: readonly string[];
  /** What to write where `onCreate` is missing. */
  readonly onCreateAdvice: string;
  /** Outputs of the organization: a map of one output of the resources, which is secret, by the keys of the entries. */
  readonly outputs?: Readonly<Record<string, { readonly of: string; readonly doc: string }>>;
}

/** Of a setting that cannot be read: nobody replaces it by leaving something out. */
export const settingSection = {
  inherits: ["overwrite", "adopt"],
  onCreateAdvice:
    'write "overwrite" to send the setting, which replaces what the server has, or "adopt" to send nothing. `onCreate` at ' +
    "the top of the file is for all settings",
} as const;

/** A sentence for sections whose keys are names. */
export const renameDoc = "A renamed entry is another resource, unless it says `formerly`.";
