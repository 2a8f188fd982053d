/**
 * Where the token goes. A change of it is told once for each organization, and not once for each of its resources: the
 * engine shows the steps of explicit providers, and of the default one only what its resources note of it.
 */
import { code, plainName } from "./text.js";
import { hiddenAs } from "./secrets.js";
import type { Op, Step } from "./read.js";
import { resourceOf, typeIn, wholeNameIn } from "./resources.js";
import { providerName, type PreviewContext } from "./preview-context.js";
import { sentence, type Sentence } from "./sentences/sentence.js";

/** What is told of one organization as such. */
export interface OrganizationSentence extends Sentence {
  readonly op: Op;
  readonly account: string;
}

/** Whether it is an explicit provider of this package, dynamic or native. */
export function isOwnProvider({ urn, before, after }: Step): boolean {
  const type = typeIn(urn);
  if (type === "pulumi:providers:voiceplane") return true;
  return type === "pulumi:providers:pulumi-nodejs" && "voiceplane:label" in ((after ?? before)?.inputs ?? {});
}

interface Move {
  readonly provider: string;
  readonly account: string;
  readonly from: string;
  /** Undefined where it cannot be seen. */
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
    ...steps.filter(isOwnProvider).flatMap((step) => providerSentences(step, isMoved, context)),
  ];
}

function moveSentence({ account, from, to }: Move, { past }: PreviewContext): Sentence {
  // An organization without a name of its own is named by its address, which would say nothing here.
  const whose = /^https?:/.test(account) ? "the stack's token" : `the token of ${plainName(account)}`;
  const since = past ? "from this up on" : "from the next up on";
  const there = to === undefined ? "an address that cannot be seen here" : code(to);
  return sentence(
    `${since}, requests with ${whose} ${past ? "were to go" : "go"} to ${there} instead of ${code(from)}`,
    "sends the token elsewhere",
  );
}

function providerMoves(steps: readonly Step[]): Move[] {
  return steps.filter(isOwnProvider).flatMap(({ op, urn, before, after }) => {
    const [from, to] = [baseUrlIn(before?.inputs), baseUrlIn(after?.inputs)];
    if (op === undefined || typeof from !== "string" || !after || from === to) return [];
    if (hiddenAs(from)) return [];
    const name = wholeNameIn(urn);
    return [{ provider: name, account: name, from, to: typeof to === "string" && !hiddenAs(to) ? to : undefined }];
  });
}

function baseUrlIn(inputs: Readonly<Record<string, unknown>> | undefined): unknown {
  const baseUrl = inputs?.["voiceplane:baseUrl"] ?? inputs?.baseUrl;
  // The same spelling as that of the addresses which resources note.
  return typeof baseUrl === "string" && URL.canParse(baseUrl) ? baseUrl.replace(/\/+$/, "") : baseUrl;
}

function resourceMoves(steps: readonly Step[], { addressOf }: PreviewContext): Move[] {
  const own = steps.filter(({ type }) => resourceOf(type));
  const formers = new Map<string, Set<string>>();
  for (const { before } of own) {
    const from = before && (addressOf(before, before.outputs) ?? addressOf(before, before.inputs));
    if (from === undefined) continue;
    const name = providerName(before?.provider ?? "");
    formers.set(name, (formers.get(name) ?? new Set()).add(from));
  }
  return own.flatMap(({ before, after }) => {
    const to = after && addressOf(after, after.inputs);
    if (!after || to === undefined) return [];
    const provider = providerName(after.provider);
    const isSameProvider = before !== undefined && providerName(before.provider) === provider;
    const from = isSameProvider ? (addressOf(before, before.outputs) ?? addressOf(before, before.inputs)) : undefined;
    const froms = from === undefined ? newcomersFroms(formers.get(provider), to) : [from];
    const account = typeof after.inputs.account === "string" ? after.inputs.account : provider;
    return froms.filter((former) => former !== to).map((former) => ({ provider, account, from: former, to }));
  });
}

/** Where a provider's resources were until now, for one that it did not have before: nothing if that is one of the places. */
function newcomersFroms(formers: ReadonlySet<string> | undefined, to: string): string[] {
  return formers === undefined || formers.has(to) ? [] : [...formers];
}

function providerSentences(
  { op, urn, before, after }: Step,
  isMoved: (name: string) => boolean,
  { past }: PreviewContext,
): OrganizationSentence[] {
  if (op === undefined) return [];
  const account = plainName(wholeNameIn(urn));
  const is = past ? "was" : "is";
  const about = (about: Sentence) => ({ op, account, ...about });
  if (!after) return [about(sentence(`the organization ${account} ${is} no longer declared`))];
  const address = baseUrlIn(after.inputs);
  const allows = (state: typeof after | undefined) => state?.inputs["voiceplane:allowInsecureHttp"] === "true";
  const insecure =
    allows(after) && !allows(before)
      ? [
          about(
            sentence(
              `${account}: plain http ${is} allowed, where everybody on the way can read the token`,
              "weakens a guard",
            ),
          ),
        ]
      : [];
  if (!before) {
    const there =
      typeof address === "string" && !hiddenAs(address) ? code(address) : "an address that cannot be seen here";
    const goes = past ? "requests with its token were to go to" : "requests with its token will go to";
    return [
      about(sentence(`${account} ${past ? "was added as" : "is"} another organization: ${goes} ${there}`)),
      ...insecure,
    ];
  }
  if (insecure.length > 0 || isMoved(wholeNameIn(urn))) return insecure;
  return [
    about(
      sentence(
        `the settings of the organization ${account} changed; the token ${past ? "may have been" : "may be"} another one`,
      ),
    ),
  ];
}
