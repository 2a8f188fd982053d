// `pulumi up` of four resources by this package, by a typical first version, and of an empty stack.
import { compare, objects, organizationOf, yamlOrganization } from "./stacks.mjs";

/** One request for each object, for a program that knows nothing of the contract. */
const requestsOf = ({ retention, policies, trunks, webhooks }) => [
  ...retention.map((kind) => ["PUT", `/v1/retention-policies/${kind}`, { retention_days: 90, enabled: true }]),
  ...policies.map((id) => ["PATCH", `/v1/network-policies/${id}`, { source_cidr: "203.0.113.0/24" }]),
  ...trunks.map((id) => ["DELETE", `/v1/trunks/${id}/outbound-auth`]),
  ...webhooks.map((id) => ["POST", `/v1/webhooks/${id}/rotate-secret`]),
];

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

const withoutCache = { NODE_COMPILE_CACHE: undefined };

const contenders = {
  pipeline: {
    files: (all) => ({
      "Pulumi.yaml":
        "name: acme\nruntime: { name: nodejs, options: { typescript: false } }\nmain: index.js\nconfig: { voiceplane:organization: acme }\n",
      "index.js": `module.exports = require("pulumi-voiceplane/stack");\n`,
      "organization.yaml": JSON.stringify(organizationOf(all)),
    }),
  },
  yaml: { files: yamlOrganization },
  naive: {
    files: (all) => ({
      "Pulumi.yaml": "name: acme\nruntime: nodejs\nmain: index.ts\n",
      "tsconfig.json": `{ "compilerOptions": { "strict": true, "module": "nodenext", "target": "es2022", "types": ["node"], "skipLibCheck": true } }\n`,
      "index.ts": naive.replace("REQUESTS", () => JSON.stringify(requestsOf(all))),
    }),
    env: withoutCache,
  },
  "empty yaml": { files: () => ({ "Pulumi.yaml": "name: acme\nruntime: yaml\n" }), isEmpty: true },
};

export const run = ({ once, size = 4 }) =>
  compare({
    title: `pulumi up of ${size} resources`,
    all: objects(size),
    rounds: once ? 1 : 7,
    contenders,
    goals: [
      ["yaml", "empty yaml", 1.5],
      ["pipeline", "naive", 0.6],
    ],
  });
