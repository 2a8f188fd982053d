/** The detailed diff: which properties change, as paths, for the engine's preview. */
import { isDeepStrictEqual } from "node:util";
import { DiffResponse, PropertyDiff } from "@pulumi/pulumi/proto/provider_pb.js";
import type { Diff } from "../../lifecycle/lifecycle.js";
import { hasMembers, type Values } from "../../values/any.js";

type PathChange = "ADD" | "DELETE" | "UPDATE";

const { Kind } = PropertyDiff;

/**
 * @param olds the old inputs, which previews show beside `news`
 * @param marked the outputs that make the old state uncertain. The inputs may be equal, and the update changes these outputs
 */
export function diffResponse(diff: Diff, olds: Values, news: Values, marked: readonly string[] = []): DiffResponse {
  const { changes, replaces = [], deleteBeforeReplace = false } = diff;
  const { DIFF_SOME, DIFF_NONE } = DiffResponse.DiffChanges;
  const response = new DiffResponse()
    .setChanges(changes ? DIFF_SOME : DIFF_NONE)
    .setReplacesList(replaces)
    .setDeletebeforereplace(deleteBeforeReplace)
    .setHasdetaileddiff(true);
  if (!changes) return response;
  const details = response.getDetaileddiffMap();
  const visible = Object.keys({ ...olds, ...news }).filter((key) => !key.startsWith("__"));
  for (const key of visible) {
    for (const [path, change] of changedPaths(key, olds[key], news[key])) {
      const kind = replaces.includes(key) ? Kind[`${change}_REPLACE`] : Kind[change];
      details.set(path, new PropertyDiff().setKind(kind).setInputdiff(true));
    }
  }
  for (const output of marked) details.set(output, new PropertyDiff().setKind(Kind.UPDATE));
  return response.setDiffsList(visible.filter((key) => !isDeepStrictEqual(olds[key], news[key])));
}

/** The paths below `path` at which the values differ. */
export function changedPaths(path: string, before: unknown, after: unknown): [path: string, change: PathChange][] {
  if (isDeepStrictEqual(before, after)) return [];
  if (before === undefined) return [[path, "ADD"]];
  if (after === undefined) return [[path, "DELETE"]];
  if (!hasMembers(before) || !hasMembers(after) || Array.isArray(before) !== Array.isArray(after))
    return [[path, "UPDATE"]];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) =>
    changedPaths(path + pathStep(key, Array.isArray(before)), own(before, key), own(after, key)),
  );
}

/** A trigger may be called like something that every object inherits. */
const own = (values: Values, key: string): unknown => (Object.hasOwn(values, key) ? values[key] : undefined);

function pathStep(key: string, isIndex: boolean): string {
  if (isIndex) return `[${key}]`;
  return /^[A-Za-z_]\w*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}
