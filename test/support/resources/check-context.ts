import { newRun, type Context } from "../../../src/lifecycle/context.js";

/** What a check is given: it has no use for an answer, and must not ask for one. */
export function checkContext(more: Partial<Context> = {}): Context {
  return {
    organization: "acme",
    api: { send: () => Promise.reject(new Error("a check sends nothing")) },
    log: { info: () => undefined, warn: () => undefined },
    address: "",
    run: newRun(),
    now: () => new Date("2026-01-01T00:00:00Z"),
    ...more,
  };
}
