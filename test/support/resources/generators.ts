/** The package schema that tools/write-schemas.mjs writes, before it is formatted. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { toJSONSchema } from "zod";
import { organizationArgs } from "../../../src/organization-file/schema.js";
import { docsOf, textOf } from "../../../src/resources/documentation.js";
import { resources, type ResourceEntry } from "../../../src/resources/index.js";
import { resourceTexts, type ResourceTexts } from "../../../tools/schemas/resource-texts.js";

const root = resolve(__dirname, "../../..");

export interface Property {
  readonly additionalProperties?: object;
  readonly type?: string;
  readonly description?: string;
  readonly secret?: boolean;
  readonly default?: unknown;
  readonly willReplaceOnChanges?: boolean;
}

export interface ResourceSchema {
  readonly description: string;
  readonly inputProperties: Readonly<Record<string, Property>>;
  readonly requiredInputs: readonly string[];
  readonly properties: Readonly<Record<string, Property>>;
  readonly required: readonly string[];
  readonly aliases?: readonly { readonly type: string }[];
}

export interface PackageSchema {
  readonly name: string;
  readonly version?: string;
  readonly config: { readonly variables: Readonly<Record<string, Property>> };
  readonly provider: { readonly description: string; readonly inputProperties: Readonly<Record<string, Property>> };
  readonly resources: Readonly<Record<string, ResourceSchema>>;
  readonly functions: Readonly<
    Record<string, { description: string; outputs: { properties: Record<string, Property> } }>
  >;
  readonly types: Readonly<Record<string, Property & { properties?: Record<string, Property>; required?: string[] }>>;
}

type Table = Readonly<Record<string, ResourceEntry>>;

interface Source {
  readonly resources: Table;
  readonly resourceTexts: Readonly<Record<string, ResourceTexts>>;
  readonly organizationArgs: typeof organizationArgs;
  readonly docsOf: typeof docsOf;
  readonly textOf: typeof textOf;
  readonly toJSONSchema: typeof toJSONSchema;
  readonly examples: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/* eslint-disable @typescript-eslint/no-require-imports */
const { packageSchema } = require("../../../tools/schemas/package.cjs") as {
  packageSchema: (source: Source, manifest: unknown) => PackageSchema;
};
/* eslint-enable @typescript-eslint/no-require-imports */

const example = { typescript: "", python: "", go: "", yaml: "" };

const source: Source = {
  ...{ resources, resourceTexts, organizationArgs, docsOf, textOf, toJSONSchema },
  examples: Object.fromEntries([...Object.keys(resources), "Organization"].map((type) => [type, example])),
};

/** @param more members of package.json */
export function schemaOf(more: object): PackageSchema {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
  return packageSchema(source, { ...manifest, ...more });
}
