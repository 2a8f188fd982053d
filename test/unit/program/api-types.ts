/**
 * What the types of the package's exports accept and refuse, and that the arguments of each class match the schema of its resource.
 * Nothing runs this file: `npm run typecheck` reads it, and fails if a line below `@ts-expect-error` has no error.
 */
import { output, type Output, type Unwrap } from "@pulumi/pulumi/output";
import type { z } from "zod";
import { startControlPlane } from "../../../src/control-plane/index.js";
import * as dynamic from "../../../src/program/index.js";
import * as native from "../../../src/program/native.js";
import type { resources, ResourceType } from "../../../src/resources/index.js";

const { NetworkPolicy, Organization, Provider, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } = dynamic;
/** Fails to compile if the value has another type. */
declare function is<Type>(value: Type): Type;

const id = output("c0000000-0000-4000-8000-000000000001");
const policy = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } as const;

const recordings = new RetentionPolicy("recordings", policy);
const days = recordings.retentionDays;
is<Output<number>>(days);
new RetentionPolicy("outputs", {
  resource: output("recordings" as const),
  onCreate: output("adopt" as const),
  retentionDays: days,
});
new NetworkPolicy("outputs", { networkPolicyId: id, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" });
new TrunkOutboundAuth("outputs", { trunkId: id, cleared: output(true), onDelete: "clear" });
// @ts-expect-error: what the first update does has no default
new RetentionPolicy("bare", { resource: "recordings", retentionDays: 90 });
// @ts-expect-error: a misspelt argument
new RetentionPolicy("misspelt", { ...policy, retention_days: 90 });
// @ts-expect-error: an omission never clears a trunk
new TrunkOutboundAuth("unclear", { trunkId: id });
// @ts-expect-error: only the provider of the package's resources is fixed, so a component's options do not fit
new RetentionPolicy("options", policy, { providers: [] });

const crm = new WebhookSecret("crm", { webhookId: id, onCreate: "rotate", triggers: { quarter: "2026-Q4", count: 1 } });
is<Output<string | undefined>>(crm.secret);
is<Output<"rotated" | "adopted" | "unread" | "uncertain">>(crm.rotationState);
// @ts-expect-error: the secret may be unknown
is<Output<string>>(crm.secret);
// @ts-expect-error: outputs cannot be set
crm.secret = crm.previousSecret;

const acme = new Organization("acme", {
  onCreate: "overwrite",
  retention: { recordings: { days: 90, onDelete: { days: 30, enabled: true } } },
  networkPolicies: { office: { id, sourceCidr: "203.0.113.0/24" } },
  trunks: { carrier: { id, outboundAuth: "cleared" } },
  webhooks: { crm: { id, onCreate: "rotate", rotateAfter: "90d" } },
});
is<Output<Record<string, string | undefined>>>(acme.webhookSecrets);
// @ts-expect-error: there is no such kind of data
new Organization("other", { retention: { emails: { days: 90 } } });
// @ts-expect-error: a webhook has an id
new Organization("another", { webhooks: { crm: { rotateAfter: "90d" } } });

const eu = new Provider("eu", { baseUrl: "https://eu.example.com", token: output("a token") });
new RetentionPolicy("eu", policy, { provider: eu });
// @ts-expect-error: a misspelt setting
new Provider("us", { baseURL: "https://us.example.com" });

const same: dynamic.RetentionPolicyArgs = {} as native.RetentionPolicyArgs;
new native.RetentionPolicy("native", same, {
  provider: new native.Provider("plugin", { baseUrl: "https://eu.example.com", token: "a token" }),
});
// @ts-expect-error: the plugin's classes refuse the same arguments
new native.RetentionPolicy("native", { resource: "emails", retentionDays: 90 });

void startControlPlane({ port: 0 }).then(({ url, tokens, control }) => {
  is<string>(url);
  is<string>(tokens.full);
  control.setFaults([{ operation: "rotateWebhookSecret", latencyMs: 10, hold: "after", count: 1 }]);
  void is<Promise<void>>(control.held("rotateWebhookSecret"));
  // @ts-expect-error: there is no such operation
  control.setFaults([{ operation: "deleteEverything", connection: "reset" }]);
});

interface ArgsOfClass extends Record<ResourceType, object> {
  RetentionPolicy: dynamic.RetentionPolicyArgs;
  NetworkPolicy: dynamic.NetworkPolicyArgs;
  TrunkOutboundAuth: dynamic.TrunkOutboundAuthArgs;
  WebhookSecret: dynamic.WebhookSecretArgs;
}
type ArgsOfSchema<Type extends ResourceType> = z.input<(typeof resources)[Type]["args"]>;
type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** Each is `true` if class and schema match. A property that only one of them has, or that only one calls optional, is a type error below. */
type Agreement = {
  [Type in ResourceType]: {
    names: Same<keyof ArgsOfClass[Type], keyof ArgsOfSchema<Type>>;
    optional: Same<OptionalKeys<ArgsOfClass[Type]>, OptionalKeys<ArgsOfSchema<Type>>>;
    schemaTakesClass: Unwrap<ArgsOfClass[Type]> extends ArgsOfSchema<Type> ? true : false;
    classTakesSchema: ArgsOfSchema<Type> extends ArgsOfClass[Type] ? true : false;
  };
};
const all = { names: true, optional: true, schemaTakesClass: true, classTakesSchema: true } as const;
is<Agreement>({ RetentionPolicy: all, NetworkPolicy: all, TrunkOutboundAuth: all, WebhookSecret: all });
