/** Checks values against a schema. Problems name the user's properties, and never contain values. */
import { containsUnknown, isMarked, markKey } from "../values/engine.js";
import * as z from "zod";
import { printable } from "../values/text.js";
import { mostSimilar, partOf } from "./suggestion.js";

/** A mistake in the user's values, which stops the run before anything is sent. */
export interface Problem {
  /** The user's property, as a path ("onDelete.retentionDays"); empty if the problem is not about one property. */
  readonly property: string;
  /** What is wrong and how to correct it, without any value that may be secret. */
  readonly reason: string;
}

/**
 * All problems of `value`. A value that is unknown in a preview has none.
 * @param noun what the properties belong to, for "is not a property of …"
 * @param most more problems than these are counted in one last problem
 */
export function problemsOf(schema: z.ZodType, value: unknown, noun: string, most = 50): LocatedProblem[] {
  const result = schema.safeParse(value);
  const problems = (result.error?.issues ?? []).flatMap((issue) => {
    if (issue.code === "unrecognized_keys") return unknownKeys(schema, issue, noun);
    return containsUnknown(valueAt(value, issue.path)) ? [] : [invalidValue(schema, value, issue)];
  });
  // A number may break two rules of one description.
  const unique = [...new Map(problems.map((problem) => [problemText(problem), problem])).values()];
  // A file or a reference to a resource has the mark too, and is no valid value anywhere.
  const isTold = ({ property, reason }: Problem) =>
    reason === markedByUser && problems.some((told) => told.property === property);
  const all = [...unique, ...brokenTexts(value).filter((broken) => !isTold(broken))];
  if (all.length <= most) return all;
  return [...all.slice(0, most), { path: [], property: "", reason: andMore(all.length - most) }];
}

/** "and 19,950 more problems". */
export const andMore = (count: number): string =>
  `and ${count.toLocaleString("en")} more ${count === 1 ? "problem" : "problems"}`;

/** Deeper than any value that a schema accepts. */
const maxDepth = 20;

/**
 * What the engine's protocol cannot carry, and the run would end without a usable message: lone surrogates in texts and keys, and the
 * key of the engine's own marks.
 */
export function brokenTexts(value: unknown, path: readonly string[] = []): LocatedProblem[] {
  if (typeof value === "string")
    return value.isWellFormed() ? [] : [{ path, property: nameOf(path), reason: halfCharacter }];
  if (!isPlain(value) || path.length === maxDepth) return [];
  if (path.length > 0 && isMarked(value)) return [{ path, property: nameOf(path), reason: markedByUser }];
  return Object.entries(value).flatMap(([key, member]) => {
    const below = [...path, key];
    if (key.isWellFormed()) return brokenTexts(member, below);
    return [{ path: below, isKey: true as const, property: nameOf(below), reason: `the name ${halfCharacter}` }];
  });
}

/** False for an instance of a class, such as an output of the SDK. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  return Array.isArray(value) || [Object.prototype, null].includes(Object.getPrototypeOf(value) as object | null);
}

const markedByUser = `has the key ${markKey}, which the engine keeps for itself: use another one`;

const halfCharacter = "has half of a character: write the whole character, or remove it";

/** As the user writes it, safe to print. */
const nameOf = (path: Path): string => printable(path.join("."));

export function problemText({ property, reason }: Problem): string {
  return property === "" ? reason : `${property}: ${reason}`;
}

export interface LocatedProblem extends Problem {
  /** The property's keys, which may contain dots themselves. */
  readonly path: readonly PropertyKey[];
  /** Whether the key itself is wrong. */
  readonly isKey?: true;
  /** Whether the key is similar to no known one, or has white space at its ends. */
  readonly isStrange?: true;
}

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

function invalidValue(schema: z.ZodType, value: unknown, { path }: Issue): LocatedProblem {
  const rule = describe(schema, path) ?? "a value of the documented type";
  const found = valueAt(value, path);
  const hint =
    typeof found === "string" && /^\d+d$/.test(found) && accepts(schema, path, Number.parseInt(found))
      ? ', without "d"'
      : "";
  return {
    path,
    property: nameOf(path),
    reason: found === undefined ? `is missing: it must be ${rule}` : `must be ${rule}${hint}`,
  };
}

function unknownKeys(schema: z.ZodType, issue: Issue & { code: "unrecognized_keys" }, noun: string): LocatedProblem[] {
  const allowed = alternatives(schemaAt(schema, issue.path)).flatMap((node) =>
    node instanceof z.ZodObject ? Object.keys(node.shape) : [],
  );
  const owner = issue.path.length > 0 ? nameOf(issue.path) : noun;
  return issue.keys.map((key) => {
    const meant = mostSimilar(key, allowed) ?? partOf(key, allowed);
    const hint = meant === undefined ? [] : [`(did you mean ${meant}?)`];
    return {
      isKey: true,
      ...((meant === undefined || key !== key.trim()) && { isStrange: true }),
      path: [...issue.path, key],
      property: nameOf([...issue.path, key]),
      reason: `is not a property of ${[owner, ...hint].join(" ")}; known are ${allowed.join(", ")}`,
    };
  });
}

/** Whether the schema would take this value at this path. */
export const accepts = (schema: z.ZodType, path: Path, value: unknown): boolean =>
  schemaAt(schema, path)?.safeParse(value).success === true;

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((node, key) => (node as Record<PropertyKey, unknown> | undefined)?.[key], value);
}

/** The nearest description at `path` or above it: an item without one is described by its list. */
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

/** The options of a union; otherwise the schema itself. */
function alternatives(node: unknown): readonly unknown[] {
  return node instanceof z.ZodUnion ? node.options.map(unwrap) : [node];
}

function unwrap(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? unwrap(schema.unwrap()) : schema;
}
