/** Checks values against a schema. Problems name the user's properties, and never contain their values. */
import { distinctBy } from "../values/any.js";
import { containsUnknown } from "../values/engine.js";
import * as z from "zod";
import { diagnosticText, problem, propertyOf, type Diagnostic } from "../values/diagnostic.js";
import { invisibleIn } from "../values/text.js";
import { mostSimilar, partOf } from "./suggestion.js";

/**
 * All problems of `value`. A value that is unknown in a preview has none.
 * @param noun what the properties belong to, for "is not a property of …"
 */
export function problemsOf(schema: z.ZodType, value: unknown, noun: string): Diagnostic[] {
  const result = schema.safeParse(value);
  const problems = (result.error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(schema, issue, noun);
    return containsUnknown(valueAt(value, issue.path)) ? [] : [invalidValue(schema, value, issue)];
  });
  // A number may break two rules that have one description.
  return distinctBy(problems, diagnosticText);
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function invalidValue(schema: z.ZodType, value: unknown, { path }: Issue): Diagnostic {
  const rule = ruleAt(schema, path) ?? "a value of the documented type";
  const found = valueAt(value, path);
  if (found === undefined) return problem("missing", `is missing: it must be ${rule}`, path);
  const isNumberOfDays = (text: string) => /^\d+d$/.test(text) && accepts(schema, path, Number.parseInt(text));
  const hint = typeof found !== "string" ? "" : isNumberOfDays(found) ? ', without "d"' : invisibleHint(found);
  return problem("wrong-value", `must be ${rule}${hint}`, path);
}

function invisibleHint(found: string): string {
  const invisible = invisibleIn(found);
  return invisible === undefined ? "" : `; it has ${invisible}, perhaps copied with it`;
}

function unknownKeys(schema: z.ZodType, issue: Issue & { code: "unrecognized_keys" }, noun: string): Diagnostic[] {
  const allowed = alternatives(schemaAt(schema, issue.path)).flatMap((node) =>
    node instanceof z.ZodObject ? Object.keys(node.shape) : [],
  );
  const owner = issue.path.length > 0 ? propertyOf(issue) : noun;
  return issue.keys.map((key) => {
    const meant = mostSimilar(key, allowed) ?? partOf(key, allowed);
    const hint = meant === undefined ? "" : ` (did you mean ${meant}?)`;
    const text = `is not a property of ${owner}${hint}; known are ${allowed.join(", ")}`;
    return problem("unknown-property", text, [...issue.path, key]);
  });
}

export const accepts = (schema: z.ZodType, path: Path, value: unknown): boolean =>
  schemaAt(schema, path)?.safeParse(value).success === true;

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** What is valid at `path`: the description there or the nearest one above, such as that of the list around an item. */
function ruleAt(schema: z.ZodType, path: Path): string | undefined {
  for (let depth = path.length; depth >= 0; depth--) {
    const text = schemaAt(schema, path.slice(0, depth))?.description;
    if (text !== undefined) return text;
  }
  return undefined;
}

function schemaAt(schema: z.ZodType, path: Path): z.ZodType | undefined {
  let node: unknown = unwrap(schema);
  for (const key of path) {
    node = unwrap(
      alternatives(node)
        .map((alternative) => memberSchema(alternative, key))
        .find((found) => found !== undefined),
    );
  }
  return node instanceof z.ZodType ? node : undefined;
}

function memberSchema(node: unknown, key: PropertyKey): unknown {
  if (node instanceof z.ZodObject) return (node.shape as Record<PropertyKey, unknown>)[key];
  if (node instanceof z.ZodRecord) return node.valueType;
  return node instanceof z.ZodArray ? node.element : undefined;
}

/** The options of a union; otherwise the schema itself. */
function alternatives(node: unknown): readonly unknown[] {
  return node instanceof z.ZodUnion ? node.options.map(unwrap) : [node];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
