/** The texts of the package schema beside those of the resources. */

const providerDescription =
  "One organization of a voice agent platform. The default provider is the stack's own organization. For another organization, " +
  "declare a provider: its name is the name of the organization, and part of the identity of each object that it manages, so do not " +
  'change it. The name also selects the environment variables that override the inputs: "eu" reads `VOICEPLANE_TOKEN_EU`, never ' +
  "`VOICEPLANE_TOKEN`.";

/** Without environment variables as defaults: the engine would put a token from there into the state in plain text. */
const configuration = {
  baseUrl: {
    type: "string",
    description:
      'The address of the organization\'s control plane, such as `"https://api.example.com"`, with a path if it has one. The ' +
      "environment variable `VOICEPLANE_BASE_URL` overrides it.",
  },
  token: {
    type: "string",
    secret: true,
    description: "The organization's API token. The environment variable `VOICEPLANE_TOKEN` overrides it.",
  },
  organization: {
    type: "string",
    description:
      "The organization's name in previews and in the state. Only for the stack's own organization: for an explicit provider it is " +
      "the provider's name, and here it is required.",
  },
  allowInsecureHttp: {
    type: "boolean",
    description:
      "Allows `http:` to another machine. Anyone on the network path can then read the token. Default: `false`.",
  },
};

/** Keys that only a program of this package reads. */
const configurationOfPrograms = {
  organizationFile: {
    description:
      "The [organization file](organization-file.md) of a stack without code, relative to the folder of Pulumi.yaml, and in it. " +
      "Default: `organization.yaml`.",
  },
};

/** The variables that override a key. One of both is required. */
const variableOf = { baseUrl: "VOICEPLANE_BASE_URL", token: "VOICEPLANE_TOKEN" };

const componentDescription =
  "The whole configuration of one organization as one argument: a component with one resource for each entry, named " +
  "`<name>-<key>`. For an organization other than the stack's own, give it another provider.\n\nThe resources describe what is " +
  "sent and which errors are possible: ";

const listWebhooks = {
  description:
    "Lists the organization's webhooks with `GET /v1/webhooks/`, at once, and also in previews. If the server pages its list, you get the " +
    "first page.\n\nErrors: 403 if the token lacks the scope `webhooks:read`; an answer without a list.",
  outputs: {
    type: "object",
    description: "The organization's webhooks.",
    properties: {
      webhooks: {
        type: "array",
        items: { type: "object", additionalProperties: { $ref: "pulumi.json#/Any" } },
        secret: true,
        description:
          "In the server's order. Each has an `id`. The other members depend on the server. Secret, because a server may return " +
          "secrets: the address of a webhook may contain a password.",
      },
    },
    required: ["webhooks"],
  },
};

/** What each verb of a resource sends, and the errors. */
const description = ({ summary, verbs, errors }) => {
  const list = Object.entries(verbs).map(([verb, text]) => `- ${verb}: ${text}`);
  return [summary, list.join("\n"), `Errors: ${errors}`].join("\n\n");
};

module.exports = {
  componentDescription,
  configuration,
  configurationOfPrograms,
  description,
  listWebhooks,
  providerDescription,
  variableOf,
};
