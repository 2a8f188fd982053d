/**
 * The part of all resource classes that is the same: from the arguments to the registration with the engine. The program declares, and the
 * provider checks: what is refused here is what no provider can see.
 */
import { RunError } from "@pulumi/pulumi/errors";
import { Output, secret, type Input, type Inputs } from "@pulumi/pulumi/output";
import type { Alias, ComponentResourceOptions, CustomResourceOptions } from "@pulumi/pulumi/resource";
import { retainOnDeleteOf, type ResourceDefinition } from "../resources/definition.js";
import { resources, type ResourceType } from "../resources/index.js";
import { blockText, diagnosticText, ownerText, problem } from "../values/diagnostic.js";
import { requireSecretToken } from "./configuration.js";
import { dynamicEngineProvider, nativeEngineProvider, type EngineProvider } from "./engine-provider.js";
import { Provider } from "./provider.js";

/** What a class gives to its registration. */
interface Declared {
  readonly type: ResourceType;
  readonly engineProvider: EngineProvider;
  readonly name: string;
  readonly args: object;
  readonly opts: CustomResourceOptions | undefined;
}

/**
 * What a class passes to `super`. There is no base class between it and the SDK's, because the SDK takes the fourth frame of the call
 * stack as the user's line, which the state and the engine's messages show.
 *
 * @throws RunError for options with which the engine would do something else than what is declared
 */
export function registration(
  declared: Declared,
): [type: string, name: string, inputs: Inputs, options: CustomResourceOptions] {
  const { engineProvider, type, name, opts } = declared;
  requireSecretToken();
  requireProvidersOf(engineProvider, opts);
  refuseRetained(declared);
  return [engineProvider.typeToken(type), name, inputsOf(declared), optionsOf(declared)];
}

/** The arguments, the outputs as undefined until the engine answers, and what the provider needs. */
function inputsOf({ engineProvider, type, name, args: given }: Declared): Inputs {
  const { path, args: schema, outputs, lifecycle }: ResourceDefinition = resources[type];
  const args = given as Record<string, Input<unknown>>;
  const answered = Object.keys(outputs.shape).filter((key) => !(key in schema.shape));
  const secrets = (lifecycle.secrets ?? []).filter((key) => args[key] !== undefined);
  return {
    ...Object.fromEntries(answered.map((key) => [key, undefined])),
    ...args,
    ...Object.fromEntries(secrets.map((key) => [key, secret(args[key])])),
    ...engineProvider.inputs(path, name),
  };
}

/**
 * The user's options, with the secret outputs, the aliases of the other provider's type and, if `onDelete` sends nothing,
 * `retainOnDelete`: previews then show "retain".
 */
function optionsOf({ engineProvider, type, args, opts }: Declared): CustomResourceOptions {
  const definition: ResourceDefinition = resources[type];
  const retainOnDelete = retainOnDeleteOf(definition, args as Record<string, unknown>, opts?.retainOnDelete);
  const secretOutputs = (definition.lifecycle.secrets ?? []).filter((key) => key in definition.outputs.shape);
  const otherProvider = engineProvider === dynamicEngineProvider ? nativeEngineProvider : dynamicEngineProvider;
  return {
    ...opts,
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    aliases: withType(otherProvider.typeToken(type), opts?.aliases),
    additionalSecretOutputs: [...(opts?.additionalSecretOutputs ?? []), ...secretOutputs],
  };
}

type Aliases = NonNullable<CustomResourceOptions["aliases"]>;

/** Adds aliases of another type. An alias of a type alone finds only the resource's own name, so each alias with a name is repeated with the type. */
function withType(type: string, aliases: Aliases = []): Aliases {
  const known = aliases.filter((alias): alias is Alias => typeof alias === "object" && !isDeferred(alias));
  const named = known.filter((alias) => !("type" in alias)).map((alias) => ({ ...alias, type }));
  return [...aliases, { type }, ...named];
}

/** Whether the program knows the value only later. */
export const isDeferred = (value: unknown): boolean => Output.isInstance(value) || value instanceof Promise;

/** With this option, the engine drops a state without asking the provider, and the state may have the only copy of a secret. */
function refuseRetained({ type, name, opts }: Declared): void {
  if (opts?.retainOnDelete !== true || "onDelete" in resources[type].args.shape) return;
  const text =
    "the option retainOnDelete would drop the only copy of the secret where the webhook is renamed or replaced: remove it; a delete sends nothing anyway";
  throw new RunError(blockText(ownerText(type, name), [problem("loses-secret", text)]));
}

/**
 * Refuses a Provider of the other module, which the engine would ignore: the requests would go to the stack's own organization.
 *
 * @throws RunError
 */
export function requireProvidersOf(
  engineProvider: EngineProvider,
  { provider, providers = [] }: ComponentResourceOptions = {},
): void {
  for (const given of [provider, ...Object.values(providers)]) {
    if (!(given instanceof Provider)) continue;
    const other = (given.constructor as typeof Provider).engineProvider;
    if (other === engineProvider) continue;
    const text = `the Provider "${given.organization}" is from ${other.module}, but what uses it is from ${engineProvider.module}: import both from the same module`;
    throw new RunError(diagnosticText(problem("other-module", text)));
  }
}
