/**
 * Limits how many frames of the call stack the SDK records in a registration. The SDK records all of them for each resource, and the
 * engine keeps them in the state, which it writes twice for each resource. Only the first one is ever read.
 */
import type { Resource, ResourceOptions } from "@pulumi/pulumi/resource";
import { getStackResource } from "@pulumi/pulumi/runtime/stack";

/** Frames of the SDK and of the class's constructor, which the SDK drops, and the caller's. */
const framesToCaller = 6;

const property = "stackTraceLimit";

/**
 * Until the returned function is called, a registration records only the caller of the class's constructor, whose frame is the
 * resource's `sourcePosition`. Has no effect if the user's code runs within the registration or controls the limit, or with
 * VOICEPLANE_DEBUG=1. The SDK raises the limit when it takes the frames.
 *
 * Until then errors have no stack. The returned function adds one to the registration's error.
 */
export function keepCallersFrame(opts: ResourceOptions | undefined): (error?: unknown) => void {
  const own = Object.getOwnPropertyDescriptor(Error, property);
  if (own?.writable !== true || own.configurable !== true || isDebugging() || runsUserCode(opts))
    return () => undefined;
  limitFrames(own);
  return function restore(error) {
    Object.defineProperty(Error, property, own);
    if (error instanceof Error && error.stack === undefined) Error.captureStackTrace(error, restore);
  };
}

function limitFrames(own: PropertyDescriptor): void {
  Object.defineProperty(Error, property, {
    configurable: true,
    enumerable: true,
    get: () => own.value as unknown,
    set: (limit: unknown) => {
      Object.defineProperty(Error, property, { ...own, value: limit === Infinity ? framesToCaller : limit });
    },
  });
}

const isDebugging = (): boolean => process.env.VOICEPLANE_DEBUG === "1";

/** The SDK calls these functions in the constructor, before it takes the frames. Its types do not show those of a parent. */
function runsUserCode(opts: ResourceOptions | undefined): boolean {
  const parent = (opts?.parent ?? getStackResource()) as (Resource & { __transformations?: unknown[] }) | undefined;
  const inherited = parent === undefined ? 0 : parent.__transformations?.length;
  return inherited !== 0 || (opts?.transformations ?? []).length > 0;
}

/**
 * Runs `register`, whose registrations record no frames. For programs without user code. In a process that the engine started for the
 * program, errors have no frames from then on, because the SDK creates one for each promise. A program of the Automation API shares its
 * process with user code, whose errors keep their frames. VOICEPLANE_DEBUG=1 disables all of this.
 */
export function withoutStackTraces<T>(register: () => T): T {
  if (isDebugging()) return register();
  if (process.env.PULUMI_NODEJS_MONITOR !== undefined) Error.stackTraceLimit = 0;
  const own = Object.getOwnPropertyDescriptor(Error, property);
  if (own?.configurable !== true) return register();
  // The SDK raises the limit when it takes the frames, which is ignored.
  Object.defineProperty(Error, property, { configurable: true, enumerable: true, get: () => 0, set: () => undefined });
  try {
    return register();
  } finally {
    Object.defineProperty(Error, property, own);
  }
}
