/** What the four resource classes share: how a declaration becomes a registration with the engine. */
import { createRequire } from "node:module";
import { join } from "node:path";
import { Config } from "@pulumi/pulumi/config";
import { ResourceError, RunError } from "@pulumi/pulumi/errors";
import { output, type Input, type Inputs } from "@pulumi/pulumi/output";
import type { CustomResource, CustomResourceOptions, ProviderResource, Resource } from "@pulumi/pulumi/resource";
import { getEngine } from "@pulumi/pulumi/runtime/settings";
import * as runtimeConfig from "@pulumi/pulumi/runtime/config";
import type { resources, ResourceType } from "../../resources/index.js";
import { objectKeys, registered } from "../../resources/rules.js";
import { readSettings, settingsHeading, type ProviderSettings } from "../settings.js";
import { Provider } from "./provider.js";
import { currentProgramRun, type ProgramRun } from "./program-run.js";

/** What a class says of its resource type; the table has the same type and kind. */
export interface Declaration<Type extends ResourceType = ResourceType> {
  readonly type: Type;
  readonly kind: (typeof resources)[Type]["kind"];
  /** The argument that identifies the object within its organization. */
  readonly identity: string;
  /** Outputs beyond the arguments. */
  readonly outputs?: readonly string[];
  readonly secretOutputs?: string[];
}

/** The engine's name of the type: frozen, it is in every stack's state. */
export function typeToken({ type }: Declaration): string {
  return `pulumi-nodejs:dynamic/voiceplane:${type}`;
}

/**
 * The properties to register. `__retained` tells the provider that the class sets `retainOnDelete`. `__provider` is the literal
 * text that the state keeps for ever: no closure is serialized, and the provider's process loads the code of the version that is
 * installed then.
 *
 * @throws RunError if the settings of the default provider do not do, or this package cannot be found from the program
 * @throws ResourceError if the program declares the same object twice
 */
export function registrationInputs(
  declaration: Declaration,
  name: string,
  args: object,
  opts: CustomResourceOptions | undefined,
  retains: boolean,
): Inputs {
  const { kind, identity, outputs = [] } = declaration;
  const organization = organizationOf(providerOf(declaration, opts));
  const properties = args as Record<string, Input<unknown>>;
  const run = currentProgramRun();
  requirePackage(kind);
  return {
    ...Object.fromEntries(outputs.map((key) => [key, undefined])),
    ...properties,
    [identity]: whenKnown(properties[identity], (id) => {
      if (organization && typeof id === "string") {
        declareObject(run, declaration, organization.account, id, name, opts?.parent);
      }
    }),
    ...(retains && opts?.retainOnDelete === undefined && { __retained: true }),
    __provider: `exports.handler=()=>require("pulumi-voiceplane/dynamic/${kind}")`,
  };
}

/** The user's options, with the secret outputs named and, where destroy sends nothing, "retain" shown by the preview. */
export function registrationOptions(
  { secretOutputs = [] }: Declaration,
  opts: CustomResourceOptions | undefined,
  destroySendsNothing: boolean,
): CustomResourceOptions {
  return {
    ...opts,
    ...((opts?.retainOnDelete ?? destroySendsNothing) && { retainOnDelete: opts?.retainOnDelete ?? true }),
    additionalSecretOutputs: [...(opts?.additionalSecretOutputs ?? []), ...secretOutputs],
  };
}

/**
 * The settings that the default provider will have: the same rule, read in the program to name the organization and to
 * stop here, once and in one message, where nothing could be sent.
 */
export function defaultSettings(): ProviderSettings {
  const config = new Config("voiceplane");
  const settings = (currentProgramRun().settings ??= readSettings((key) => config.get(key), process.env));
  if (isUnitTest(settings)) return settings;
  const problems = [...settings.problems, ...(isPlain("voiceplane:token") ? [plainTokenProblem] : [])];
  if (problems.length > 0) throw new RunError([settingsHeading, ...problems].join("\n  "));
  return settings;
}

/** A program that runs with mocks in place of an engine sends nothing, and needs no settings. */
function isUnitTest({ client: { baseUrl, token } }: ProviderSettings): boolean {
  return getEngine() === undefined && baseUrl === "" && token === "";
}

const plainTokenProblem =
  "the token is in plain text in the stack's configuration, and would be in its state: " +
  "run `pulumi config set --secret voiceplane:token`, and have the platform revoke the old one if that file was shared";

/** Whether a configuration value is set and not secret. */
function isPlain(key: string): boolean {
  return runtimeConfig.getConfig(key) !== undefined && !isConfigSecret(key);
}

/** The SDK has this function for itself alone: its types do not show it, and a later one may not have it. */
const { isConfigSecret = isSecretInEnvironment } = runtimeConfig as { isConfigSecret?: (key: string) => boolean };

/** What the engine says to a program in a process of its own; to one that the Automation API runs it says it elsewhere. */
function isSecretInEnvironment(key: string): boolean {
  return (JSON.parse(process.env.PULUMI_CONFIG_SECRET_KEYS ?? "[]") as string[]).includes(key);
}

function providerOf(declaration: Declaration, opts: CustomResourceOptions | undefined): ProviderResource | undefined {
  return opts?.provider ?? opts?.parent?.getProvider(typeToken(declaration));
}

/** The provider's process looks from the program's folder, so the package has to be there and not only below a library. */
function requirePackage(kind: Declaration["kind"]): void {
  try {
    // Not require.resolve, which finds a package's own name from within the package wherever it lies.
    createRequire(join(process.cwd(), "index.js")).resolve(`pulumi-voiceplane/dynamic/${kind}`);
  } catch {
    throw new RunError(
      `pulumi-voiceplane cannot be found from ${process.cwd()}: add pulumi-voiceplane to the dependencies of this ` +
        `project's own package.json (a library that depends on it is not enough) and install`,
    );
  }
}

/** Runs `check` on the value now if it is known now, else as part of sending it. */
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
      // The SDK prints the stack of what is rejected here, so the stack is the message. The program ends with it, and the resource
      // is never registered.
      const message = error instanceof Error ? error.message : String(error);
      void Promise.reject(Object.assign(new RunError(message), { stack: message }));
      return new Promise(() => undefined);
    }
  });
}

/** Undefined for a provider that is not this package's own: nothing is known of its settings here. */
function organizationOf(provider: ProviderResource | undefined): Organization | undefined {
  if (!provider) {
    const { account, address } = defaultSettings();
    return { account, address };
  }
  if (!(provider instanceof Provider)) return undefined;
  return { account: provider.label, address: provider.settings.apply(({ address }) => address) };
}

interface Organization {
  readonly account: string;
  readonly address: Input<string>;
}

function declareObject(
  { declaredObjects }: ProgramRun,
  { type }: Declaration,
  account: string,
  id: string,
  name: string,
  parent: Resource | undefined,
): void {
  // Servers take an id in several spellings: in doubt it is the same object.
  const key = JSON.stringify([type, account, id.toLowerCase()]);
  const other = declaredObjects.get(key);
  if (other !== undefined) {
    throw new ResourceError(
      `${type} "${name}" and ${type} "${other}" declare the same object, "${id}" of ${account}: remove one of them`,
      parent,
      true,
    );
  }
  declaredObjects.set(key, name);
}

/**
 * Tells the providers of this run that the program declares an object, so that no delete of the same object under another
 * name undoes it; and again once the engine has answered for it.
 */
export function announce(
  resource: CustomResource,
  declaration: Declaration,
  args: object,
  opts: CustomResourceOptions | undefined,
): void {
  const organization = organizationOf(providerOf(declaration, opts));
  if (!organization) return;
  const { account, address } = organization;
  const { engineRun } = currentProgramRun();
  const id = (args as Record<string, Input<unknown>>)[declaration.identity];
  whenKnown(address, (known) => {
    whenKnown(id, (text) => {
      if (typeof text !== "string") return;
      const keys = objectKeys(declaration, text, { account, address: String(known) });
      for (const key of keys) engineRun.note(key);
      whenKnown(resource.urn, () => {
        for (const key of keys) engineRun.note(registered(key));
      });
    });
  });
}
