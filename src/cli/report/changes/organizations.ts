/**
 * What a change of settings does to a whole organization: requests with its token go elsewhere, or it has another name. It is reported
 * once, not for each resource. The engine shows no step of the default provider: its address and name are in the states of its resources.
 */
import { textOf } from "../../../values/any.js";
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
  urn: "",
  op,
  type: "Organization",
  name: safeText(organization),
  id: "",
  organization: safeText(organization),
  text: safeText(text, maxText),
  ...withoutRequest,
  risks,
});

export function organizationChanges(steps: readonly Step[], situations: readonly Situation[]): Change[] {
  const moves = [...providerMoves(steps), ...situations.flatMap(resourceMove)];
  const groups = Map.groupBy(moves, ({ provider, from, to }) => JSON.stringify([provider, from, to]));
  const moved = [...groups.values()].flatMap(([move]) => move ?? []);
  const movedProviders = new Set(moved.map(({ provider }) => provider));
  const unsent = Map.groupBy(situations.filter(isUnsent), ({ newProvider }) => newProvider);
  return [
    ...moved.map((move) => moveChange(move, unsent.get(move.provider) ?? [])),
    ...organizationRenames(situations),
    ...providerSteps(steps).flatMap((step) => providerChanges(step, movedProviders.has(wholeNameIn(step.urn)))),
  ];
}

function moveChange({ organization, from, to }: Move, unsent: readonly Situation[]): Change {
  const whose = `the token of ${safeName(organization)}`;
  const text = `from this update on, requests with ${whose} go to ${shownAddress(to)} instead of ${asCode(from)}`;
  const names = unsent.map(({ name }) => name).sort();
  const left = names.length - maxNames;
  const list = names.slice(0, maxNames).join(", ") + (left > 0 ? ` and ${left} more` : "");
  const warning = `; what is unchanged is not sent, and another server there may have other settings and secrets: ${list}`;
  const whole = names.length === 0 ? text : text + warning;
  return organizationChange("update", organization, whole, "sends the token elsewhere");
}

const maxNames = 20;

const shownAddress = (address: unknown): string =>
  isAddress(address) ? asCode(address) : "an address that cannot be seen here";

/** Whether the update sends nothing for an object whose setting or secret the server at the new address may not have. */
function isUnsent({ step: { op, before, after }, lifecycle, isMoved, planned }: Situation): boolean {
  if (!(op === undefined || op === "update") || !before || !after || !isMoved || sendsRequest(planned.update))
    return false;
  return lifecycle.secretCopy?.isIn(before.outputs) === true || lifecycle.sends(after.inputs as OrganizationScoped);
}

function resourceMove({ step, oldProvider, oldAddress, isMoved, presentAddress }: Situation): Move[] {
  const { before, after = before } = step;
  if (oldAddress === undefined || !isMoved) return [];
  const organization = after?.inputs.organization;
  const name = typeof organization === "string" ? organization : oldProvider;
  return [{ provider: oldProvider, organization: name, from: oldAddress, to: presentAddress }];
}

/** An organization with another name is another organization for this package: every resource is created again. */
function organizationRenames(situations: readonly Situation[]): Change[] {
  // An organization that is still declared was not renamed: it has lost some resources.
  const stillDeclared = new Set(situations.map(({ step }) => step.after?.inputs.organization));
  const renames = situations.flatMap((situation) => {
    const { step, oldProvider, isUpdate } = situation;
    const isReplaced = step.op === "replace";
    const declarer = isReplaced ? situation : situation.renamedTo;
    const newProvider = declarer?.newProvider;
    const [from, to] = [step.before?.outputs.organization, declarer?.step.after?.inputs.organization];
    if (from === to || stillDeclared.has(from)) return [];
    if (typeof from !== "string" || typeof to !== "string" || hiddenAs([from, to])) return [];
    const isSafeInShell = /^\w[\w.:/-]{0,200}$/.test(from);
    const command = `run ${asCode(`pulumi config set voiceplane:organization ${from}`)}`;
    const isExplicit = oldProvider !== "default" && newProvider !== "default";
    const ofDefault = oldProvider === newProvider && isSafeInShell ? command : undefined;
    const remedy = isExplicit ? `keep ${safeName(from)} as the name of the Provider` : ofDefault;
    return [{ from, to, isReplaced, remedy: isUpdate ? undefined : remedy }];
  });
  return [...Map.groupBy(renames, ({ from, to }) => JSON.stringify([from, to])).values()].flatMap((group) => {
    const [rename] = group;
    if (!rename) return [];
    // A webhook whose resource is renamed too is created, and a create is not refused.
    const isReplaced = group.every((each) => each.isReplaced);
    const [old, fresh] = [safeName(rename.from), safeName(rename.to)];
    const remedy = group.at(-1)?.remedy;
    const text =
      `the organization ${old} renamed to ${fresh}, which makes it another organization: the objects of ${old} are no longer ` +
      `managed, and every setting is sent to ${fresh} (PUT, PATCH, DELETE)${isReplaced ? ", and webhooks are refused" : ""}`;
    const avoid = isReplaced && remedy !== undefined ? `; to avoid this, ${remedy}` : "";
    return [organizationChange("replace", rename.to, text + avoid, "stops managing")];
  });
}

function providerChanges({ op, urn, before, after }: Step, isMoved: boolean): Change[] {
  if (op === undefined) return [];
  const organization = safeName(wholeNameIn(urn));
  const about = (text: string, ...risks: Risk[]) =>
    organizationChange(op, organization, `${organization}: ${text}`, ...risks);
  if (!after) return [about("organization no longer declared")];
  const allowsHttp = (state: typeof before) => textOf(settingOf(state, "allowInsecureHttp")) === "true";
  const http = "plain http allowed: anyone between this machine and the server can read the token";
  const insecure = allowsHttp(after) && !allowsHttp(before) ? [about(http, "weakens a guard")] : [];
  if (!before)
    return [
      about(`another organization; requests with its token go to ${shownAddress(baseUrlIn(after))}`),
      ...insecure,
    ];
  if (insecure.length > 0 || isMoved) return insecure;
  return [about("settings of the organization changed; the token may be another one")];
}
