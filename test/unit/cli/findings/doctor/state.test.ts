/** What the doctor says of a stack's state and of its organization files. */
import { exported, setting, webhook } from "../../status/exports";
import { examined, project, pulumiWith, testFindings, wholeProject } from "./project";

const policy = (name: string) => setting("NetworkPolicy", name, {}, { name: "HQ" }, { id: "np-1" });

const crm = (name: string, outputs: object = {}) =>
  webhook(name, {}, { webhookId: "wh-1", ...outputs }, { id: "wh-1" });
const rotated = { secret: "hush-hush-secret", rotationState: "rotated", requestId: "r-1" };

const stateOf = (answer: unknown) => ({
  stack: "prod",
  env: { VOICEPLANE_BASE_URL: "http://127.0.0.1:9", VOICEPLANE_TOKEN: "hush-hush-token" },
  pulumi: pulumiWith({
    "config --json --stack=prod": { "voiceplane:organization": { value: "acme", secret: false } },
    "stack export --stack prod": answer,
  }),
});

const organization = {
  urn: "urn:pulumi:prod::acme::voiceplane:index:Organization::org",
  type: "voiceplane:index:Organization",
  outputs: { webhookRequestIds: { crm: "of-an-earlier-secret" } },
};

const bucket = { type: "updating", resource: { urn: "urn:pulumi:prod::acme::aws:s3/bucket:Bucket::logs" } };

testFindings("state", ["state"], {
  "no objects": () => stateOf(exported([])),
  "one object": () => stateOf(exported([policy("office")])),
  "two resources for one object": () => stateOf(exported([policy("office"), policy("hq")])),
  "two resources for one webhook, of which the one with the secret stays": () =>
    stateOf(exported([crm("crm"), crm("crm-x", rotated)])),
  "two resources for one webhook, which both have a secret": () =>
    stateOf(exported([crm("crm", { data: "hush-hush-secret" }), crm("crm-x", rotated)])),
  "an operation that did not end": () => stateOf(exported([policy("office")], { pending_operations: [bucket] })),
  "outputs that an update did not write": () =>
    stateOf(exported([organization, { ...crm("org-crm", rotated), parent: organization.urn }])),
  "a state that cannot be read": () => stateOf({ kind: "failed", why: "exit code 255" }),
  "no stack": () => ({}),
});

test("what is wrong in the state keeps the settings and the server from no check", async () => {
  const lines = await examined(stateOf(exported([policy("office"), policy("hq")])));
  expect(lines.join("\n")).toContain("ok settings http://127.0.0.1:9 from the environment");
  expect(lines.at(-1)).toMatch(/^problem server http:\/\/127\.0\.0\.1:9 cannot be used: /);
});

const stackProgram = { ...wholeProject, "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n' };

function ofStacks() {
  return project({
    ...stackProgram,
    "Pulumi.dev.yaml": "config: { voiceplane:organizationFile: dev.yaml }\n",
    "Pulumi.prod.yaml": "config: { voiceplane:organizationFile: prod.yaml }\n",
    "dev.yaml": "{}\n",
    "prod.yaml": "webhooks: { crm: { id: 1 } }\n",
  });
}

testFindings("organization", ["organization"], {
  "the file of the selected stack": () => ({ folder: ofStacks(), stack: "prod" }),
  "the files of all stacks": () => ({ folder: ofStacks() }),
});

test("the first problems of an invalid file are reported, and the others counted", async () => {
  const entries = Array.from({ length: 60 }, (_, index) => `  w${index}: { id: 1 }\n`).join("");
  const folder = project({ ...stackProgram, "organization.yaml": `webhooks:\n${entries}` });
  const lines = (await examined({ folder })).filter((line) => line.includes(" organization "));
  expect([lines.length, lines.at(-1)]).toEqual([51, "problem organization and 10 more problems [more-problems]"]);
});
