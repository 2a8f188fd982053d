/** What a class gives to the registration of one resource, and how its mistakes end the program. */
import { RunError } from "@pulumi/pulumi/errors";
import { output, type Input } from "@pulumi/pulumi/output";
import type { CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { resources, ResourceType } from "../resources/index.js";
import { messageOf } from "../values/any.js";
import { diagnosticText, type Diagnostic } from "../values/diagnostic.js";
import { printable } from "../values/text.js";
import type { EngineProvider } from "./engine-provider.js";

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

export interface Declared extends ResourceClass {
  readonly engineProvider: EngineProvider;
  readonly name: string;
  readonly args: object;
  readonly opts: CustomResourceOptions | undefined;
}

export function argsOf({ args }: Declared): Record<string, Input<unknown>> {
  return args as Record<string, Input<unknown>>;
}

/** Runs `check` now if the value is known, otherwise when it is resolved for the registration. */
export function whenKnown(value: Input<unknown>, check: (value: unknown) => void): Input<unknown> {
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
export function endProgram(message: string): void {
  void Promise.reject(Object.assign(new RunError(message), { stack: message }));
}

export const problemsText = ({ type, name }: Declared, problems: readonly Diagnostic[]): string =>
  `${type} "${printable(name)}": ${problems.map(diagnosticText).join("\n  ")}`;
