/** Which organization a declared resource belongs to: that of its Provider, or the stack's own. */
import { RunError } from "@pulumi/pulumi/errors";
import type { Input } from "@pulumi/pulumi/output";
import type { ComponentResourceOptions, ProviderResource } from "@pulumi/pulumi/resource";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import { tried } from "../values/any.js";
import { withCode } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import type { Declared } from "./declared.js";
import { defaultSettings } from "./default-settings.js";
import { dynamicEngineProvider, type EngineProvider } from "./engine-provider.js";
import { currentProgramRun } from "./program-run.js";
import { Provider } from "./provider.js";

interface DeclaredTarget {
  readonly organization: string;
  readonly address: Input<string>;
}

/** The SDK's types do not show this function. */
const { getStore } = runtimeState as { getStore?: () => { callbacks?: unknown } };

/** Whether a transform may choose one of the program's providers later. Then only the engine knows the organization. */
export function isMaybeTransformed(declared: Declared): boolean {
  if (explicitProviderOf(declared) !== undefined || currentProgramRun().providerNames.size === 0) return false;
  const { transforms = [], transformations = [] } = declared.opts ?? {};
  // The SDK has a server for the engine's calls once the program has registered a transform or a hook.
  return getStore?.().callbacks !== undefined || transforms.length > 0 || transformations.length > 0;
}

function explicitProviderOf({ engineProvider, type, opts }: Declared): ProviderResource | undefined {
  return opts?.provider ?? opts?.parent?.getProvider(engineProvider.typeToken(type));
}

/**
 * The organization of a resource; the stack's own if a transform may still choose another. Undefined for the provider of another package, and if the
 * stack's settings are wrong and such a transform may mend that.
 */
export function targetOfDeclared(declared: Declared): DeclaredTarget | undefined {
  requireProvidersOf(declared.engineProvider, declared.opts);
  const provider = explicitProviderOf(declared);
  if (!provider) return isMaybeTransformed(declared) ? tried(defaultSettings) : defaultSettings();
  if (!(provider instanceof Provider)) return undefined;
  return { organization: provider.organization, address: provider.settings.apply(({ address }) => address) };
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
    if (!(given instanceof Provider) || (given.constructor as typeof Provider).engineProvider === engineProvider)
      continue;
    const modules = ["pulumi-voiceplane", "pulumi-voiceplane/native"];
    const [here, there] = engineProvider === dynamicEngineProvider ? modules : modules.reverse();
    const text = `the Provider "${printable(given.organization)}" is from ${there}, but what uses it is from ${here}: import both from the same module`;
    throw new RunError(withCode(text, "other-module"));
  }
}
