/** A resource under another name: for the engine two resources, for the organization one object. */
import type { Step } from "./read.js";
import { wholeNameIn, type Resource } from "./resources.js";
import type { PreviewContext } from "./preview-context.js";
import { code, plainName } from "./text.js";
import { sentence, type Sentence } from "./sentences/sentence.js";

/** Told of the delete of an object that the program declares in another place. */
export function renameSentence(step: Step, { lifecycle, sentences }: Resource, context: PreviewContext): Sentence {
  const name = plainName(context.nameOf(step));
  const successor = context.successorOf(lifecycle, step);
  const sends = context.past ? "was sent" : "is sent";
  if (!successor) return sentence(`${name}: declared elsewhere in the program, and nothing ${sends} for it here`);
  const fresh = plainName(context.nameOf(successor));
  const text = `${name} ${context.past ? "was renamed to" : "is renamed to"} ${fresh}, and nothing ${sends} for the old name`;
  // Another name of the organization makes another object, for the engine and in spite of any alias.
  if (context.past || step.before?.inputs.account !== successor.after?.inputs.account) return sentence(text);
  const command = renameCommand(step, successor);
  const remedy = command === undefined ? "an alias in the program" : `${code(command)} before the update`;
  return sentence(`${text}: ${remedy} saves ${sentences.renameSaves}`);
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
