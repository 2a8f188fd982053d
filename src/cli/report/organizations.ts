/**
 * What a change of settings does to a whole organization: requests with its token go elsewhere. It is reported once, not for each resource.
 * The engine shows no step of the default provider: its address is in the states of its resources.
 */
import { compact, distinctBy, textIn, textOf } from "../../values/any.js";
import type { Risk } from "../../lifecycle/effects/risk.js";
import { asCode, safeText, safeName } from "../output.js";
import type { Op, Step } from "../pulumi/steps.js";
import { withoutRequest, type Change } from "./lines.js";
import { addressIn, nameIn, providerSteps, settingOf } from "./providers.js";
import type { Situation } from "./situations.js";

/** Longest text about an organization, characters. */
const maxText = 2000;

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
    ...moves.map(moveChange),
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

function moveChange({ organization, from, to }: Move): Change {
  const text = `from this update on, requests with the token of ${safeName(organization)} go to ${shownAddress(to)} instead of ${asCode(from)}`;
  const warning = "what is unchanged is not sent there, and another server may have other settings and secrets";
  return organizationChange("update", organization, `${text}; ${warning}`, "sends the token elsewhere");
}

const shownAddress = (address: string | undefined): string =>
  address === undefined ? "an address that cannot be seen here" : asCode(address);

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
