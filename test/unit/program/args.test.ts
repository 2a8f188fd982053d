/**
 * The classes' arguments match the resources' schemas, name by name and type by type. The compiler checks it: a
 * property that only one of them has, or that only one calls optional, is a type error in this file.
 */
import type { Unwrap } from "@pulumi/pulumi/output";
import type { z } from "zod";
import type {
  NetworkPolicyArgs,
  RetentionPolicyArgs,
  TrunkOutboundAuthArgs,
  WebhookSecretArgs,
} from "../../../src/program/index.js";
import { resources, type ResourceType } from "../../../src/resources/index.js";

interface ArgsOfClass extends Record<ResourceType, object> {
  RetentionPolicy: RetentionPolicyArgs;
  NetworkPolicy: NetworkPolicyArgs;
  TrunkOutboundAuth: TrunkOutboundAuthArgs;
  WebhookSecret: WebhookSecretArgs;
}

type ArgsOfSchema<Type extends ResourceType> = z.input<(typeof resources)[Type]["args"]>;

type OptionalKeys<T> = { [Key in keyof T]-?: object extends Pick<T, Key> ? Key : never }[keyof T];

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;

/** `true` if class and schema match. */
type Agreement = {
  [Type in ResourceType]: {
    names: Same<keyof ArgsOfClass[Type], keyof ArgsOfSchema<Type>>;
    optional: Same<OptionalKeys<ArgsOfClass[Type]>, OptionalKeys<ArgsOfSchema<Type>>>;
    schemaTakesClass: Unwrap<ArgsOfClass[Type]> extends ArgsOfSchema<Type> ? true : false;
    classTakesSchema: ArgsOfSchema<Type> extends ArgsOfClass[Type] ? true : false;
  };
};

const all = { names: true, optional: true, schemaTakesClass: true, classTakesSchema: true } as const;

const agreement: Agreement = {
  RetentionPolicy: all,
  NetworkPolicy: all,
  TrunkOutboundAuth: all,
  WebhookSecret: all,
};

test("the compiler compares the arguments of every resource of the table with its schema, in this file", () => {
  expect(Object.keys(agreement)).toEqual(Object.keys(resources));
});
