/**
 * What a change of settings does to a whole organization: requests with its token go elsewhere, or it has another name. It is reported
 * once, not for each resource. The engine shows no step of the default provider: its address and name are in the states of its resources.
 */
import { compact, distinctBy, textIn, textOf } from "../../../values/any.js";
import { hiddenAs, type Risk } from "../../../lifecycle/effects/effect.js";
import type { OrganizationScoped } from "../../../lifecycle/object.js";
import { withoutRequest, type Change } from "./change.js";
import type { Op, Step } from "../../pulumi/steps.js";
import { baseUrlIn, isAddress, providerMoves, providerSteps, settingOf, type Move } from "../situations/providers.js";
import { wholeNameIn } from "../situations/resources.js";
import { sendsRequest } from "../situations/planned.js";
import type { Situation } from "../situations/situations.js";
import { asCode, safeText, safeName } from "../../output.js";

/** Longest text about an organization, characters: it may name many resources. */
const maxText = 4000;

const organizationChange = (op: Op, organization: string, text: string, ...risks: Risk[]): Change => ({
  ...withoutRequest,
  urn: "",
  op,
  type: "Organization",
  name: safeText(organization),
  id: "",
  organization: safeText(organization),
  text: safeText(text, maxText),
  risks,
});

export function organizationChanges(steps: readonly Step[], situations: readonly Situation[]): Change[] {
  const all = [...providerMoves(steps), ...situations.flatMap(moveOf)];
  const moves = distinctBy(all, ({ provider, from, to }) => JSON.stringify([provider, from, to]));
  const moved = new Set(moves.map(({ provider }) => provider));
  const unsent = Map.groupBy(situations.filter(isUnsent), ({ newProvider }) => newProvider);
  return [
    ...moves.map((move) => moveChange(move, unsent.get(move.provider) ?? [])),
    ...organizationRenames(situations),
    ...providerSteps(steps).flatMap((step) => providerChanges(step, moved.has(wholeNameIn(step.urn)))),
  ];
}

const maxNames = 20;

/** @param unsent the situations of the objects that the server at the new address may not have as declared */
function moveChange({ organization, from, to }: Move, unsent: readonly Situation[]): Change {
  const requests = `requests with the token of ${safeName(organization)}`;
  const text = `from this update on, ${requests} go to ${shownAddress(to)} instead of ${asCode(from)}`;
  const names = unsent.map(({ name }) => name).sort();
  const left = names.length - maxNames;
  const list = names.slice(0, maxNames).join(", ") + (left > 0 ? ` and ${left} more` : "");
  const warning = `; what is unchanged is not sent, and another server there may have other settings and secrets: ${list}`;
  const whole = names.length === 0 ? text : text + warning;
  return organizationChange("update", organization, whole, "sends the token elsewhere");
}

const shownAddress = (address: unknown): string =>
  isAddress(address) ? asCode(address) : "an address that cannot be seen here";

/** Whether the update sends nothing for an object whose setting or secret the server at the new address may not have. */
function isUnsent({ step: { op, before, after }, lifecycle, isMoved, planned }: Situation): boolean {
  const isSameObject = op === undefined || op === "update";
  if (!isSameObject || !before || !after || !isMoved || sendsRequest(planned.update)) return false;
  return lifecycle.secretCopy?.isIn(before.outputs) === true || lifecycle.sends(after.inputs as OrganizationScoped);
}

/** The move of the provider that had the state of a resource. */
function moveOf({ oldProvider, oldAddress, values, isMoved, presentAddress }: Situation): Move[] {
  if (oldAddress === undefined || !isMoved) return [];
  const organization = textIn(values, "organization") ?? oldProvider;
  return [{ provider: oldProvider, organization, from: oldAddress, to: presentAddress }];
}

interface OrganizationRename {
  readonly from: string;
  readonly to: string;
  /** A resource that belongs to the organization with the new name. */
  readonly situation: Situation;
}

/** An organization with another name is another organization for this package: every resource is created again. */
function organizationRenames(situations: readonly Situation[]): Change[] {
  // An organization that is still declared was not renamed: it has lost some resources.
  const stillDeclared = new Set(situations.map(({ step }) => step.after?.inputs.organization));
  const renames = situations.flatMap(renameOf).filter(({ from }) => !stillDeclared.has(from));
  const byOldName = Map.groupBy(renames, ({ from }) => from);
  return [...byOldName].flatMap(([from, ofOne]) => {
    const byNewName = Map.groupBy(ofOne, ({ to }) => to);
    return [...byNewName].map(([to, group]) =>
      renameChange(
        from,
        to,
        group.map(({ situation }) => situation),
      ),
    );
  });
}

function renameOf(situation: Situation): OrganizationRename[] {
  const { step, renamedTo } = situation;
  const declarer = step.op === "replace" ? situation : renamedTo;
  const from = step.before?.outputs.organization;
  const to = declarer?.step.after?.inputs.organization;
  if (typeof from !== "string" || typeof to !== "string" || from === to || hiddenAs([from, to])) return [];
  return [{ from, to, situation }];
}

function renameChange(from: string, to: string, situations: readonly Situation[]): Change {
  const old = safeName(from);
  const fresh = safeName(to);
  const text =
    `the organization ${old} renamed to ${fresh}, which makes it another organization: the objects of ${old} are no longer ` +
    `managed, and every setting is sent to ${fresh} (PUT, PATCH, DELETE)`;
  const remedy = nameRemedy(from, situations);
  const avoid = remedy === undefined ? "" : `; to avoid this, ${remedy}`;
  return organizationChange("replace", to, text + avoid, "stops managing");
}

/** How the organization keeps its name; undefined after the update, and if its resources have other names too. */
function nameRemedy(from: string, situations: readonly Situation[]): string | undefined {
  if (!situations.every(({ step, isUpdate }) => step.op === "replace" && !isUpdate)) return undefined;
  const providers = new Set(situations.flatMap(({ oldProvider, newProvider }) => [oldProvider, newProvider]));
  if (!providers.has("default")) return `keep ${safeName(from)} as the name of the Provider`;
  const isSafeInShell = /^\w[\w.:/-]{0,200}$/.test(from);
  if (providers.size > 1 || !isSafeInShell) return undefined;
  return `run ${asCode(`pulumi config set voiceplane:organization ${from}`)}`;
}

function providerChanges({ op, urn, before, after }: Step, isMoved: boolean): Change[] {
  if (op === undefined) return [];
  const organization = safeName(wholeNameIn(urn));
  const about = (text: string, ...risks: Risk[]) =>
    organizationChange(op, organization, `${organization}: ${text}`, ...risks);
  if (!after) return [about("organization no longer declared")];
  const allowsHttp = (state: typeof before) => textOf(settingOf(state, "allowInsecureHttp")) === "true";
  const http = "plain http allowed: anyone between this machine and the server can read the token";
  const changes = compact(
    !before && about(`another organization; requests with its token go to ${shownAddress(baseUrlIn(after))}`),
    allowsHttp(after) && !allowsHttp(before) && about(http, "weakens a guard"),
  );
  if (changes.length > 0 || isMoved) return changes;
  return [about("settings of the organization changed, perhaps its token too")];
}
