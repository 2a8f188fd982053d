/** Checks values against a schema. Problems name properties as the user wrote them, and no values. */
import { containsUnknown } from "../engine-values.js";
import * as z from "zod";
import { type Problem } from "./lifecycle.js";

/**
 * All problems of `value`. A value that is unknown, as in previews, has none.
 * @param noun what the properties belong to, for "is not a property of …"
 */
export function problemsOf(schema: z.ZodType, value: unknown, noun: string): LocatedProblem[] {
  const result = schema.safeParse(value);
  if (result.success) return [];
  return result.error.issues.flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(schema, issue, noun);
    return containsUnknown(valueAt(value, issue.path)) ? [] : [wrong(schema, value, issue)];
  });
}

/** A problem as one text. */
export function problemText({ property, reason }: Problem): string {
  return property === "" ? reason : `${property}: ${reason}`;
}

export interface LocatedProblem extends Problem {
  /** The property as keys, which may hold dots themselves. */
  readonly path: readonly PropertyKey[];
  /** Whether the key itself is wrong. */
  readonly isKey?: true;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function wrong(schema: z.ZodType, value: unknown, { path }: Issue): LocatedProblem {
  const rule = describe(schema, path) ?? "a value of the documented type";
  const missing = valueAt(value, path) === undefined;
  return { path, property: path.join("."), reason: missing ? `is missing: it must be ${rule}` : `must be ${rule}` };
}

function unknownKeys(schema: z.ZodType, issue: Issue & { code: "unrecognized_keys" }, noun: string): LocatedProblem[] {
  const allowed = alternatives(schemaAt(schema, issue.path)).flatMap((node) =>
    node instanceof z.ZodObject ? Object.keys(node.shape) : [],
  );
  return issue.keys.map((key) => ({
    isKey: true,
    path: [...issue.path, key],
    property: [...issue.path, key].join("."),
    reason: `is not a property of ${issue.path.length > 0 ? issue.path.join(".") : noun}; known are ${allowed.join(", ")}`,
  }));
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** The nearest description on the way to `path`: an item of a list that has none of its own is described by the list. */
function describe(schema: z.ZodType, path: Path): string | undefined {
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
        .map((alternative) => below(alternative, key))
        .find((found) => found !== undefined),
    );
  }
  return node instanceof z.ZodType ? node : undefined;
}

function below(node: unknown, key: PropertyKey): unknown {
  if (node instanceof z.ZodObject) return (node.shape as Record<PropertyKey, unknown>)[key];
  if (node instanceof z.ZodRecord) return node.valueType;
  return node instanceof z.ZodArray ? node.element : undefined;
}

/** The schemas that a union offers; any other schema offers itself. */
function alternatives(node: unknown): readonly unknown[] {
  return node instanceof z.ZodUnion ? node.options.map(unwrap) : [node];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
