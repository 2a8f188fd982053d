/** The providers of a run: their names, settings and addresses, which decide where requests go. */
import { addressOf } from "../../../client/settings.js";
import { hiddenAs } from "../../../lifecycle/effects/effect.js";
import { isDefaultProvider } from "../../../values/engine.js";
import type { ResourceState, Step } from "../../pulumi/steps.js";
import { typeIn, wholeNameIn } from "./resources.js";

/** Whether it is an explicit provider of this package, dynamic or native. */
export function isOwnProvider({ urn, before, after }: Step): boolean {
  const type = typeIn(urn);
  if (type === "pulumi:providers:voiceplane") return true;
  return type === "pulumi:providers:pulumi-nodejs" && "voiceplane:providerName" in ((after ?? before)?.inputs ?? {});
}

export function settingOf(provider: ResourceState | undefined, key: "baseUrl" | "allowInsecureHttp"): unknown {
  return provider?.inputs[`voiceplane:${key}`] ?? provider?.inputs[key];
}

/** The steps of explicit providers. A move from dynamic to native or back is a delete and a create of one name: here, it is one update. */
export function providerSteps(steps: readonly Step[]): Step[] {
  const own = steps.filter(isOwnProvider);
  return own.flatMap((step): Step[] => {
    const namesakes = own.filter(({ urn }) => urn !== step.urn && wholeNameIn(urn) === wholeNameIn(step.urn));
    if (!step.after && namesakes.some(({ after }) => after)) return [];
    const former = namesakes.find(({ before }) => before)?.before;
    return [!step.before && former ? { ...step, op: "update", before: former } : step];
  });
}

/** Takes the first address among these values, or else that of the resource's explicit provider. Undefined if there is none. */
export type AddressOf = (resource: ResourceState, ...own: readonly unknown[]) => string | undefined;

/** Finds where requests go: before the run by the old settings of each provider, after it by the new ones. */
export function addressesIn(steps: readonly Step[], side: "before" | "after"): AddressOf {
  const addresses = new Map<string, string>();
  for (const { urn, [side]: provider } of steps.filter(isOwnProvider)) {
    const address = baseUrlIn(provider);
    if (isAddress(address)) addresses.set(wholeNameIn(urn), address);
  }
  return ({ provider }, ...own) => {
    const address = own.find(isAddress);
    return address === undefined ? addresses.get(providerName(provider)) : addressOf(address);
  };
}

/** The names of the explicit providers whose new address cannot be seen. */
export function hiddenMovesIn(steps: readonly Step[]): ReadonlySet<string> {
  const hidden = movedProviders(steps).filter(({ from, to }) => from !== undefined && hiddenAs(to) !== undefined);
  return new Set(hidden.map(({ provider }) => provider));
}

export function isAddress(value: unknown): value is string {
  return typeof value === "string" && /^https?:/i.test(value) && URL.canParse(value);
}

/** The name in a provider's reference (URN and id). The default provider has one name for all versions. */
export function providerName(reference: string): string {
  const name = wholeNameIn(reference.slice(0, Math.max(reference.lastIndexOf("::"), 0)));
  return isDefaultProvider(name) ? "default" : name;
}

/** A provider whose address changes. */
export interface Move {
  readonly provider: string;
  readonly organization: string;
  readonly from: string;
  /** Undefined if it cannot be seen. */
  readonly to: string | undefined;
}

export const providerMoves = (steps: readonly Step[]): Move[] =>
  movedProviders(steps).flatMap(({ provider, from, to }) =>
    isAddress(from) ? [{ provider, organization: provider, from, to: isAddress(to) ? to : undefined }] : [],
  );

function movedProviders(steps: readonly Step[]) {
  return providerSteps(steps).flatMap(({ urn, before, after }) => {
    const from = baseUrlIn(before);
    const to = baseUrlIn(after);
    return after === undefined || from === to ? [] : [{ provider: wholeNameIn(urn), from, to }];
  });
}

/** The provider's address in the form that the states of resources have. Any other value, such as a hidden one, is returned as it is. */
export function baseUrlIn(provider: ResourceState | undefined): unknown {
  const baseUrl = settingOf(provider, "baseUrl");
  return isAddress(baseUrl) ? addressOf(baseUrl) : baseUrl;
}
