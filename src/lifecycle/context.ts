/** What a lifecycle is given: ways to the server and to the user, and what its process has seen of the run. */
import type { Api } from "../client/api.js";
import { warning, type Diagnostic } from "../values/diagnostic.js";
import type { Values } from "../values/any.js";
import type { Code } from "../values/codes.js";
import { objectText, type OrganizationScoped, type ResourceName } from "./object.js";

export interface Log {
  info(message: string): void;
  warn(warning: Diagnostic): void;
}

export const silent: Log = { info: () => undefined, warn: () => undefined };

/**
 * What one process of a provider has seen of a run of the engine. The checks of a run come before its deletes. Objects are known by the keys of
 * `object.ts`. Another Provider is another process, and knows nothing of it.
 */
export interface Run {
  /** Who declares each object: the URN of the resource, or its name. Undefined where nobody says who asks. */
  readonly declared: Map<string, string | undefined>;
  /** The newest state of each declared object. It stays in this process, because it may have secrets. */
  readonly states: Map<string, OrganizationScoped>;
  /** Webhooks with a rotation that may have been carried out. An error hook of the engine repeats a verb many times. */
  readonly lost: Set<string>;
  /** What the user was warned of, where once is enough. */
  readonly warned: Set<string>;
}

export const newRun = (): Run => ({ declared: new Map(), states: new Map(), lost: new Set(), warned: new Set() });

export interface Context {
  /** The provider's organization: part of every object's identity. */
  readonly organization: string;
  /** Origin and path of the base URL. Empty if unknown. */
  readonly address: string;
  /** Whether it is an explicit Provider, whose name is the organization's. */
  readonly isExplicit?: boolean;
  readonly api: Api;
  readonly log: Log;
  readonly run: Run;
  /** The resource's URN, or its name; undefined where nobody says who asks. */
  readonly name?: string | undefined;
  /** Decides what is due. */
  now(): Date;
}

/** Warns about one object, which the warning names. */
export function warnOfObject(
  { log, organization }: Context,
  lifecycle: ResourceName,
  values: Values,
  code: Code,
  text: string,
): void {
  log.warn(warning(code, `${objectText(lifecycle, { organization, ...values })}: ${text}`));
}
