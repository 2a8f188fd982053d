/** The providers of a run: their names, settings and addresses, which decide where requests go. */
import { addressOf } from "../../../client/settings.js";
import { hiddenAs } from "../../../lifecycle/effects/effect.js";
import type { Values } from "../../../values/any.js";
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
export function ownProviders(steps: readonly Step[]): Step[] {
  const own = steps.filter(isOwnProvider);
  const partner = ({ urn }: Step, has: "before" | "after") =>
    own.find((other) => other.urn !== urn && wholeNameIn(other.urn) === wholeNameIn(urn) && other[has]);
  return own.flatMap((step): Step[] => {
    if (step.before && !step.after) return partner(step, "after") ? [] : [step];
    const old = step.before ? undefined : partner(step, "before")?.before;
    return [old ? { ...step, op: "update", before: old } : step];
  });
}

export type AddressOf = (state: ResourceState, values: Values) => string | undefined;

/** Finds where the requests for a resource go; undefined if no value says it. */
export function addressesIn(steps: readonly Step[]): AddressOf {
  // A state may have no address. Then its explicit provider has it.
  const baseUrls = new Map(
    steps.filter(isOwnProvider).flatMap(({ urn, before, after }) => {
      const baseUrl = settingOf(before ?? after, "baseUrl");
      return isAddress(baseUrl) ? [[wholeNameIn(urn), baseUrl] as const] : [];
    }),
  );
  return ({ provider }, { address }) => {
    const url = [address, baseUrls.get(providerName(provider))].find(isAddress);
    return url === undefined ? undefined : addressOf(url);
  };
}

/** The names of the explicit providers whose new address cannot be seen. */
export const hiddenMovesIn = (steps: readonly Step[]): ReadonlySet<string> =>
  new Set(
    ownProviders(steps).flatMap(({ urn, before, after }) => {
      const [from, to] = [before, after].map((state) => settingOf(state, "baseUrl"));
      return from !== undefined && from !== to && hiddenAs(to) ? [wholeNameIn(urn)] : [];
    }),
  );

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

export function providerMoves(steps: readonly Step[]): Move[] {
  return ownProviders(steps).flatMap(({ op, urn, before, after }) => {
    const [from, to] = [baseUrlIn(before), baseUrlIn(after)];
    if (op === undefined || typeof from !== "string" || !after || from === to || hiddenAs(from)) return [];
    const name = wholeNameIn(urn);
    return [{ provider: name, organization: name, from, to: typeof to === "string" && !hiddenAs(to) ? to : undefined }];
  });
}

/** The provider's address in the form that the states of resources have. Any other value, such as a hidden one, is returned as it is. */
export function baseUrlIn(provider: ResourceState | undefined): unknown {
  const baseUrl = settingOf(provider, "baseUrl");
  return isAddress(baseUrl) ? addressOf(baseUrl) : baseUrl;
}
