/** What the recipes of examples/delivery hand over. tools/delivery.mjs runs this file in their folder. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { test } from "node:test";

const recipes = {
  "aws-secrets-manager.ts": ({ json }) => [
    { type: "aws:secretsmanager/secret:Secret", inputs: { name: "receivers/crm-webhook" } },
    {
      type: "aws:secretsmanager/secretVersion:SecretVersion",
      inputs: { secretId: "crm-webhook-id", secretString: marked(json) },
      after: ["crm-webhook"],
    },
  ],
  "github-actions.ts": ({ secret, previousSecret = secret }) => [
    {
      type: "github:index/actionsSecret:ActionsSecret",
      inputs: { repository: "receivers", secretName: "CRM_WEBHOOK_PREVIOUS_SECRET", value: marked(previousSecret) },
    },
    {
      type: "github:index/actionsSecret:ActionsSecret",
      inputs: { repository: "receivers", secretName: "CRM_WEBHOOK_SECRET", value: marked(secret) },
      after: ["crm-webhook-previous"],
    },
  ],
  "kubernetes.ts": ({ secret, previousSecret }) => [
    { type: "pulumi:providers:kubernetes", inputs: { enableSecretMutable: "true" } },
    {
      type: "kubernetes:core/v1:Secret",
      provider: "cluster",
      inputs: {
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "crm-webhook", namespace: "receivers" },
        stringData: marked(previousSecret === undefined ? { secret } : { secret, previousSecret }),
      },
    },
  ],
  "vault.ts": ({ json }) => [
    {
      type: "vault:kv/secretV2:SecretV2",
      inputs: { mount: "secret", name: "receivers/crm-webhook", dataJson: marked(json) },
    },
  ],
};

/** A secret value, as a program sends it to the engine. */
function marked(value) {
  return { "4dabf18193072939515e22adb298388d": "1b47061264138c4ac30d75fd1eb44270", value };
}

/** What a recipe registers after the webhook, in order, and its error. */
function run(recipe, known) {
  const program = path.join(import.meta.dirname, "program.mjs");
  const output = execFileSync(process.execPath, [program, recipe, JSON.stringify(known)], { encoding: "utf8" });
  const { registrations, failure } = JSON.parse(output);
  const registered = registrations
    .filter(({ type }) => type !== "pulumi-nodejs:dynamic/voiceplane:WebhookSecret")
    .map(({ type, inputs, provider, dependencies }) => {
      const after = dependencies.filter((name) => name !== "crm");
      return {
        type,
        inputs,
        ...(provider && { provider: provider.split("::").at(-2) }),
        ...(after.length > 0 && { after }),
      };
    });
  return { registered, failure };
}

for (const [recipe, expected] of Object.entries(recipes)) {
  test(`${recipe} hands over both secrets, marked as secret`, () => {
    const known = { secret: "new-secret", previousSecret: "old-secret" };
    const { registered, failure } = run(recipe, known);
    assert.equal(failure, undefined);
    const json = '{"secret":"new-secret","previousSecret":"old-secret"}';
    assert.deepEqual(registered, expected({ ...known, json }));
  });

  test(`${recipe} writes no previous secret if there is none, and no replacement for it`, () => {
    const { registered, failure } = run(recipe, { secret: "first-secret" });
    assert.equal(failure, undefined);
    assert.deepEqual(registered, expected({ secret: "first-secret", json: '{"secret":"first-secret"}' }));
    assert.doesNotMatch(JSON.stringify(registered), /undefined|null/);
  });

  test(`${recipe} fails, and writes nothing, if the secret of an adopted webhook is unknown`, () => {
    const { registered, failure } = run(recipe, {});
    assert.equal(failure?.isRunError, true);
    // The SDK prefixes the message with the property.
    assert.match(
      failure.message,
      /The secret of webhook c0000000-0000-4000-8000-000000000001 is not known \(rotationState: adopted\), so nothing was passed to its receivers\. Set initialSecret, or change triggers to rotate it\.$/,
    );
    const writes = registered.filter(({ inputs }) => JSON.stringify(inputs).includes(Object.keys(marked(""))[0]));
    assert.deepEqual(writes, []);
  });
}
