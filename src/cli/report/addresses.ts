/**
 * Where requests with the token go. A change of address is said once for each organization, not for each resource. The
 * engine shows steps of explicit providers only; the default provider's address is in the states of its resources.
 */
import { providerName, type PreviewContext } from "./preview-context.js";
import { ownProviders, settingOf } from "./own-providers.js";
import type { Op, ResourceState, Step } from "./read.js";
import { resourceOf, wholeNameIn } from "./resources.js";
import { sentence, type Sentence } from "./sentences/sentence.js";
import { code, hiddenAs, plainName } from "./text.js";

/** A sentence about an organization, not about one resource. */
export interface OrganizationSentence extends Sentence {
  readonly op: Op;
  readonly account: string;
}

interface Move {
  readonly provider: string;
  readonly account: string;
  readonly from: string;
  /** Undefined if it cannot be seen. */
  readonly to: string | undefined;
}

export function organizationSentences(steps: readonly Step[], context: PreviewContext): OrganizationSentence[] {
  const moves = new Map<string, Move>();
  for (const move of [...providerMoves(steps), ...resourceMoves(steps, context)]) {
    const key = JSON.stringify([move.provider, move.from, move.to]);
    if (!moves.has(key)) moves.set(key, move);
  }
  const moved = [...moves.values()];
  const isMoved = (name: string) => moved.some(({ provider }) => provider === name);
  return [
    ...moved.map((move) => ({ op: "update" as const, account: move.account, ...moveSentence(move, context) })),
    ...ownProviders(steps).flatMap((step) => providerSentences(step, isMoved, context)),
  ];
}

const hiddenAddress = "an address that cannot be seen here";

function moveSentence({ account, from, to }: Move, { past }: PreviewContext): Sentence {
  // An organization without a name is named by its address, which would say nothing here.
  const whose = /^https?:/.test(account) ? "the stack's token" : `the token of ${plainName(account)}`;
  const [since, go] = past ? ["this", "were to go"] : ["the next", "go"];
  const there = to === undefined ? hiddenAddress : code(to);
  const text = `from ${since} up on, requests with ${whose} ${go} to ${there} instead of ${code(from)}`;
  return sentence(text, "sends the token elsewhere");
}

function providerMoves(steps: readonly Step[]): Move[] {
  return ownProviders(steps).flatMap(({ op, urn, before, after }) => {
    const [from, to] = [baseUrlIn(before), baseUrlIn(after)];
    if (op === undefined || typeof from !== "string" || !after || from === to || hiddenAs(from)) return [];
    const name = wholeNameIn(urn);
    return [{ provider: name, account: name, from, to: typeof to === "string" && !hiddenAs(to) ? to : undefined }];
  });
}

/** Written like the addresses in the states of resources. */
function baseUrlIn(provider: ResourceState | undefined): unknown {
  const baseUrl = settingOf(provider, "baseUrl");
  return typeof baseUrl === "string" && URL.canParse(baseUrl) ? baseUrl.replace(/\/+$/, "") : baseUrl;
}

function resourceMoves(steps: readonly Step[], { addressOf }: PreviewContext): Move[] {
  const own = steps.filter(({ type }) => resourceOf(type));
  const addressBefore = ({ before }: Step) =>
    before && (addressOf(before, before.outputs) ?? addressOf(before, before.inputs));
  const oldAddresses = new Map<string, Set<string>>();
  for (const step of own) {
    const from = addressBefore(step);
    if (from === undefined) continue;
    const name = providerName(step.before?.provider ?? "");
    oldAddresses.set(name, (oldAddresses.get(name) ?? new Set()).add(from));
  }
  return own.flatMap((step) => {
    const { before, after } = step;
    const to = after && addressOf(after, after.inputs);
    if (!after || to === undefined) return [];
    const provider = providerName(after.provider);
    const isSameProvider = before !== undefined && providerName(before.provider) === provider;
    const own = isSameProvider ? addressBefore(step) : undefined;
    // A resource that is new for its provider moves if none of the provider's resources was at this address.
    const old = own === undefined ? (oldAddresses.get(provider) ?? new Set<string>()) : new Set([own]);
    const account = typeof after.inputs.account === "string" ? after.inputs.account : provider;
    return old.has(to) ? [] : [...old].map((from) => ({ provider, account, from, to }));
  });
}

function providerSentences(
  { op, urn, before, after }: Step,
  isMoved: (name: string) => boolean,
  { past }: PreviewContext,
): OrganizationSentence[] {
  if (op === undefined) return [];
  const account = plainName(wholeNameIn(urn));
  const is = past ? "was" : "is";
  const about = (text: string, ...risks: Sentence["risks"]) => ({ op, account, text, risks });
  if (!after) return [about(`the organization ${account} ${is} no longer declared`)];
  const allowsHttp = (state: typeof after | undefined) => String(settingOf(state, "allowInsecureHttp")) === "true";
  const http = `${account}: plain http ${is} allowed: anyone between this machine and the server can read the token`;
  const insecure = allowsHttp(after) && !allowsHttp(before) ? [about(http, "weakens a guard")] : [];
  if (!before) {
    const address = baseUrlIn(after);
    const there = typeof address === "string" && !hiddenAs(address) ? code(address) : hiddenAddress;
    const [added, go] = past ? ["was added as", "were to go"] : ["is", "will go"];
    return [about(`${account} ${added} another organization: requests with its token ${go} to ${there}`), ...insecure];
  }
  if (insecure.length > 0 || isMoved(wholeNameIn(urn))) return insecure;
  const may = past ? "may have been" : "may be";
  return [about(`the settings of the organization ${account} changed; the token ${may} another one`)];
}
