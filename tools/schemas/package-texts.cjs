/** What the package schema has beside the table of resources: the provider, the component and the function. */

const providerDescription =
  "One organization of a voice agent platform. The default provider is the stack's own organization; an explicit one is " +
  "another, and its name is the organization's label: part of the identity of all objects that are managed through it, so " +
  'keep it. It also names the variables that override the inputs: "eu" reads `VOICEPLANE_TOKEN_EU`, never `VOICEPLANE_TOKEN`.';

/** Without environment variables as defaults: the engine would put a token from there into the state in plain text. */
const configuration = {
  baseUrl: {
    type: "string",
    description:
      'Where the organization\'s control plane is, such as `"https://api.example.com"`; a path is kept. The environment variable ' +
      "`VOICEPLANE_BASE_URL` wins over this.",
  },
  token: {
    type: "string",
    secret: true,
    description: "The organization's API token. The environment variable `VOICEPLANE_TOKEN` wins over this.",
  },
  account: {
    type: "string",
    description:
      "The organization's name in previews and state. Only for the stack's own organization: the name of an explicit provider is " +
      "the name of its organization. Default: the base URL, its path included.",
  },
  allowInsecureHttp: {
    type: "boolean",
    description:
      "Allows `http:` to another machine, where anybody on the network path can read the token. Default: `false`.",
  },
};

const secretsByKey = (description) => ({
  type: "object",
  additionalProperties: { type: "string" },
  secret: true,
  description,
});

const componentOf = (inputProperties) => ({
  isComponent: true,
  description:
    "The whole configuration of one organization as one argument: a component with one resource for each entry, named " +
    "`<name>-<key>`. For another organization than the stack's own, give it another provider.\n\nThe resources say what is sent " +
    "and which errors may follow: `RetentionPolicy`, `NetworkPolicy`, `TrunkOutboundAuth`, `WebhookSecret`.\n\n" +
    "## Example\n\n```yaml\nresources:\n  acme:\n    type: voiceplane:Organization\n    properties:\n      retention:\n" +
    "        recordings: { days: 90 }\n      webhooks:\n" +
    '        crm: { id: "c0000000-0000-4000-8000-000000000001", rotateAfter: "90d" }\noutputs:\n' +
    "  secrets: ${acme.webhookSecrets}\n```",
  inputProperties,
  properties: {
    webhookSecrets: secretsByKey("The signing secret of each webhook, by key."),
    previousWebhookSecrets: secretsByKey("The previous secret of each webhook, by key, where there was one."),
  },
  required: ["webhookSecrets", "previousWebhookSecrets"],
});

const listWebhooks = {
  description:
    "The organization's webhooks: `GET /v1/webhooks/`, at once and in previews too. Warns where the server's list may be only a " +
    "part.\n\nErrors: 403 where the token lacks the scope `webhooks:read`; no list in the answer.",
  outputs: {
    type: "object",
    description: "The organization's webhooks.",
    properties: {
      webhooks: {
        type: "array",
        items: { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } },
        secret: true,
        description:
          "In the server's order. Each has an `id` and other members of the server's choice. Secret, because a server may return " +
          "secrets: the address of a webhook may hold a password.",
      },
    },
    required: ["webhooks"],
  },
};

module.exports = { componentOf, configuration, listWebhooks, providerDescription };
