/** A resource under another name: for the engine two resources, for the organization one object. */
import type { Step } from "./read.js";
import { wholeNameIn, type Resource } from "./resources.js";
import type { Surroundings } from "./surroundings.js";
import { code, plainName } from "./text.js";
import { tell, type Telling } from "./words/facts.js";

/** Told of the delete of an object that the program declares in another place. */
export function renameTelling(step: Step, { lifecycle, words }: Resource, around: Surroundings): Telling {
  const name = plainName(around.nameOf(step));
  const successor = around.successorOf(lifecycle, step);
  const sends = around.past ? "was sent" : "is sent";
  if (!successor) return tell(`${name}: declared elsewhere in the program, and nothing ${sends} for it here`);
  const fresh = plainName(around.nameOf(successor));
  const text = `${name} ${around.past ? "was renamed to" : "is renamed to"} ${fresh}, and nothing ${sends} for the old name`;
  // Another name of the organization makes another object, for the engine and in spite of any alias.
  if (around.past || step.before?.inputs.account !== successor.after?.inputs.account) return tell(text);
  const command = renameCommand(step, successor);
  const remedy = command === undefined ? "an alias in the program" : `${code(command)} before the update`;
  return tell(`${text}: ${remedy} saves ${words.renameSaves}`);
}

/** Nothing where the name alone is not what differs, or where a shell or a reader could take the line for another one. */
function renameCommand(old: Step, fresh: Step): string | undefined {
  const isSameBeside =
    old.before?.parent === fresh.after?.parent && qualifiedType(old.urn) === qualifiedType(fresh.urn);
  const name = wholeNameIn(fresh.urn);
  const isPlain = /^[\w$:/.-]{1,600}$/.test(old.urn) && /^\w[\w.-]{0,99}$/.test(name);
  return isSameBeside && isPlain ? `pulumi state rename '${old.urn}' ${name}` : undefined;
}

function qualifiedType(urn: string): string {
  return urn.slice(0, urn.length - wholeNameIn(urn).length);
}
