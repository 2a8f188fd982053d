import { RunError } from "@pulumi/pulumi/errors";
import { warn } from "@pulumi/pulumi/log";
import { output, secret, type Input, type Output } from "@pulumi/pulumi/output";
import { ComponentResource, type ComponentResourceOptions, type CustomResourceOptions } from "@pulumi/pulumi/resource";
import { organizationType } from "../values/engine.js";
import { printable } from "../values/text.js";
import {
  childrenOf,
  droppedOptions,
  isCleared,
  sectionNames,
  sections,
  webhookOutputs,
  type SectionName,
} from "../organization-file/entries.js";
import { formerlyProblems } from "../organization-file/formerly.js";
import { NetworkPolicy } from "./generated/network-policy.js";
import type { OrganizationArgs, OrganizationTrunk } from "./generated/organization-args.js";
import { entryNote } from "../resources/rename-advice.js";
import { currentProgramRun } from "./program-run.js";
import { requireProvidersOf } from "./target.js";
import { RetentionPolicy } from "./generated/retention-policy.js";
import { isDeferred } from "./several-invalid.js";
import { TrunkOutboundAuth } from "./generated/trunk-outbound-auth.js";
import type { RetentionResource } from "./generated/types.js";
import { WebhookSecret } from "./generated/webhook-secret.js";

/**
 * The whole configuration of one organization as one argument: a component with one resource for each entry, named
 * `<name>-<key>`. For another organization than the stack's own, pass `{ providers: [provider] }`.
 *
 * The resources say what is sent and which errors may follow: {@link RetentionPolicy}, {@link NetworkPolicy},
 * {@link TrunkOutboundAuth}, {@link WebhookSecret}.
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
export class Organization extends ComponentResource {
  /** @internal */
  static readonly classes = { RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret };
  /** The retention policies by kind. */
  readonly retention: Partial<Record<RetentionResource, RetentionPolicy>>;
  /** The network policies by key. */
  readonly networkPolicies: Record<string, NetworkPolicy>;
  /** The trunks by key. */
  readonly trunks: Record<string, TrunkOutboundAuth>;
  /** The webhooks' secrets, as resources, by key. */
  readonly webhooks: Record<string, WebhookSecret>;
  /** The signing secret of each webhook, by key. Secret. */
  readonly webhookSecrets: Output<Record<string, string | undefined>>;
  /** The previous secret of each webhook, by key; undefined where there was none. Secret. */
  readonly previousWebhookSecrets: Output<Record<string, string | undefined>>;

  /**
   * Declares the component and its resources; the update sends.
   *
   * @param name The component's name in the stack, with which the names of its resources begin.
   * @param args What to declare.
   * @param opts The engine's options. `providers`: another organization, see {@link Provider}.
   * @throws RunError without type checking: for an `outboundAuth` that is neither of the two, or for a property that the component sets.
   */
  constructor(name: string, args: OrganizationArgs, opts: ComponentResourceOptions = {}) {
    requireProvidersOf(new.target.classes.RetentionPolicy.engineProvider, opts);
    super(organizationType, name, {}, opts);
    requireOwnProperties(name, args);
    requireOutboundAuth(name, args.trunks);
    requireFreeNames(name, args);
    const { classes } = new.target;
    const given = Object.entries(opts).flatMap(([option, value]) => (value === undefined ? [] : [option]));
    const dropped = droppedOptions(printable(name), given);
    if (dropped !== undefined) void warn(dropped);
    const { customTimeouts } = opts;

    const declare = <Made>(section: SectionName, Class: Constructor<Made>): Record<string, Made> => {
      const children = childrenOf(section, name, args, { members: membersOf, map: mapKnown });
      const made = children.map(({ key, ...child }) => {
        const aliases = child.aliases.map((alias) => ({ name: alias }));
        const opts = { parent: this, aliases, ...(customTimeouts && { customTimeouts }) };
        if (section === "webhooks") currentProgramRun().engineRun.note(entryNote(child.name, key));
        return [key, new Class(child.name, child.args as never, opts)];
      });
      return Object.fromEntries(made) as Record<string, Made>;
    };
    this.retention = declare("retention", classes.RetentionPolicy);
    this.networkPolicies = declare("networkPolicies", classes.NetworkPolicy);
    this.trunks = declare("trunks", classes.TrunkOutboundAuth);
    this.webhooks = declare("webhooks", classes.WebhookSecret);
    this.webhookSecrets = secretsOf(this.webhooks, webhookOutputs.webhookSecrets);
    this.previousWebhookSecrets = secretsOf(this.webhooks, webhookOutputs.previousWebhookSecrets);
    this.registerOutputs({});
  }
}

type Constructor<Made> = new (name: string, args: never, opts: CustomResourceOptions) => Made;

type Secrets = Output<Record<string, string | undefined>>;

function secretsOf(webhooks: Record<string, WebhookSecret>, which: "secret" | "previousSecret"): Secrets {
  return secret(output(Object.fromEntries(Object.entries(webhooks).map(([key, webhook]) => [key, webhook[which]]))));
}

function membersOf(map: unknown): [string, unknown][] {
  return Object.entries(map ?? {});
}

/** A plain value stays plain, because RetentionPolicy reads a plain `onDelete` for `retainOnDelete`. */
function mapKnown(value: unknown, change: (plain: unknown) => unknown): unknown {
  return isDeferred(value) ? output(value as Input<object>).apply(change) : change(value);
}

/** The resource's own message would name `cleared`, which the user did not write. */
function requireOutboundAuth(name: string, trunks: OrganizationArgs["trunks"] = {}): void {
  for (const [key, trunk] of Object.entries<OrganizationTrunk | undefined>(trunks)) {
    if (!trunk) continue;
    const { outboundAuth } = trunk;
    if (isDeferred(outboundAuth) || Object.hasOwn(isCleared, outboundAuth as string)) continue;
    throw new RunError(printable(`Organization "${name}": trunks.${key}.outboundAuth: must be "cleared" or "tracked"`));
  }
}

function requireFreeNames(name: string, args: OrganizationArgs): void {
  const problems = sectionNames
    .flatMap((section) => formerlyProblems(section, args[section]))
    .map(({ path, reason }) => printable(`${path.join(".")}: ${reason}`));
  if (problems.length > 0) throw new RunError(`Organization "${printable(name)}": ${problems.join("\n  ")}`);
}

/** Without type checking, a program may set what the component sets. That would be ignored, or override the entry's value. */
function requireOwnProperties(name: string, args: OrganizationArgs): void {
  const problems = sectionNames.flatMap((section) => {
    const { names, ...of } = sections[section];
    const setHere = Object.entries(names).map(([name, property]) => [property, name]);
    if ("key" in of) setHere.unshift([of.key, "the key"]);
    return Object.entries<object | undefined>(args[section] ?? {}).flatMap(([key, entry]) =>
      setHere.flatMap(([property = "", instead]) => {
        if (!Object.hasOwn(entry ?? {}, property)) return [];
        return [`${section}.${key}.${property}: is not a property of an entry here; write ${instead} instead`];
      }),
    );
  });
  if (problems.length === 0) return;
  throw new RunError(`Organization "${printable(name)}": ${problems.map(printable).join("\n  ")}`);
}
