import { RunError } from "@pulumi/pulumi/errors";
import { warn } from "@pulumi/pulumi/log";
import { output, secret, type Input, type Output } from "@pulumi/pulumi/output";
import {
  rootStackResource,
  type ComponentResourceOptions,
  type CustomResource,
  type CustomResourceOptions,
} from "@pulumi/pulumi/resource";
import { getEngine } from "@pulumi/pulumi/runtime/settings";
import { membersOf, type Values } from "../values/any.js";
import { organizationType, replaced, unknownValue } from "../values/engine.js";
import { blockText, diagnosticText, ownerText } from "../values/diagnostic.js";
import { childrenOf, droppedOptions, sectionNames, sectionOf } from "../organization-file/entries.js";
import { argsProblems } from "../organization-file/schema.js";
import type { ResourceType } from "../resources/index.js";
import { dynamicEngineProvider, type EngineProvider } from "./engine-provider.js";
import type { OrganizationArgs } from "./generated/organization-args.js";
import { classes, OrganizationResources } from "./generated/organization-resources.js";
import { isDeferred, requireProvidersOf } from "./register.js";

/**
 * The whole configuration of one organization as one argument: a component with one resource for each entry, named
 * `<name>-<key>`. For another organization than the stack's own, pass `{ providers: [provider] }`.
 *
 * The resources say what is sent and which errors may follow.
 *
 * @example
 *
 * ```ts
 * import { Organization } from "pulumi-voiceplane";
 *
 * const acme = new Organization("acme", {
 *   onCreate: "adopt", // the first update sends nothing
 *   retention: { recordings: { days: 90 } },
 *   trunks: { "carrier-a": { id: "b0000000-0000-4000-8000-000000000001", outboundAuth: "cleared" } },
 *   webhooks: { crm: { id: "c0000000-0000-4000-8000-000000000001", rotateAfter: "90d" } },
 * });
 * export const secrets = acme.webhookSecrets;
 * ```
 *
 * @category Organizations
 */
export class Organization extends OrganizationResources {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** @internal */
  static readonly classes: Readonly<Record<ResourceType, ResourceConstructor>> = classes;

  /**
   * Declares the component and its resources; the update sends.
   *
   * @param name The component's name in the stack, with which the names of its resources begin.
   * @param args What to declare.
   * @param opts The engine's options. `providers`: another organization, see {@link Provider}.
   * @throws RunError with all problems of the arguments that the program knows.
   */
  constructor(name: string, args: OrganizationArgs, opts: ComponentResourceOptions = {}) {
    requireProvidersOf(new.target.engineProvider, opts);
    super(organizationType, name, {}, opts);
    const problems = argsProblems(knownPart(args));
    if (problems.length > 0) throw new RunError(blockText(ownerText("Organization", name), problems));
    const given = Object.entries(opts).flatMap(([option, value]) => (value === undefined ? [] : [option]));
    const dropped = droppedOptions(name, given);
    if (dropped !== undefined) void warn(diagnosticText(dropped));
    const { customTimeouts } = opts;
    const plainOutputs: Record<string, Output<unknown>> = {};
    for (const section of sectionNames) {
      const { type, outputs = {} } = sectionOf(section);
      const Class = new.target.classes[type];
      const children = childrenOf(section, name, args, inputReader);
      const made = children.map(({ key: entry, name: key, args, former }) => {
        const aliases = former.map(({ name, isEntry }) => (isEntry ? { name } : { name, parent: rootStackResource }));
        const childOpts = { parent: this, aliases, ...(customTimeouts && { customTimeouts }) };
        return [entry, new Class(key, args as never, childOpts)] as const;
      });
      Object.assign(this, { [section]: Object.fromEntries(made) });
      for (const [outputName, { of, isPlain }] of Object.entries(outputs)) {
        const values = outputOfEach(made, of);
        if (isPlain) plainOutputs[outputName] = values;
        Object.assign(this, { [outputName]: isPlain ? values : secret(values) });
      }
    }
    // The resources have the secrets, and the state need not repeat them. With mocks, late outputs would come in a later test.
    this.registerOutputs(getEngine() ? plainOutputs : {});
  }
}

/** The arguments as the program knows them: what it learns later is unknown, and what is undefined is left out. */
const knownPart = (args: OrganizationArgs): Values =>
  JSON.parse(JSON.stringify(replaced({ ...args }, (part) => (isDeferred(part) ? unknownValue : part)))) as Values;

type ResourceConstructor = new (name: string, args: never, opts: CustomResourceOptions) => CustomResource;

/** One output of each resource, by the keys of the entries. */
function outputOfEach(made: readonly (readonly [key: string, CustomResource])[], of: string): Output<unknown> {
  const values = made.map(([key, resource]) => [key, (resource as unknown as Record<string, Output<unknown>>)[of]]);
  return output(Object.fromEntries(values) as Record<string, Output<unknown>>);
}

/** A plain value stays plain, because RetentionPolicy reads a plain `onDelete` for `retainOnDelete`. */
const inputReader: Parameters<typeof childrenOf>[3] = {
  members: (map) => Object.entries(membersOf(map)),
  map: (value, change) => (isDeferred(value) ? output(value as Input<object>).apply(change) : change(value)),
};
