/**
 * What a change of settings does to a whole organization: where requests with the token go, and another name. Reported once, not
 * for each resource. The engine shows steps of explicit providers only; the address and the name of the default provider are in
 * the states of its resources.
 */
import { addressOf } from "../../client/settings.js";
import { dryRun } from "../../resources/dry-run.js";
import type { Change } from "./changes.js";
import { isAddress, oldAddressOf, providerName, type PreviewContext } from "./preview-context.js";
import type { Op, ResourceState, Step } from "../pulumi/preview-or-update.js";
import { ownProviders, ownSteps, settingOf, wholeNameIn } from "./resources.js";
import { sentence, type Sentence } from "./sentences/sentence.js";
import { code, hiddenAs, plain, plainName, secretsAsUnknown } from "./text.js";

/** Longest sentence about an organization, characters: it may name many resources. */
const maxText = 4000;

/** A change of an organization, not of one resource. */
const changeOf = (op: Op, organization: string, { text, risks }: Sentence): Change => ({
  op,
  type: "Provider",
  name: plain(organization),
  id: "",
  organization: plain(organization),
  text: plain(text, maxText),
  risks,
  requests: 0,
  dueAlone: false,
  edited: true,
  diff: [],
  place: undefined,
});

interface Move {
  readonly provider: string;
  readonly organization: string;
  readonly from: string;
  /** Undefined if it cannot be seen. */
  readonly to: string | undefined;
}

export async function organizationChanges(steps: readonly Step[], context: PreviewContext): Promise<Change[]> {
  const moves = [...providerMoves(steps), ...resourceMoves(steps, context)];
  const keyOf = ({ provider, from, to }: Move) => JSON.stringify([provider, from, to]);
  const moved = [...Map.groupBy(moves, keyOf).values()].flatMap(([move]) => move ?? []);
  const isMoved = (name: string) => moved.some(({ provider }) => provider === name);
  const moveChanges = moved.map(async (move) => {
    return changeOf("update", move.organization, moveSentence(move, await unsentIn(move, steps, context)));
  });
  return [
    ...(await Promise.all(moveChanges)),
    ...organizationRenames(steps, context),
    ...ownProviders(steps).flatMap((step) => providerChanges(step, isMoved)),
  ];
}

const hiddenAddress = "an address that cannot be seen here";

/** What another server at the new address does not have. */
interface Unsent {
  readonly settings: readonly string[];
  readonly secrets: readonly string[];
}

async function unsentIn({ provider }: Move, steps: readonly Step[], context: PreviewContext): Promise<Unsent> {
  const [settings, secrets]: [string[], string[]] = [[], []];
  for (const { step, resource } of ownSteps(steps)) {
    const { op, before, after } = step;
    const { lifecycle } = resource;
    const isKept = op === undefined || op === "update";
    if (!isKept || !before || !after || providerName(after.provider) !== provider) continue;
    if (!context.isMoved(step)) continue;
    const values = { state: before.outputs, inputs: secretsAsUnknown(after.inputs) };
    if ((await dryRun(lifecycle, { verb: "update", ...values }))?.length !== 0) continue;
    if (before.outputs.secret !== undefined) secrets.push(plainName(context.nameOf(step.urn)));
    else if ((await dryRun(lifecycle, { verb: "create", ...values }))?.length !== 0)
      settings.push(plainName(context.nameOf(step.urn)));
  }
  return { settings: settings.sort(), secrets: secrets.sort() };
}

/** Most names in a list. */
const maxNames = 20;

function all(names: readonly string[]): string {
  const left = names.length - maxNames;
  return names.slice(0, maxNames).join(", ") + (left > 0 ? ` and ${left} more` : "");
}

function unsentText({ settings, secrets }: Unsent): string {
  if (settings.length + secrets.length === 0) return "";
  const parts = [
    ...(settings.length > 0
      ? [`it may not have these settings, which are unchanged and not sent: ${all(settings)}`]
      : []),
    ...(secrets.length > 0 ? [`its webhooks have other secrets than the state: ${all(secrets)}`] : []),
  ];
  return `; if another server answers there, ${parts.join("; ")}`;
}

function moveSentence({ organization, from, to }: Move, unsent: Unsent): Sentence {
  // An organization without a name is named by its address, which is in the sentence anyway.
  const whose = /^https?:/.test(organization) ? "the stack's token" : `the token of ${plainName(organization)}`;
  const there = to === undefined ? hiddenAddress : code(to);
  const text = `from this update on, requests with ${whose} go to ${there} instead of ${code(from)}`;
  return sentence(text + unsentText(unsent), "sends the token elsewhere");
}

function providerMoves(steps: readonly Step[]): Move[] {
  return ownProviders(steps).flatMap(({ op, urn, before, after }) => {
    const [from, to] = [baseUrlIn(before), baseUrlIn(after)];
    if (op === undefined || typeof from !== "string" || !after || from === to || hiddenAs(from)) return [];
    const name = wholeNameIn(urn);
    return [{ provider: name, organization: name, from, to: typeof to === "string" && !hiddenAs(to) ? to : undefined }];
  });
}

/** An address as the states of resources have it. Any other value, such as a hidden one, is unchanged. */
function baseUrlIn(provider: ResourceState | undefined): unknown {
  const baseUrl = settingOf(provider, "baseUrl");
  return isAddress(baseUrl) ? addressOf(baseUrl) : baseUrl;
}

function resourceMoves(steps: readonly Step[], { addressOf }: PreviewContext): Move[] {
  const own = ownSteps(steps).map(({ step }) => step);
  const addressBefore = ({ before }: Step) => before && oldAddressOf(before, addressOf);
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
    const organization = typeof after.inputs.organization === "string" ? after.inputs.organization : provider;
    return old.has(to) ? [] : [...old].map((from) => ({ provider, organization, from, to }));
  });
}

/** An organization that gets another name is another one for this package: every resource is created again. */
function organizationRenames(steps: readonly Step[], context: PreviewContext): Change[] {
  const own = ownSteps(steps);
  // One that is still declared has lost some resources, and no name.
  const declared = new Set(own.map(({ step }) => step.after?.inputs.organization));
  const renames = new Map<string, OrganizationRename>();
  for (const { step } of own) {
    const { op, before } = step;
    const isReplaced = op === "replace";
    const after = isReplaced
      ? step.after
      : context.renamesOf(step)?.renames.find(({ from }) => from === step)?.to.after;
    const [from, to] = [before?.outputs.organization, after?.inputs.organization];
    if (!before || !after || from === to || declared.has(from)) continue;
    if (typeof from !== "string" || typeof to !== "string" || hiddenAs([from, to])) continue;
    const isLeft = context.isForeign(before) || context.isDeclared(before) || before.retainOnDelete;
    const key = JSON.stringify([from, to]);
    const others = renames.get(key);
    renames.set(key, {
      from,
      to,
      isLeft: isLeft && (others?.isLeft ?? true),
      isReplaced: isReplaced && (others?.isReplaced ?? true),
      providers: [before, after].map(({ provider }) => providerName(provider)),
    });
  }
  return [...renames.values()].map((rename) => changeOf("replace", rename.to, renameSentence(rename, context)));
}

interface OrganizationRename {
  readonly from: string;
  readonly to: string;
  /** Whether nothing is sent for the objects of the old name. */
  readonly isLeft: boolean;
  /** Whether the resources keep their names. A webhook with another name is a new one, and is not refused. */
  readonly isReplaced: boolean;
  /** The old and the new one, by name. */
  readonly providers: readonly string[];
}

function renameSentence(rename: OrganizationRename, { isUpdate }: PreviewContext): Sentence {
  const [old, fresh] = [nameOf(rename.from), nameOf(rename.to)];
  const left = rename.isLeft ? "stay as they are" : "get what `onDelete` says";
  const text =
    `the organization ${old} renamed to ${fresh}, which makes it another organization: the objects of ${old} ${left} ` +
    `and are no longer managed, every setting is sent to ${fresh} (PUT, PATCH, DELETE)`;
  const webhooks = rename.isReplaced ? ", and webhooks are refused" : "";
  return sentence(text + webhooks + (isUpdate ? "" : keepingName(rename)), "leaves things behind");
}

/** How to keep the old name, if that is all that is needed. */
function keepingName({ from, isReplaced, providers: [before, after] }: OrganizationRename): string {
  if (!isReplaced) return "";
  if (before !== "default" && after !== "default")
    return `; to avoid this, keep ${nameOf(from)} as the name of the Provider`;
  // Safe to paste into a shell.
  const isPlain = before === after && /^\w[\w.:/-]{0,200}$/.test(from);
  return isPlain ? `; to avoid this, run ${code(`pulumi config set voiceplane:organization ${from}`)}` : "";
}

/** An organization without a name is named by its address. */
const nameOf = (organization: string): string =>
  /^https?:/.test(organization) ? code(organization) : plainName(organization);

function providerChanges({ op, urn, before, after }: Step, isMoved: (name: string) => boolean): Change[] {
  if (op === undefined) return [];
  const organization = plainName(wholeNameIn(urn));
  const about = (text: string, ...risks: Sentence["risks"]) =>
    changeOf(op, organization, { text: `${organization}: ${text}`, risks });
  if (!after) return [about("organization no longer declared")];
  const allowsHttp = (state: typeof before) => String(settingOf(state, "allowInsecureHttp")) === "true";
  const http = "plain http allowed: anyone between this machine and the server can read the token";
  const insecure = allowsHttp(after) && !allowsHttp(before) ? [about(http, "weakens a guard")] : [];
  if (!before) {
    const address = baseUrlIn(after);
    const there = typeof address === "string" && !hiddenAs(address) ? code(address) : hiddenAddress;
    return [about(`another organization; requests with its token go to ${there}`), ...insecure];
  }
  if (insecure.length > 0 || isMoved(wholeNameIn(urn))) return insecure;
  return [about("settings of the organization changed; the token may be another one")];
}
