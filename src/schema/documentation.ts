/**
 * The texts for users about properties and types, beside their schemas. The classes, schema.json, organization.schema.json and the pages
 * of docs/reference are written from them. Texts are Markdown.
 */
import type * as z from "zod";

interface PropertyDocs {
  readonly doc?: string;
  readonly secret?: boolean;
  /** Whether a program must know the value when it runs, so that it cannot be an output of another resource. */
  readonly plain?: boolean;
  /** The default that schema.json declares. SDKs then send it, so only where that makes no difference. */
  readonly fallback?: unknown;
  readonly typeDoc?: string;
  /** The file of src that declares the type. Default: the type is written among the classes. */
  readonly typeFrom?: string;
}

/** The texts for people about a resource. Only `npm run schema` loads them. */
export interface ResourceTexts {
  /** The resource's section of the reference. */
  readonly category: string;
  readonly summary: string;
  /** The request that each verb sends, and when it sends none. */
  readonly verbs: Readonly<Record<"create" | "update" | "read" | "delete", string>>;
  readonly errors: string;
}

/** Adds the documentation of a property: what it does, its unit, default and risk. What is valid is in the schema's description. */
export const documented = <Schema extends z.ZodType>(
  schema: Schema,
  doc: string,
  further: Pick<PropertyDocs, "secret" | "plain" | "fallback"> = {},
): Schema => withDocs(schema, { doc, ...further });

/** Adds the name (zod's `id`) and the documentation of a type. Every property of the type shows them. */
export const typeNamed = <Schema extends z.ZodType>(
  schema: Schema,
  typeName: string,
  typeDoc: string,
  further: Pick<PropertyDocs, "typeFrom"> = {},
): Schema => withDocs(schema, { typeDoc, ...further }, typeName);

function withDocs<Schema extends z.ZodType>(schema: Schema, docs: PropertyDocs, id?: string): Schema {
  return schema.meta({ docs: { ...docsOf(schema), ...docs }, ...(id !== undefined && { id }) });
}

export function docsOf(schema: z.ZodType): PropertyDocs {
  return (withoutOptional(schema).meta()?.docs as PropertyDocs | undefined) ?? {};
}

export function secretProperties({ shape }: z.ZodObject): string[] {
  return Object.keys(shape).filter((key) => docsOf(shape[key] as z.ZodType).secret);
}

/** The text for editors and references: the documentation, and what is valid where the type does not say it. */
export function documentedText(schema: z.ZodType): string {
  const { doc } = docsOf(schema);
  const { description: rule, type } = withoutOptional(schema);
  if (doc === undefined || rule === undefined || type === "boolean") return doc ?? rule ?? "";
  return `${doc} Must be ${rule}.`;
}

function withoutOptional(schema: z.ZodType): z.ZodType {
  return (schema.def as { innerType?: z.ZodType }).innerType ?? schema;
}
