/** What a change of a NetworkPolicy does: which addresses it admits from then on. */
import { containsRange, formatRange, parseCidr, type Range } from "../../contract/cidr.js";
import { compact, textOf, type Values } from "../../values/any.js";
import { effect, hiddenAs, isUnconfirmed, membersOf, type Effect } from "../../lifecycle/effects/effect.js";
import type { Loosens } from "../../lifecycle/effects/guards.js";
import {
  adoptedAs,
  effectsFrom,
  leftAsSet,
  overwrites,
  undeclared,
  type Facts,
} from "../../lifecycle/effects/frame.js";

const fields = ["sourceCidr", "name"] as const;

/** Assumes that a policy admits its range, as the name of its field in the API suggests. */
export const networkPolicyEffects = effectsFrom({
  adopted(change) {
    const declared = fields.filter((field) => change.inputs[field] !== undefined);
    return adoptedAs(valuesIn(change.inputs), change, ...declared);
  },
  left: (change) => leftAsSet(change, "", visible(change.current?.sourceCidr)),
  stored: undeclaredEffects,
  sent: (change) => [...sentEffects(change), ...undeclaredEffects(change)],
});

function sentEffects(change: Facts): Effect[] {
  const { verb, inputs, current = {} } = change;
  const { onDelete } = inputs;
  // An `onDelete` that cannot be seen may have a range.
  const setOnDelete = typeof onDelete === "string" ? { sourceCidr: onDelete } : membersOf(onDelete);
  const values = verb === "delete" ? setOnDelete : inputs;
  const range = rangeEffect(values, current, change);
  const name = nameEffect(values, current);
  const isAgain = range === undefined && (name === undefined || change.due !== undefined);
  const again = isAgain ? sentAgain(values, current, change) : undefined;
  const also = isAgain ? undefined : alsoSent(values, range, name);
  return compact(again, range, name, also);
}

/** The effect on a field that does not change: a request has every declared field. A range that is sent again replaces another one. */
function alsoSent({ sourceCidr, name }: Values, range: Effect | undefined, named: Effect | undefined) {
  if (!range && sourceCidr !== undefined)
    return effect(`sends ${valuesIn({ sourceCidr })} again; ${overwrites}`, "narrows access", "widens access");
  const again = named ? undefined : valuesIn({ name });
  return again === undefined ? undefined : effect(`sends ${again} again; ${overwrites}`);
}

function rangeEffect(values: Values, current: Values, change: Facts): Effect | undefined {
  const { sourceCidr: cidr } = values;
  if (cidr === undefined) return undefined;
  const { verb, inputs } = change;
  const [old, after] = [rangeOf(current.sourceCidr), rangeOf(cidr)];
  const hasMustInclude = Array.isArray(inputs.mustInclude) && inputs.mustInclude.length > 0;
  const cannotLockOut = verb === "delete" || after?.prefix === 0 || hasMustInclude;
  const lockout = cannotLockOut
    ? ""
    : `; ${change.may("lock", "locked")} this pipeline out, as no \`mustInclude\` names its address`;
  const both = (text: string): Effect => effect(text + lockout, "narrows access", "widens access");
  if (!after) return both(`may admit any range: it is ${hiddenAs(cidr) ?? "not known yet"}${change.why}`);
  const admits = `admits ${named(after)}`;
  if (!old) {
    const adopted = adoptedRange(change);
    const replaced = adopted
      ? `${named(adopted)}, which was adopted and never sent`
      : "a range that cannot be read back";
    const text = `${admits}${change.why}; replaces ${replaced}`;
    return adopted && containsRange(after, adopted) && after.prefix === 0 ? effect(text, "widens access") : both(text);
  }
  const [isWithin, isAround] = [containsRange(old, after), containsRange(after, old)];
  if (isWithin && isAround) return undefined;
  if (isWithin)
    return effect(
      `${admits}, ${fraction(after.prefix - old.prefix)} of ${named(old)}${change.why}${lockout}`,
      "narrows access",
    );
  if (!isAround) return both(`${admits} and no longer ${named(old)}, which is another range${change.why}`);
  const size = after.prefix === 0 ? " instead of" : `, ${times(old.prefix - after.prefix)}`;
  return effect(`${admits}${size} ${formatRange(old)}${change.why}`, "widens access");
}

const adoptedRange = ({ before = {}, moved }: Facts): Range | undefined =>
  isUnconfirmed(before) && !moved ? rangeOf(before.sourceCidr) : undefined;

function nameEffect({ name }: Values, current: Values): Effect | undefined {
  const hidden = hiddenAs(name);
  if (hidden) return effect(`may set any name: it is ${hidden}`);
  if (typeof name !== "string" || name === current.name) return undefined;
  const old = visible(current.name);
  return effect(`sets the name "${name}"${old === undefined ? "" : ` instead of "${old}"`}`);
}

/** A name may be secret, and a provider warns of each effect with a risk. So a text with a risk does not show it. */
function sentAgain({ name, sourceCidr }: Values, current: Values, change: Facts): Effect {
  const isSame = name !== undefined && name === current.name;
  if (sourceCidr === undefined)
    return effect(`sends ${valuesIn({ name }) ?? "its values"} again${change.why}; ${overwrites}`);
  const again = `sends ${valuesIn({ sourceCidr }) ?? ""}${isSame ? " and its name" : ""} again${change.why}; ${overwrites}`;
  return effect(again, ...change.unlessUnattended("narrows access", "widens access"));
}

function undeclaredEffects(change: Facts): Effect[] {
  return undeclared(change, fields).map((field) =>
    leftAsSet(change, field === "name" ? "name " : "range ", visible(change.current?.[field])),
  );
}

/** The values in words, as far as they are known. */
function valuesIn({ sourceCidr, name }: Values): string | undefined {
  const range = rangeOf(sourceCidr);
  const isNameShown = visible(name) !== undefined;
  return compact(range && named(range), isNameShown && `the name "${textOf(name)}"`).join(" and ") || undefined;
}

const visible = (value: unknown): string | undefined =>
  typeof value === "string" && !hiddenAs(value) ? value : undefined;

const rangeOf = (cidr: unknown): Range | undefined => (typeof cidr === "string" ? parseCidr(cidr) : undefined);

const named = (range: Range): string =>
  range.prefix === 0 ? `the whole internet (${formatRange(range)})` : formatRange(range);

/** The size of a range, compared with one whose prefix is shorter by `bits`. */
const fraction = (bits: number): string => (bits === 1 ? "half" : bits <= 16 ? `1/${2 ** bits}` : "a tiny part");

const times = (bits: number): string => (bits === 1 ? "twice" : bits <= 16 ? `${2 ** bits} times` : "many times");

/** Whether the new list lacks an address of the old one. */
export const namesFewer: Loosens = ({ old, fresh }) =>
  [old, fresh].some(hiddenAs) ||
  [old].flat().some((address) => address !== undefined && ![fresh].flat().includes(address));
