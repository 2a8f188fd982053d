/** What a class gives to the registration of one resource, and how a mistake in it ends the program. */
import { RunError } from "@pulumi/pulumi/errors";
import { output, type Input } from "@pulumi/pulumi/output";
import type { CustomResourceOptions } from "@pulumi/pulumi/resource";
import type { ResourceType } from "../resources/index.js";
import { messageOf } from "../values/any.js";
import { blockText, ownerText, type Diagnostic } from "../values/diagnostic.js";
import type { EngineProvider } from "./engine-provider.js";

export interface Declared {
  readonly type: ResourceType;
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
      endProgram(new RunError(messageOf(error)));
      return new Promise(() => undefined);
    }
  });
}

/** Ends the program with the error's message alone. The SDK prints the stack of this rejection, so the stack is the message too. */
export function endProgram(error: RunError): void {
  void Promise.reject(Object.assign(error, { stack: error.message }));
}

export const problemsText = ({ type, name }: Declared, problems: readonly Diagnostic[]): string =>
  blockText(ownerText(type, name), problems);
