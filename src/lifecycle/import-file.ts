/** What a person wrote into a file for `pulumi import`: it is completed, counts as adopted, and must have no secret. */
import { isDeepStrictEqual } from "node:util";
import { blockText, errorOf, type Diagnostic } from "../values/diagnostic.js";
import type { Context } from "./context.js";
import type { Lifecycle } from "./lifecycle.js";
import type { Values } from "../values/any.js";
import { identityOf, sameValues, type OrganizationScoped, type ResourceName } from "./object.js";

export function withImportFiles<Inputs extends OrganizationScoped, State extends OrganizationScoped>(
  lifecycle: Lifecycle<Inputs, State>,
): Lifecycle<Inputs, State> {
  return {
    ...lifecycle,
    check(ctx: Context, olds, news) {
      if (Object.keys(olds).length === 0 || !isWrittenByHand(olds)) return lifecycle.check(ctx, olds, news);
      refuseSecrets(lifecycle, { ...news, organization: ctx.organization }, olds);
      const checked = lifecycle.check(ctx, olds, news);
      const { inputs, problems } = checked;
      if (problems.length > 0 && isDeepStrictEqual(olds, news)) throw invalidImport(lifecycle, inputs, problems);
      return { ...checked, inputs: { ...inputs, __imported: true } };
    },
    diff(ctx, stored, inputs) {
      const state = knownState(lifecycle, stored, inputs);
      const diff = lifecycle.diff(ctx, state, inputs);
      return diff.changes || sameValues<string>(stored, state, Object.keys(state)) ? diff : { ...diff, changes: true };
    },
    update(ctx, stored, inputs) {
      return lifecycle.update(ctx, knownState(lifecycle, stored, inputs), inputs);
    },
  };
}

/** Whether old inputs are those of an import file: `check` adds the organization to all others. */
export const isWrittenByHand = (olds: Values): boolean => typeof olds.organization !== "string";

/**
 * The state before an update. What a person wrote into an import file is completed, and counts as adopted.
 *
 * @throws Error if the file had a secret, which the engine has stored as plain text
 */
export function knownState<State extends OrganizationScoped>(
  lifecycle: Pick<Lifecycle, "type" | "identity" | "secrets" | "secretCopy" | "isUncertain"> & {
    imported(written: State): State;
  },
  stored: State,
  inputs: OrganizationScoped,
): State {
  const { __imported, organization, triggers } = inputs as OrganizationScoped & { triggers?: unknown };
  if (__imported !== true) return stored;
  // After a lost answer, the engine has this provider's state with the inputs of the file.
  if (!lifecycle.isUncertain(stored)) refuseSecrets(lifecycle, { ...stored, ...inputs }, stored);
  // Triggers that the file does not mention were not changed.
  return lifecycle.imported(Object.assign({ organization, ...(triggers !== undefined && { triggers }) }, stored));
}

/** Refuses a file with a secret. The engine shows a provider the outputs of a file only in the next run, and by then they are in the state. */
function refuseSecrets(
  { secrets = [], secretCopy, ...lifecycle }: ResourceName & Pick<Lifecycle, "secrets" | "secretCopy">,
  object: Values,
  written: Values,
): void {
  const found = secrets.filter((key) => key in written);
  if (found.length === 0) return;
  const toKeep = secretCopy === undefined ? "" : ` To keep a secret that you know, ${secretCopy.declaration}.`;
  throw errorOf(
    "secret-in-import",
    `${identityOf(lifecycle, object)}: an import file must not have "${found.join('" and "')}", because the state keeps it as plain text. ` +
      `If the state has it already, remove the resource with \`pulumi state delete\`, and rotate the secret.${toKeep}`,
  );
}

function invalidImport(lifecycle: ResourceName, inputs: Values, problems: readonly Diagnostic[]): Error {
  return new Error(blockText(`${identityOf(lifecycle, inputs)} cannot be imported`, problems));
}
