/** The part of the four resource classes that is the same: from the arguments to the registration with the engine. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { messageOf, tried } from "../values/any.js";
import { Config } from "@pulumi/pulumi/config";
import { ResourceError, RunError } from "@pulumi/pulumi/errors";
import { warn } from "@pulumi/pulumi/log";
import { output, secret, type Input, type Inputs } from "@pulumi/pulumi/output";
import type {
  Alias,
  ComponentResourceOptions,
  CustomResource,
  CustomResourceOptions,
  ProviderResource,
} from "@pulumi/pulumi/resource";
import { getEngine } from "@pulumi/pulumi/runtime/settings";
import * as runtimeState from "@pulumi/pulumi/runtime/state";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import { printable } from "../values/text.js";
import { objectKey, objectName, objectKeys } from "../lifecycle/object.js";
import type { resources, ResourceType } from "../resources/index.js";
import { brokenTexts, problemText } from "../schema/problems.js";
import { calledNote } from "../resources/rename-advice.js";
import { declaredRow, registered } from "../lifecycle/notes.js";
import { destroySendsNothing, retainedKey } from "../provider/retained.js";
import {
  plainTokenProblem,
  readSettings,
  settingsHeading,
  tokenKey,
  type ProviderSettings,
} from "../provider/settings.js";
import { dynamicProvider, nativeProvider, type EngineProvider } from "./engine-provider.js";
import { currentProgramRun, type ProgramRun } from "./program-run.js";
import { Provider } from "./provider.js";
import { isDeferred, knownProblems, unlessSeveral } from "./several-invalid.js";

/** A resource type. The table in resources/index.ts has the same type and path. */
export interface ResourceClass<Type extends ResourceType = ResourceType> {
  readonly type: Type;
  readonly path: (typeof resources)[Type]["path"];
  /** The argument that identifies the object within its organization. */
  readonly identity: string;
  /**
   * Whether the type has `onDelete`. Without it, destroy sends nothing, but the engine still calls the provider: a webhook that is
   * replaced must not lose the only copy of its secret.
   */
  readonly hasOnDelete: boolean;
  /** Outputs in addition to the arguments and `organization`. */
  readonly outputs?: readonly string[];
  readonly secretArgs?: readonly string[];
  readonly secretOutputs?: readonly string[];
}

interface Declared extends ResourceClass {
  readonly engineProvider: EngineProvider;
  readonly name: string;
  readonly args: object;
  readonly opts: CustomResourceOptions | undefined;
}

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

/** `__kept` says that the class sets `retainOnDelete`. */
function registrationInputs(declared: Declared): Inputs {
  const { engineProvider, type, path, identity, outputs = [], secretArgs = [], name, opts } = declared;
  const target = targetOf(declared);
  const args = argsOf(declared);
  const run = currentProgramRun();
  if (engineProvider === dynamicProvider) requirePackage(path);
  requireWholeTexts(declared, { name }, args);
  const given = secretArgs.filter((key) => args[key] !== undefined);
  const secrets: Inputs = Object.fromEntries(given.map((key) => [key, secret(args[key])]));
  const id = whenKnown(args[identity], (known) => {
    requireWholeTexts(declared, { [identity]: known });
    if (target && !isMaybeTransformed(declared) && typeof known === "string")
      declareObject(run, declared, target.organization, known);
  });
  const problems = target ? knownProblems(type, args) : [];
  return {
    ...Object.fromEntries(["organization", ...outputs].map((key) => [key, undefined])),
    ...args,
    ...secrets,
    [identity]:
      problems.length === 0
        ? id
        : unlessSeveral(run, id, () => {
            endProgram(problemsText(declared, problems));
          }),
    ...(retains(declared) && opts?.retainOnDelete === undefined && { [retainedKey]: true }),
    ...engineProvider.inputs(path),
  };
}

/**
 * The user's options, with the secret outputs, the aliases of the other provider's type and, if `onDelete` sends nothing,
 * `retainOnDelete`: previews then show "retain".
 */
function registrationOptions(declared: Declared): CustomResourceOptions {
  const { engineProvider, type, opts, secretOutputs = [] } = declared;
  // Otherwise a webhook would inherit it from a component.
  const retainOnDelete = opts?.retainOnDelete ?? (declared.hasOnDelete ? retains(declared) || undefined : false);
  const otherProvider = engineProvider === dynamicProvider ? nativeProvider : dynamicProvider;
  return {
    ...opts,
    ...(retainOnDelete !== undefined && { retainOnDelete }),
    aliases: withType(otherProvider.typeToken(type), opts?.aliases),
    additionalSecretOutputs: [...(opts?.additionalSecretOutputs ?? []), ...secretOutputs],
  };
}

function retains({ hasOnDelete, args }: Declared): boolean {
  return hasOnDelete && destroySendsNothing(args);
}

function argsOf({ args }: Declared): Record<string, Input<unknown>> {
  return args as Record<string, Input<unknown>>;
}

/** An alias of a type finds only the resource's own name, so each alias with a name is repeated with the type. */
function withType(type: string, aliases: Aliases = []): Aliases {
  const plain = aliases.filter((alias): alias is Alias => typeof alias === "object" && !isDeferred(alias));
  const named = plain.flatMap((alias) => ("type" in alias ? [] : [{ ...alias, type }]));
  return [...aliases, { type }, ...named];
}

type Aliases = NonNullable<CustomResourceOptions["aliases"]>;

/**
 * The settings of the default provider. The program reads them too: it needs the organization's name, and it ends with one message
 * if nothing could be sent.
 */
export function defaultSettings(): ProviderSettings {
  const config = new Config("voiceplane");
  const configured = { names: Object.keys(runtimeConfig.allConfig()), project: new Config().name };
  const run = currentProgramRun();
  if (run.settings) return run.settings;
  const settings = readSettings((key) => config.get(key), process.env, configured);
  if (isUnitTest(settings)) return settings;
  // Without an engine, nothing is sent and no state is written: a token is neither needed nor in danger.
  const problems = getEngine()
    ? [...settings.problems, ...(isPlain(tokenKey) ? [plainTokenProblem] : [])]
    : settings.problems.filter((problem) => !problem.startsWith("no token: "));
  if (problems.length > 0) throw new RunError([settingsHeading, ...problems, ...settings.warnings].join("\n  "));
  for (const warning of settings.warnings) {
    void warn(warning);
    run.engineRun.note(warning);
  }
  return (run.settings = settings);
}

/** A program with mocks instead of an engine sends nothing, so it needs no settings. */
function isUnitTest({ client: { baseUrl, token } }: ProviderSettings): boolean {
  return getEngine() === undefined && baseUrl === "" && token === "";
}

/** Whether a configuration value is set and not secret. */
export function isPlain(key: string): boolean {
  return runtimeConfig.getConfig(key) !== undefined && !isConfigSecret(key);
}

/** The SDK's types do not show this function, and a later version may not have it. */
const { isConfigSecret = isSecretInEnvironment } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

/** The engine sets this variable only for a program in its own process, not for one of the Automation API. */
function isSecretInEnvironment(key: string): boolean {
  return (JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[]).includes(key);
}

/** The provider's process resolves the package from the program's folder, so a copy below a library is not enough. */
function requirePackage(path: ResourceClass["path"]): void {
  try {
    // Plain require.resolve would find this package itself by its own name, wherever it is.
    createRequire(join(process.cwd(), "index.js")).resolve(`pulumi-voiceplane/dynamic/${path}`);
  } catch {
    throw new RunError(
      `pulumi-voiceplane cannot be found from ${process.cwd()}: add pulumi-voiceplane to the dependencies of this ` +
        "project's own package.json (a library that depends on it is not enough) and install. " +
        "In a package of components for other languages, import from pulumi-voiceplane/native instead",
    );
  }
}

/** Runs `check` now if the value is known, otherwise when it is resolved for the registration. */
function whenKnown(value: Input<unknown>, check: (value: unknown) => void): Input<unknown> {
  if (value === null || typeof value !== "object") {
    check(value);
    return value;
  }
  return output(value).apply((known) => {
    try {
      check(known);
      return known;
    } catch (error) {
      endProgram(messageOf(error));
      return new Promise(() => undefined);
    }
  });
}

/** The SDK prints this rejection's stack, so the stack is the message. */
function endProgram(message: string): void {
  void Promise.reject(Object.assign(new RunError(message), { stack: message }));
}

const problemsText = ({ type, name }: Declared, problems: readonly string[]): string =>
  `${type} "${printable(name)}": ${problems.join("\n  ")}`;

/** The engine's protocol cannot carry lone surrogates: they would end the run without naming the property. */
function requireWholeTexts(declared: Declared, ...values: object[]): void {
  const problems = values.flatMap((each) => brokenTexts(each)).map(problemText);
  if (problems.length > 0) throw new RunError(problemsText(declared, problems));
}

interface Target {
  readonly organization: string;
  readonly address: Input<string>;
}

/** The SDK's types do not show this function either. */
const { getStore } = runtimeState as { getStore?: () => { callbacks?: unknown } };

/** Whether a transform may choose one of the program's providers, later: then only the engine knows the organization. */
function isMaybeTransformed(declared: Declared): boolean {
  if (explicitProviderOf(declared) !== undefined || currentProgramRun().providerNames.size === 0) return false;
  const { transforms = [], transformations = [] } = declared.opts ?? {};
  // The SDK has a server for the engine's calls once the program has registered a transform or a hook.
  return getStore?.().callbacks !== undefined || transforms.length > 0 || transformations.length > 0;
}

function explicitProviderOf({ engineProvider, type, opts }: Declared): ProviderResource | undefined {
  return opts?.provider ?? opts?.parent?.getProvider(engineProvider.typeToken(type));
}

/** Undefined if the settings are unknown: of another package's provider, or of one that a transform may choose. */
function targetOf(declared: Declared): Target | undefined {
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
    const [here, there] = engineProvider === dynamicProvider ? modules : modules.reverse();
    throw new RunError(
      `the Provider "${printable(given.organization)}" is from ${there}, but what uses it is from ${here}: import both from the same module`,
    );
  }
}

function declareObject(
  { declaredObjects }: ProgramRun,
  { type, name, opts }: Declared,
  organization: string,
  id: string,
): void {
  const key = objectKey(type, id, organization);
  const other = declaredObjects.get(key);
  if (other !== undefined) {
    throw new ResourceError(
      printable(
        `${type} "${name}" and ${type} "${other}" declare the same object, ${objectName(id, organization)}: remove one of them`,
      ),
      opts?.parent,
      true,
    );
  }
  declaredObjects.set(key, name);
}

/** By the organization that the engine's answer names. */
function declareRegistered(run: ProgramRun, declared: Declared, resource: CustomResource): void {
  const { organization, [declared.identity]: id } = resource as unknown as Record<string, Input<unknown>>;
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
  const target = targetOf(declared);
  if (!target) return;
  const { organization, address } = target;
  const { engineRun } = currentProgramRun();
  whenKnown(address, (known) => {
    whenKnown(argsOf(declared)[declared.identity], (id) => {
      if (typeof id !== "string") return;
      const keys = objectKeys(declared, id, { organization, address: String(known) });
      for (const key of keys) engineRun.note(key);
      if (declared.type === "WebhookSecret") for (const key of keys) engineRun.note(calledNote(key, declared.name));
      whenKnown(resource.urn, () => {
        for (const key of keys) engineRun.note(registered(key));
      });
    });
  });
  whenKnown((resource as { requestId?: Input<unknown> }).requestId, (row) => {
    if (typeof row === "string") engineRun.note(declaredRow(row));
  });
}

/** With these, the engine drops a state, which may have the only copy of a secret, without asking the provider. */
function refuseOptions(declared: Declared): void {
  const { replaceWith = [], retainOnDelete } = declared.opts ?? {};
  if (declared.type !== "WebhookSecret") return;
  const problems = [
    ...(replaceWith.length === 0 || argsOf(declared).onCreate !== "adopt"
      ? []
      : [
          'the option replaceWith would replace an adopted webhook without its secret: remove it, or write onCreate: "rotate" if each replacement should rotate',
        ]),
    ...(retainOnDelete === true
      ? [
          "the option retainOnDelete would drop the only copy of the secret where the webhook is renamed or replaced: remove it; a delete sends nothing anyway",
        ]
      : []),
  ];
  if (problems.length > 0) throw new RunError(problemsText(declared, problems));
}

/** The engine hands them to the SDK's part of the dynamic provider, which does not pass them on. Once in a run: often all resources have them. */
function warnTimeouts({ engineProvider, type, name, opts }: Declared): void {
  const run = currentProgramRun();
  if (engineProvider !== dynamicProvider || opts?.customTimeouts === undefined || run.warnedOfTimeouts === true) return;
  run.warnedOfTimeouts = true;
  void warn(
    `${type} "${printable(name)}": customTimeouts have no effect with the dynamic provider, where a request ends within a minute, ` +
      "and after a 429 within three. Import from pulumi-voiceplane/native, whose plugin honours them.",
  );
}
