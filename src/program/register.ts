/** The part of all resource classes that is the same: from the arguments to the registration with the engine. */
import { compact } from "../values/any.js";
import { createRequire } from "node:module";
import { join } from "node:path";
import { RunError } from "@pulumi/pulumi/errors";
import { warn } from "@pulumi/pulumi/log";
import { secret, type Inputs } from "@pulumi/pulumi/output";
import type { Alias, CustomResourceOptions } from "@pulumi/pulumi/resource";
import { retainedKey } from "../lifecycle/effects/guards.js";
import { retainOnDeleteOf, type ResourceDefinition } from "../resources/definition.js";
import { resources } from "../resources/index.js";
import { brokenTexts } from "../schema/problems.js";
import { ownerText, problem, withCode } from "../values/diagnostic.js";
import { declareObject } from "./declared-objects.js";
import { argsOf, endProgram, problemsText, whenKnown, type Declared } from "./declared.js";
import { dynamicEngineProvider, nativeEngineProvider } from "./engine-provider.js";
import { currentProgramRun } from "./program-run.js";
import { isDeferred, knownProblems, unlessSeveral } from "./several-invalid.js";
import { isMaybeTransformed, targetOfDeclared } from "./target.js";

/**
 * What a class passes to `super`. There is no base class between it and the SDK's, because the SDK takes the fourth frame of the call
 * stack as the user's line, which the state and the engine's messages show.
 *
 * @throws RunError if the settings of the default provider are wrong, or the program cannot load this package
 * @throws ResourceError if the program declares the same object twice
 */
export function registration(
  declared: Declared,
): [type: string, name: string, inputs: Inputs, options: CustomResourceOptions] {
  const { engineProvider, type, name } = declared;
  refuseOptions(declared);
  warnTimeouts(declared);
  return [engineProvider.typeToken(type), name, registrationInputs(declared), registrationOptions(declared)];
}

/** The inputs: the arguments, the outputs as undefined until the engine answers, and what the provider needs. */
function registrationInputs(declared: Declared): Inputs {
  const { engineProvider, type, name, opts } = declared;
  const definition: ResourceDefinition = resources[type];
  const { path, outputs } = definition;
  const { identity, secrets = [] } = definition.lifecycle;
  const target = targetOfDeclared(declared);
  const args = argsOf(declared);
  const run = currentProgramRun();
  if (engineProvider === dynamicEngineProvider) requirePackage(path);
  requireWholeTexts(declared, { name }, args);
  const secretArgs = secrets.filter((key) => args[key] !== undefined);
  const id = whenKnown(args[identity], (known) => {
    requireWholeTexts(declared, { [identity]: known });
    if (target && !isMaybeTransformed(declared) && typeof known === "string")
      declareObject(run, declared, target.organization, known);
  });
  // The provider checks again. Here, a program with several mistakes learns all of them at once.
  const problems = target ? knownProblems(type, args) : [];
  const reportProblems = () => {
    endProgram(new RunError(problemsText(declared, problems)));
  };
  const answered = Object.keys(outputs.shape).filter((key) => !(key in definition.args.shape));
  return {
    ...Object.fromEntries(answered.map((key) => [key, undefined])),
    ...args,
    ...Object.fromEntries(secretArgs.map((key) => [key, secret(args[key])])),
    [identity]: problems.length === 0 ? id : unlessSeveral(run, id, reportProblems),
    ...(opts?.retainOnDelete === undefined && retainOnDeleteOf(definition, args) === true && { [retainedKey]: true }),
    ...engineProvider.inputs(path),
  };
}

/**
 * The user's options, with the secret outputs, the aliases of the other provider's type and, if `onDelete` sends nothing,
 * `retainOnDelete`: previews then show "retain".
 */
function registrationOptions(declared: Declared): CustomResourceOptions {
  const { engineProvider, type, opts } = declared;
  const definition: ResourceDefinition = resources[type];
  const retainOnDelete = retainOnDeleteOf(definition, argsOf(declared), opts?.retainOnDelete);
  const secretOutputs = (definition.lifecycle.secrets ?? []).filter((key) => key in definition.outputs.shape);
  const otherProvider = engineProvider === dynamicEngineProvider ? nativeEngineProvider : dynamicEngineProvider;
  return {
    ...opts,
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    aliases: withType(otherProvider.typeToken(type), opts?.aliases),
    additionalSecretOutputs: [...(opts?.additionalSecretOutputs ?? []), ...secretOutputs],
  };
}

/** Adds aliases of another type. An alias of a type alone finds only the resource's own name, so each alias with a name is repeated with the type. */
function withType(type: string, aliases: Aliases = []): Aliases {
  const known = aliases.filter((alias): alias is Alias => typeof alias === "object" && !isDeferred(alias));
  const named = known.filter((alias) => !("type" in alias)).map((alias) => ({ ...alias, type }));
  return [...aliases, { type }, ...named];
}

type Aliases = NonNullable<CustomResourceOptions["aliases"]>;

/** The provider's process resolves the package from the program's folder, so a copy below a library is not enough. */
function requirePackage(path: string): void {
  try {
    // Plain require.resolve would find this package itself by its own name, wherever it is.
    createRequire(join(process.cwd(), "index.js")).resolve(`pulumi-voiceplane/dynamic/${path}`);
  } catch {
    const text =
      `pulumi-voiceplane cannot be found from ${process.cwd()}: add pulumi-voiceplane to the dependencies of this ` +
      "project's own package.json (a library that depends on it is not enough) and install. " +
      "In a package of components for other languages, import from pulumi-voiceplane/native instead";
    throw new RunError(withCode(text, "package-missing"));
  }
}

/** The engine's protocol cannot carry lone surrogates: they would end the run without naming the property. */
function requireWholeTexts(declared: Declared, ...values: object[]): void {
  const problems = values.flatMap((each) => brokenTexts(each));
  if (problems.length > 0) throw new RunError(problemsText(declared, problems));
}

/** Refuses options with which the engine drops a state without asking the provider: the state may have the only copy of a secret. */
function refuseOptions(declared: Declared): void {
  const { replaceWith = [], retainOnDelete } = declared.opts ?? {};
  if (resources[declared.type].lifecycle.secretCopy === undefined) return;
  const texts = compact(
    replaceWith.length > 0 &&
      argsOf(declared).onCreate === "adopt" &&
      'the option replaceWith would replace an adopted webhook without its secret: remove it, or write onCreate: "rotate" if each replacement should rotate',
    retainOnDelete === true &&
      "the option retainOnDelete would drop the only copy of the secret where the webhook is renamed or replaced: remove it; a delete sends nothing anyway",
  );
  const problems = texts.map((text) => problem("option-loses-secret", text));
  if (problems.length > 0) throw new RunError(problemsText(declared, problems));
}

/**
 * Warns of customTimeouts: the SDK does not pass them on to a dynamic provider. One warning in a run is enough, because often all resources have
 * them.
 */
function warnTimeouts({ engineProvider, type, name, opts }: Declared): void {
  const run = currentProgramRun();
  if (engineProvider !== dynamicEngineProvider || opts?.customTimeouts === undefined || run.warnedOfTimeouts === true)
    return;
  run.warnedOfTimeouts = true;
  const text =
    `${ownerText(type, name)}: customTimeouts have no effect with the dynamic provider, where a request ends within a minute, ` +
    "and after a 429 within three. Import from pulumi-voiceplane/native, whose plugin honours them.";
  void warn(withCode(text, "option-ignored"));
}
