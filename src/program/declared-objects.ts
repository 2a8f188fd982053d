/** The objects that the program declares. It declares each once, and notes them for the providers of the run. */
import { ResourceError } from "@pulumi/pulumi/errors";
import type { Input } from "@pulumi/pulumi/output";
import type { CustomResource } from "@pulumi/pulumi/resource";
import { objectKey, objectKeys, objectName } from "../lifecycle/object.js";
import { resources } from "../resources/index.js";
import { withCode } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import { argsOf, whenKnown, type Declared } from "./declared.js";
import { currentProgramRun, type ProgramRun } from "./program-run.js";
import { isMaybeTransformed, targetOfDeclared } from "./target.js";

/** Only the program sees all its resources, and before the engine asks a provider. @throws ResourceError if it has declared the object before */
export function declareObject(
  { declarations }: ProgramRun,
  declared: Declared,
  organization: string,
  id: string,
): void {
  const { type, name, opts } = declared;
  const other = declarations.add(objectKey(type, id, organization), declared);
  if (other === undefined) return;
  const both = `${type} "${name}" and ${type} "${other.name}"`;
  const message = `${both} declare the same object, ${objectName(id, organization)}: remove one of them`;
  throw new ResourceError(printable(withCode(message, "declared-twice")), opts?.parent, true);
}

/** Declares the object in the organization that the engine's answer names. */
function declareRegistered(run: ProgramRun, declared: Declared, resource: CustomResource): void {
  const { identity } = resources[declared.type].lifecycle;
  const { organization, [identity]: id } = resource as unknown as Record<string, Input<unknown>>;
  whenKnown(organization, (used) => {
    whenKnown(id, (known) => {
      if (typeof used === "string" && typeof known === "string") declareObject(run, declared, used, known);
    });
  });
}

/**
 * Notes for the providers of this run that the program declares the object, so that a delete under another name sends nothing.
 * Notes it again once the engine has registered the object.
 */
export function noteDeclared(declared: Declared, resource: CustomResource): void {
  if (isMaybeTransformed(declared)) declareRegistered(currentProgramRun(), declared, resource);
  const target = targetOfDeclared(declared);
  if (!target) return;
  const { organization, address } = target;
  const { identity, secretCopy } = resources[declared.type].lifecycle;
  const { name } = declared;
  const { engineRun } = currentProgramRun();
  whenKnown(address, (known) => {
    whenKnown(argsOf(declared)[identity], (id) => {
      if (typeof id !== "string") return;
      const keys = objectKeys(declared, id, { organization, address: String(known) });
      for (const key of keys) {
        engineRun.note({ says: "declared", key });
        if (secretCopy) engineRun.note({ says: "called", key, name });
      }
      whenKnown(resource.urn, () => {
        for (const key of keys) engineRun.note({ says: "registered", key });
      });
    });
  });
  whenKnown((resource as { requestId?: Input<unknown> }).requestId, (key) => {
    if (typeof key === "string") engineRun.note({ says: "declared state", key });
  });
}
