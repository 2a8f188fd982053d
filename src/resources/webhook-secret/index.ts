import { define, renameDoc } from "../definition.js";
import { webhookSecretArgs as args, webhookSecretOutputs as outputs } from "./arguments.js";
import { webhookSecretLifecycle as lifecycle } from "./lifecycle.js";

export const webhookSecret = define({
  path: "webhook-secret",
  args,
  outputs,
  lifecycle,
  section: {
    name: "webhooks",
    doc: `The signing secrets of webhooks. ${renameDoc} Without that, a renamed webhook is treated as its \`onCreate\` says.`,
    content: "webhooks",
    entryType: "OrganizationWebhook",
    entryDoc: "A `WebhookSecret`, with `id` for `webhookId`.",
    names: { id: "webhookId" },
    secretNames: {
      initialSecret:
        "The name of the secret of the stack's configuration that has the current secret, if you know it: `pulumi config set --secret NAME`. " +
        "It is the output `secret` until the first rotation. Default: not known.",
    },
    // Not "overwrite": what overwrites settings must not rotate secrets.
    inherits: ["adopt"],
    onCreateAdvice:
      'write "adopt" to keep the secret in use, or "rotate" to end it and learn a new one. `onCreate: adopt` at the top of ' +
      "the file adopts every new entry",
    outputs: {
      webhookSecrets: { of: "secret", doc: "The signing secret of each webhook, by key." },
      previousWebhookSecrets: {
        of: "previousSecret",
        doc: "The previous secret of each webhook, by key, if there was one.",
      },
      webhookRequestIds: {
        of: "requestId",
        doc: "The `requestId` of each webhook, by key. `status` and `preview` compare it with the webhook's own: an update that stops writes no outputs.",
        isPlain: true,
      },
    },
  },
});
