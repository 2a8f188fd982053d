/**
 * What a change of settings does to a whole organization: requests with its token go elsewhere. It is reported once, not for each resource.
 * The engine shows no step of the default provider: its address is in the states of its resources.
 */
import { compact, distinctBy, textIn, textOf } from "../../values/any.js";
import type { Risk } from "../../lifecycle/effects/risk.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";
import { asCode, safeText, safeName } from "../output.js";
import type { Op, Step } from "../pulumi/steps.js";
import { withoutRequest, type Change } from "./lines.js";
import { addressIn, nameIn, providerSteps, settingOf } from "./providers.js";
import type { Situation } from "./situations.js";

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

interface Move {
  readonly provider: string;
  readonly organization: string;
  readonly from: string;
  /** Undefined if it cannot be seen. */
  readonly to: string | undefined;
}

export function organizationChanges(steps: readonly Step[], situations: readonly Situation[]): Change[] {
  const all = [...providerSteps(steps).flatMap(moveOfProvider), ...situations.flatMap(moveOf)];
  const moves = distinctBy(all, ({ provider, from, to }) => JSON.stringify([provider, from, to]));
  const moved = new Set(moves.map(({ provider }) => provider));
  return [
    ...moves.map((move) => moveChange(move, situations)),
    ...providerSteps(steps).flatMap((step) => providerChanges(step, moved.has(nameIn(step.urn)))),
  ];
}

function moveOfProvider({ urn, before, after }: Step): Move[] {
  const from = addressIn(settingOf(before, "baseUrl"));
  const to = addressIn(settingOf(after, "baseUrl"));
  const provider = nameIn(urn);
  return !after || from === undefined || from === to ? [] : [{ provider, organization: provider, from, to }];
}

/** The move of the provider that had the state of a resource. */
function moveOf({ step, oldProvider, oldAddress, isMoved, declared, presentAddress }: Situation): Move[] {
  if (oldAddress === undefined || !isMoved) return [];
  const organization = textIn(declared ?? step.before?.outputs ?? {}, "organization") ?? oldProvider;
  return [{ provider: oldProvider, organization, from: oldAddress, to: presentAddress }];
}

const maxNames = 20;

function moveChange({ provider, organization, from, to }: Move, situations: readonly Situation[]): Change {
  const requests = `requests with the token of ${safeName(organization)}`;
  const text = `from this update on, ${requests} go to ${shownAddress(to)} instead of ${asCode(from)}`;
  const names = situations
    .filter((each) => each.newProvider === provider && isUnsent(each))
    .map(({ name }) => name)
    .sort();
  const left = names.length - maxNames;
  const list = names.slice(0, maxNames).join(", ") + (left > 0 ? ` and ${left} more` : "");
  const warning = `; what is unchanged is not sent, and another server there may have other settings and secrets: ${list}`;
  return organizationChange(
    "update",
    organization,
    names.length === 0 ? text : text + warning,
    "sends the token elsewhere",
  );
}

const shownAddress = (address: string | undefined): string =>
  address === undefined ? "an address that cannot be seen here" : asCode(address);

/** Whether the update sends nothing for an object whose setting or secret the server at the new address may not have. */
function isUnsent({ step: { op, before, after }, lifecycle, isMoved, planned }: Situation): boolean {
  const isSameObject = op === undefined || op === "update";
  if (!isSameObject || !before || !after || !isMoved || (planned.update ?? []).length > 0) return false;
  return lifecycle.secretCopy?.isIn(before.outputs) === true || lifecycle.sends(after.inputs as OrganizationScoped);
}

function providerChanges({ op, urn, before, after }: Step, isMoved: boolean): Change[] {
  if (op === undefined) return [];
  const organization = safeName(nameIn(urn));
  const about = (text: string, ...risks: Risk[]) =>
    organizationChange(op, organization, `${organization}: ${text}`, ...risks);
  if (!after) return [about("organization no longer declared")];
  const allowsHttp = (state: typeof before) => textOf(settingOf(state, "allowInsecureHttp")) === "true";
  const http = "plain http allowed: anyone between this machine and the server can read the token";
  const address = shownAddress(addressIn(settingOf(after, "baseUrl")));
  const changes = compact(
    !before && about(`another organization; requests with its token go to ${address}`),
    allowsHttp(after) && !allowsHttp(before) && about(http, "weakens a guard"),
  );
  if (changes.length > 0 || isMoved) return changes;
  return [about("settings of the organization changed, perhaps its token too")];
}
