import { inspect } from "node:util";
import {
  containsUnknown,
  identityOf,
  owned,
  recordingUncertainty,
  UncertainError,
  unknownValue,
  type Context,
} from "../src/lifecycle.js";
import { retentionPolicy } from "../src/resources/retention-policy.js";

test("an error that carries state shows none of it", async () => {
  const state = { account: "acme", secret: "canary-5f1c" };
  const error: unknown = await recordingUncertainty(() => Promise.reject(new Error("lost")), state).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UncertainError);
  expect((error as UncertainError).state).toEqual(state);
  expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String((error as Error).stack)).not.toContain("canary");
});

test("a value is found to be unknown at any depth", () => {
  expect(containsUnknown({ a: [{ b: unknownValue }] })).toBe(true);
  expect(containsUnknown({ a: [{ b: `${unknownValue} ` }], [unknownValue]: 1, c: null })).toBe(false);
});

test("an object is named by its type, its id and its organization", () => {
  const lifecycle = { type: "NetworkPolicy", identity: "networkPolicyId" };
  expect(identityOf(lifecycle, { networkPolicyId: "np-1", account: "acme" })).toBe('NetworkPolicy "np-1" of acme');
});

test("another id is another object; another organization's is let go before the new one is set", () => {
  const lifecycle = owned(retentionPolicy);
  const ctx = {} as Context;
  const inputs = {
    account: "acme",
    resource: "recordings",
    retentionDays: 90,
    enabled: true,
    onDelete: "retain",
  } as const;
  expect(lifecycle.diff(ctx, inputs, { ...inputs, resource: "conversations" })).toEqual({
    changes: true,
    replaces: ["resource"],
  });
  expect(lifecycle.diff(ctx, inputs, { ...inputs, account: "eu" })).toEqual({
    changes: true,
    replaces: ["account"],
    deleteBeforeReplace: true,
  });
});
