/** Histories that once failed, and answers that a state must not hold unchanged. */
import { TransportError } from "../../../../src/client/errors.js";
import type { Values } from "../../../../src/resources/lifecycle.js";
import { webhookSecret } from "../../../../src/resources/webhook-secret.js";
import { Engine } from "../../../support/played-engine.js";

const lost = new TransportError({
  operation: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/webhooks/wh_1/rotate-secret",
  attempts: 1,
  reason: "reset",
  outcome: "unknown",
});

/** An engine whose rotations are answered with this data, one after another. An error means a lost answer. */
function engineAnswered(...answers: unknown[]): Engine {
  const send = (): Promise<unknown> => {
    const next = answers.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  const now = (): Date => new Date("2026-01-01T12:00:00Z");
  return new Engine(webhookSecret, { organization: "acme", api: { send }, now });
}

const hook = (args: Values = {}): { hook: Values } => ({ hook: { webhookId: "wh_1", onCreate: "rotate", ...args } });
const adopting = { onCreate: "adopt", initialSecret: "first" };
const rotated = { triggers: { n: 1 } };

test("a secretPath that is added with a trigger still finds the secret that the rotation replaces", async () => {
  const engine = engineAnswered({ value: { hidden: "first" } }, { value: { hidden: "second" } });
  await engine.up(hook());
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "unread" });
  await engine.up(hook({ ...rotated, secretPath: "value.hidden" }));
  expect(engine.outputsOf("hook")).toMatchObject({ secret: "second", previousSecret: "first" });
});

test("a secretPath that is added while the last rotation is uncertain finds the secret in the previous answer", async () => {
  const engine = engineAnswered({ value: { hidden: "first" } }, lost, lost, { value: { hidden: "second" } });
  await engine.up(hook());
  await expect(engine.up(hook(rotated))).rejects.toThrow("Whether the secret was rotated is unknown");
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "uncertain", data: { value: { hidden: "first" } } });
  const found = hook({ ...rotated, secretPath: "value.hidden" });
  await expect(engine.up(found)).rejects.toThrow("Whether the secret was rotated is unknown");
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "uncertain", secret: "first" });
  await engine.up(found);
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "rotated", previousSecret: "first" });
});

test("an initialSecret that is corrected with a trigger becomes the previous secret", async () => {
  const engine = engineAnswered({ secret: "second" });
  await engine.up(hook({ ...adopting, initialSecret: "a mistake" }));
  await engine.up(hook({ ...adopting, ...rotated }));
  expect(engine.outputsOf("hook")).toMatchObject({ secret: "second", previousSecret: "first" });
});

test("an initialSecret that is removed with a trigger becomes the previous secret", async () => {
  const engine = engineAnswered(lost, { secret: "second" });
  await engine.up(hook(adopting));
  await expect(engine.up(hook(rotated))).rejects.toThrow("Whether the secret was rotated is unknown");
  expect(engine.outputsOf("hook")).toMatchObject({ secret: "first", rotationState: "uncertain" });
  await engine.up(hook(rotated));
  expect(engine.outputsOf("hook")).toMatchObject({ secret: "second", previousSecret: "first" });
});

test("an answer that the engine would read as an asset is kept as text, and is no secret as a whole", async () => {
  const data = { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd" };
  const engine = engineAnswered([data], lost);
  await engine.up(hook());
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "unread", data: { text: JSON.stringify([data]) } });
  expect(await engine.up(hook())).toEqual({ hook: "same" });
});

test.each([
  ["the engine's mark of an unknown value", "04da6b54-80e4-46f7-96ec-b56ff0331ba9"],
  ["text of which a part could not be read", "s3\ufffdret"],
])("%s is not reported as the secret", async (_name, odd) => {
  const engine = engineAnswered({ signing_secret: odd });
  await engine.up(hook());
  expect(engine.outputsOf("hook")).toMatchObject({ rotationState: "unread" });
  expect(engine.outputsOf("hook")).not.toHaveProperty("secret");
});
