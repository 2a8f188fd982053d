/** The schema of the organization file, from the sections of the resources, and its JSON Schema for editors. */
import * as z from "zod";
import type { Values } from "../values/any.js";
import * as fields from "../schema/fields.js";
import { docsOf, documented, documentedText, typeNamed } from "../schema/documentation.js";
import { resources, type ResourceDefinition } from "../resources/index.js";
import { problemsOf } from "../schema/problems.js";
import type { Diagnostic } from "../values/diagnostic.js";
import { formerlyKey, formerlyProblems, sectionNames, type SectionName } from "./entries.js";

/** The first line of a message about the file, above a line for each problem. `voiceplane preview` recognizes it. */
export const organizationFileHeading = "the organization file is not valid, and nothing was sent";

/** Names become part of resource names, which are in URNs. Letters of every script. */
const entryName = z
  .string()
  .refine((name) => /^[\p{L}\p{M}\p{N}_.-]+$/u.test(name))
  // Editors read patterns without the flag for \p.
  .meta({ pattern: String.raw`^(?:[\w.-]|[^\x00-\x7f])+$` });

const formerly = documented(
  z.union([entryName, z.array(entryName)]).describe("a name, or a list of names"),
  "The former names of the entry, or the name of the resource that it was outside the organization. So it keeps its state: nothing is " +
    "sent, and no secret is lost. They may stay. Default: none.",
  { plain: true },
).optional();

const secretName = z
  .string()
  .regex(/^([\w-]+:)?[\w.-]+$/)
  .describe("the name of a secret of the stack's configuration, and not the secret");

/** An entry has the arguments of the class, some of them with other names. */
function entrySchema({ args, section }: ResourceDefinition, isFile: boolean): z.ZodObject {
  const { names, key, properties = {}, secretNames = {}, entryType, entryDoc } = section;
  const nameOf = new Map(Object.entries(names).map(([name, argument]) => [argument, name]));
  const shape = Object.entries(args.shape as Record<string, z.ZodType>).flatMap(([argument, schema]) => {
    const name = nameOf.get(argument) ?? argument;
    const secretDoc = isFile ? secretNames[name] : undefined;
    if (argument === key) return [];
    if (secretDoc !== undefined) return [[name, documented(secretName, secretDoc).optional()]];
    return [[name, properties[name] ?? (argument === "onCreate" ? optionalInEntry(schema) : schema)]];
  });
  const entry = z.strictObject({ ...Object.fromEntries(shape), [formerlyKey]: formerly });
  return typeNamed(entry, entryType, entryDoc);
}

/** The `onCreate` of an entry, which may be left out where the organization has one. */
function optionalInEntry(onCreate: z.ZodType): z.ZodType {
  if (isOptional(onCreate)) return onCreate;
  return documented(
    onCreate,
    `${docsOf(onCreate).doc ?? ""} Required, unless the organization has \`onCreate\`.`,
  ).optional();
}

const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;

function sectionSchema(resource: ResourceDefinition, isFile: boolean): z.ZodType {
  const { key, content, doc } = resource.section;
  const entry = entrySchema(resource, isFile);
  const keys = key === undefined ? undefined : (resource.args.shape[key] as z.ZodEnum).options.map(String);
  const entries =
    keys === undefined
      ? z.record(entryName, entry).describe(`a map from names (letters, digits, "-", "_", ".") to ${content}`)
      : z
          .strictObject(Object.fromEntries(keys.map((name) => [name, entry.optional()])))
          .describe(`a map from ${listed(keys, "disjunction")} to ${content}`);
  return documented(entries.meta({ title: content }), doc).optional();
}

/** "a, b and c" as a conjunction, "a, b or c" as a disjunction. */
const listed = (names: readonly string[], type: "conjunction" | "disjunction"): string =>
  new Intl.ListFormat("en-GB", { type }).format(names);

const onCreate = documented(
  fields.settingOnCreate,
  'What the first update does with entries that do not say it. `"adopt"`: it sends nothing, and rotates nothing. You know what the ' +
    'server has, and the declared values become the state. `"overwrite"`: it sends the settings. Each webhook says itself what it does. ' +
    "Default: each entry says it.",
).optional();

const shapeOf = (isFile: boolean): z.ZodRawShape => ({
  onCreate,
  ...Object.fromEntries(
    Object.values(resources).map((resource) => [resource.section.name, sectionSchema(resource, isFile)]),
  ),
});

const shape = shapeOf(true);

export const organizationSchema = z
  .strictObject(shape)
  .describe(`a map with ${listed(Object.keys(shape), "conjunction")}, each optional`);

export type OrganizationFile = Readonly<Partial<Record<SectionName, Readonly<Record<string, Values>>>>> & {
  readonly onCreate?: z.infer<typeof fields.settingOnCreate>;
};

export function organizationJsonSchema(): object {
  const schema = z.toJSONSchema(organizationSchema, {
    io: "input",
    override: ({ zodSchema, jsonSchema }) => {
      const text = documentedText(zodSchema as unknown as z.ZodType);
      if (text !== "") jsonSchema.description = text;
      const typeName = (zodSchema as unknown as z.ZodType).meta()?.id;
      // "shortening step" for ShorteningStep, and "trunk" for OrganizationTrunk.
      if (typeName !== undefined && jsonSchema.type === "object") jsonSchema.title = wordsOf(typeName);
      delete jsonSchema.docs;
    },
  });
  return { title: "voiceplane organization", ...schema };
}

const wordsOf = (typeName: string): string =>
  typeName
    .replace(/^Organization(?=.)/, "")
    .replace(/(?<=.)[A-Z]/g, " $&")
    .toLowerCase();

/** The arguments of the component `Organization`: those of the file, with secrets in place of their names. */
export const organizationArgs = () =>
  typeNamed(
    z.strictObject(shapeOf(false)),
    "OrganizationArgs",
    "One organization's settings. Keys are names of your choice, except those of `retention`. A key is part of a resource's name, so " +
      "a new key is a rename. Settings that are left out are not managed.",
  );

/** What is wrong with the arguments of an `Organization` in a program or in the plugin. What is unknown is not wrong. */
export function argsProblems(args: Values): Diagnostic[] {
  const problems = problemsOf(organizationArgs(), args, "an Organization");
  return problems.length > 0 ? problems : sectionNames.flatMap((section) => formerlyProblems(section, args[section]));
}
