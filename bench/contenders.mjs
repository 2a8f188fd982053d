// The same settings declared in several ways. Each contender is a project: its files, for given objects.
import { accessSync, constants, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import process from "node:process";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** Objects of an organization: a quarter of each kind. There are three kinds of data at most, so network policies fill up. */
export function objects(count) {
  const quarter = Math.floor(count / 4);
  const kinds = ["recordings", "conversations", "audit_events"].slice(0, Math.max(1, Math.min(quarter, 3)));
  const many = (length, name) => Array.from({ length }, (_, n) => `${name}-${n}`);
  return {
    kinds,
    policies: many(count - 2 * quarter - kinds.length, "policy"),
    trunks: many(quarter, "trunk"),
    webhooks: many(quarter, "webhook"),
  };
}

/** As many objects, and no webhook. */
export const settingsOf = ({ policies, webhooks, ...others }) => ({
  ...others,
  policies: [...policies, ...webhooks],
  webhooks: [],
});

/** Makes the objects in the control plane, which also forgets all earlier ones. */
export function seed(plane, { policies, trunks, webhooks }) {
  plane.control.reset();
  plane.control.seed({
    networkPolicies: policies.map((id) => ({ id, name: id, source_cidr: "10.0.0.0/8" })),
    trunks: trunks.map((id) => ({ id, name: id })),
    webhooks: webhooks.map((id) => ({ id, url: `https://example.com/${id}` })),
  });
}

const named = (ids, make) => Object.fromEntries(ids.map((id) => [id, make(id)]));

/** The entries of an organization file; JSON is YAML. */
export const organizationOf = ({ kinds, policies, trunks, webhooks }) => ({
  onCreate: "overwrite",
  retention: named(kinds, () => ({ days: 90 })),
  networkPolicies: named(policies, (id) => ({ id, sourceCidr: "203.0.113.0/24" })),
  trunks: named(trunks, (id) => ({ id, outboundAuth: "cleared" })),
  webhooks: named(webhooks, (id) => ({ id })),
});

/** One request for each object, for contenders that know nothing of the contract. */
const requestsOf = ({ kinds, policies, trunks, webhooks }) => [
  ...kinds.map((kind) => ["PUT", `/v1/retention-policies/${kind}`, { retention_days: 90, enabled: true }]),
  ...policies.map((id) => ["PATCH", `/v1/network-policies/${id}`, { source_cidr: "203.0.113.0/24" }]),
  ...trunks.map((id) => ["DELETE", `/v1/trunks/${id}/outbound-auth`]),
  ...webhooks.map((id) => ["POST", `/v1/webhooks/${id}/rotate-secret`]),
];

const compiled = (more = "") =>
  `name: acme\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\n${more}`;

export function programOf(module, { kinds, policies, trunks, webhooks }) {
  return `
const { RetentionPolicy, NetworkPolicy, TrunkOutboundAuth, WebhookSecret } = require("${module}");
for (const resource of ${JSON.stringify(kinds)}) new RetentionPolicy(resource, { resource, retentionDays: 90 });
for (const id of ${JSON.stringify(policies)}) new NetworkPolicy(id, { networkPolicyId: id, onCreate: "overwrite", sourceCidr: "203.0.113.0/24" });
for (const id of ${JSON.stringify(trunks)}) new TrunkOutboundAuth(id, { trunkId: id, cleared: true });
for (const id of ${JSON.stringify(webhooks)}) new WebhookSecret(id, { webhookId: id, onCreate: "rotate" });
`;
}

/** A shell command for a request; the settings are in its environment. */
const curlCommand = (method, path, body) =>
  `curl -sS --fail-with-body -X ${method} -H "authorization: Bearer $VOICEPLANE_TOKEN"` +
  (body ? ` -H 'content-type: application/json' -d '${JSON.stringify(body)}'` : "") +
  ` "$VOICEPLANE_BASE_URL${path}"`;

const nameOf = (path) => path.slice(1).replaceAll("/", "-");

const commandsOf = (all) => requestsOf(all).map((request) => [nameOf(request[1]), curlCommand(...request)]);

const provisioned = (all) =>
  Object.fromEntries(
    commandsOf(all).map(([name, command]) => [name, { provisioner: { "local-exec": { command, quiet: true } } }]),
  );

/** Requests as objects of the provider restapi. They are enveloped and have no reads, so their ids are given. */
const restapi = (all) => ({
  terraform: { required_providers: { restapi: { source: "mastercard/restapi" } } },
  variable: { url: { type: "string" }, token: { type: "string", sensitive: true } },
  provider: {
    restapi: {
      uri: "${var.url}",
      headers: { authorization: "Bearer ${var.token}", "content-type": "application/json" },
      write_returns_object: true,
    },
  },
  resource: {
    restapi_object: Object.fromEntries(
      requestsOf(all).map(([method, path, body = {}]) => [
        nameOf(path),
        { path, create_method: method, object_id: nameOf(path), data: JSON.stringify(body) },
      ]),
    ),
  },
});

const curl = `
const { CustomResource } = require("@pulumi/pulumi");
for (const [name, create] of COMMANDS) {
  const inputs = { create, stdout: undefined, stderr: undefined };
  new CustomResource("command:local:Command", name, inputs, { additionalSecretOutputs: ["stdout"] });
}
`;

// A typical first version: classes in index.ts with fetch, compiled by the language host on every run.
const naive = `
import * as pulumi from "@pulumi/pulumi";

type Inputs = { method: string; path: string; body?: object };

class Call implements pulumi.dynamic.ResourceProvider {
  async create(inputs: Inputs) {
    const response = await fetch(process.env.VOICEPLANE_BASE_URL + inputs.path, {
      method: inputs.method,
      headers: { authorization: "Bearer " + process.env.VOICEPLANE_TOKEN, "content-type": "application/json" },
      body: inputs.body && JSON.stringify(inputs.body),
    });
    if (!response.ok) throw new Error(inputs.path + ": " + response.status);
    return { id: inputs.path, outs: inputs };
  }
}

class Setting extends pulumi.dynamic.Resource {
  constructor(name: string, inputs: Inputs) {
    super(new Call(), name, inputs);
  }
}

for (const [method, path, body] of REQUESTS as [string, string, object?][]) {
  new Setting(path.replaceAll("/", "-").slice(1), { method, path, body });
}
`;

const organization = {
  what: "organization.yaml, read by pulumi-voiceplane/stack",
  files: (all) => ({
    "Pulumi.yaml": compiled(),
    "index.js": `module.exports = require("pulumi-voiceplane/stack");\n`,
    "organization.yaml": JSON.stringify(organizationOf(all)),
  }),
};

/** With a compile cache of its own. Programs that load the SDK in different ways reject each other's. */
const cached = (contender, what) => ({ ...contender, what, hasCompileCache: true });

const plain = {
  classes: {
    what: "JavaScript with the classes of pulumi-voiceplane",
    files: (all) => ({ "Pulumi.yaml": compiled(), "index.js": programOf("pulumi-voiceplane", all) }),
  },
  naive: {
    what: "a typical first version: a dynamic resource with fetch in index.ts, compiled on every run",
    files: (all) => ({
      "Pulumi.yaml": "name: acme\nruntime: nodejs\nmain: index.ts\n",
      "tsconfig.json": `{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": ["node"], "skipLibCheck": true } }\n`,
      "index.ts": naive.replace("REQUESTS", () => JSON.stringify(requestsOf(all))),
    }),
  },
  command: {
    what: "pulumi-command with curl",
    needs: "pulumi-resource-command",
    files: (all, found) => ({
      "Pulumi.yaml": compiled(`plugins: { providers: [{ name: command, path: ${JSON.stringify(found)} }] }\n`),
      "index.js": curl.replace("COMMANDS", () => JSON.stringify(commandsOf(all))),
    }),
  },
  opentofu: {
    what: "OpenTofu with curl: terraform_data and local-exec",
    needs: "tofu",
    init: "tofu init -input=false",
    up: "tofu apply -auto-approve -input=false",
    files: (all) => ({ "main.tf.json": JSON.stringify({ resource: { terraform_data: provisioned(all) } }) }),
  },
  "opentofu restapi": {
    what: "OpenTofu with the provider restapi",
    needs: ["terraform-provider-restapi", "tofu"],
    // With a provider of this machine there is nothing to install. The control plane has no reads to refresh from.
    init: "true",
    up:
      'TF_CLI_CONFIG_FILE=tofu.rc TF_VAR_url="$VOICEPLANE_BASE_URL" TF_VAR_token="$VOICEPLANE_TOKEN" ' +
      "tofu apply -auto-approve -input=false -refresh=false",
    files: (all, found) => ({
      "tofu.rc": `provider_installation {\n  dev_overrides { "mastercard/restapi" = ${JSON.stringify(found)} }\n  direct {}\n}\n`,
      "main.tf.json": JSON.stringify(restapi(all)),
    }),
  },
  "yaml organization": {
    what: "Pulumi YAML with one `voiceplane:Organization`, over the native plugin, as `voiceplane init --runtime yaml` writes it",
    files: (all) => ({
      "Pulumi.yaml": JSON.stringify({
        name: "acme",
        runtime: "yaml",
        plugins: { providers: [{ name: "voiceplane", path: "./plugin", version }] },
        resources: { organization: { type: "voiceplane:Organization", properties: organizationOf(all) } },
      }),
    }),
  },
  "empty yaml": {
    what: "Pulumi YAML without a resource: what the engine costs",
    files: () => ({ "Pulumi.yaml": "name: acme\nruntime: yaml\n" }),
  },
  nothing: {
    what: "a program that imports nothing: what the engine and Node cost",
    files: () => ({ "Pulumi.yaml": compiled(), "index.js": "" }),
  },
};

/** What a contender is, and the files of its project. */
export const contenders = {
  organization,
  pipeline: cached(organization, "`organization` as in the pipelines of `voiceplane init`: NODE_COMPILE_CACHE is set"),
  ...plain,
  "naive cached": cached(plain.naive, "`naive` with NODE_COMPILE_CACHE"),
  "command cached": cached(plain.command, "`command` with NODE_COMPILE_CACHE"),
  "nothing cached": cached(plain.nothing, "`nothing` with NODE_COMPILE_CACHE"),
};

/**
 * The folder on PATH that has a contender's program, the first of several: a path, "" where none is needed, undefined where one is
 * missing.
 */
export function foundFor({ needs = [] }) {
  const folders = [needs].flat().map(folderOf);
  return folders.includes(undefined) ? undefined : (folders[0] ?? "");
}

function folderOf(program) {
  return (process.env.PATH ?? "").split(delimiter).find((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
