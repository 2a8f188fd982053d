/** A stack in which every secret is a canary, against a server that repeats them: none is shown or stored in the clear. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { canary, leaksIn } from "../../support/audit/canaries";
import { startTalkativeServer } from "../../support/audit/server";
import { filesBelow, withoutDebugMessages } from "../../support/engine/output";
import { providers } from "../../support/engine/declared";
import { project, type Run } from "../../support/engine/project";

/** The secrets in the configuration, and how a failing test calls them. */
const configured = {
  "voiceplane:token": "token",
  "audit:otherToken": "token of another organization",
  "audit:initial": "initial secret",
  "audit:trigger": "secret trigger",
  "audit:name": "secret name of a policy",
};

/** Every resource and two organizations, with a secret in every argument that takes one. */
const program = (round: number): string => `
  const { Config, interpolate } = require("@pulumi/pulumi");
  const secret = (key) => new Config("audit").requireSecret(key);
  const other = new Provider("other", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: secret("otherToken") });
  const crm = new WebhookSecret("crm", { webhookId: "crm", onCreate: "rotate", triggers: { round: ${round}, stamp: secret("trigger") } });
  new WebhookSecret("billing", { webhookId: "billing", onCreate: "adopt", initialSecret: secret("initial") });
  new RetentionPolicy("recordings", {
    resource: "recordings", onCreate: "overwrite", retentionDays: ${90 + round}, onDelete: "disable",
  }, { provider: other });
  new NetworkPolicy("office", { networkPolicyId: "office", onCreate: "overwrite", name: interpolate\`${round} \${secret("name")}\` });
  new TrunkOutboundAuth("carrier", { trunkId: "carrier", cleared: true, triggers: { round: ${round} }, onDelete: "clear" });
  exports.secret = crm.secret;
  exports.previousSecret = crm.previousSecret;
  exports.webhooks = listWebhooks({ provider: other });`;

/** A secret in every place, also in wrong ones. */
const wrong = `
  const secret = new (require("@pulumi/pulumi").Config)("audit").requireSecret("trigger");
  new WebhookSecret("crm", {
    webhookId: secret, triggers: secret, initialSecret: { secret }, secretPath: secret, rotateAfter: secret, onCreate: secret,
  });`;

const frozen: Record<string, string> = {
  recordings: "retention-policy",
  office: "network-policy",
  carrier: "trunk-outbound-auth",
  crm: "webhook-secret",
};

test.each(providers)(
  "%s: no command shows or stores a token or a secret in its output, state, backups, event log or process list, not even where the server repeats them in a refusal, or the answer of a rotation is lost",
  async (provider) => {
    const server = await startTalkativeServer();
    // With VOICEPLANE_DEBUG, a provider writes a line about each attempt.
    const env = { VOICEPLANE_BASE_URL: server.url, VOICEPLANE_TOKEN: undefined, VOICEPLANE_DEBUG: "1" };
    const stack = await project({ env });
    const owner = randomUUID();
    const secrets = Object.entries(configured).map(([key, name]) => ({ key, ...canary(name, owner) }));
    const given = secrets.flatMap(({ key, text }) => ["--secret", `${key}=${text}`]);
    await stack.run(["config", "set-all", "--stack", "dev", ...given]);
    const outputs = new Map<string, string>();
    const pulumi = async (command: string, run?: Run): Promise<string> => {
      const output = await stack.run([...command.split(" "), "--stack", "dev"], run);
      outputs.set(command, output);
      return output;
    };

    stack.declare(provider, wrong);
    expect(await pulumi("preview --diff", { fails: true })).toContain("webhookId: must be a string without slashes");
    stack.declare(provider, program(1));
    await pulumi("up --yes --diff --event-log up-events.log");
    stack.declare(provider, program(2));
    await pulumi("up --yes --skip-preview --json");
    for (const command of ["stack export", "stack output --json", "stack history --json"]) await pulumi(command);
    // The canaries did reach the stack, so the commands above could have shown them.
    expect([stack.reveal("previousSecret"), stack.reveal("secret")]).toEqual(server.secrets.map(({ text }) => text));
    expect([...server.commandLines].join("\n")).toMatch(/pulumi-resource-voiceplane|cmd\/dynamic-provider/);
    expect(stack.state().crm?.outputs).toMatchObject({ secret: "[secret]", previousSecret: "[secret]" });
    if (provider === "dynamic")
      for (const [name, path] of Object.entries(frozen)) {
        const { inputs, outputs } = stack.state()[name] ?? {};
        const text = `exports.handler=()=>require("pulumi-voiceplane/dynamic/${path}")`;
        expect([inputs?.__provider, outputs?.__provider]).toEqual([text, text]);
      }

    stack.declare(provider, program(3));
    server.fail({ PUT: 401, PATCH: 403, DELETE: 500, POST: "lost" });
    const lost = await pulumi("up --yes --skip-preview --continue-on-error --json", { fails: true });
    for (const part of ["refused: 401", "refused: 403", "failed: 500"]) expect(lost).toContain(part);
    expect(stack.state().crm?.outputs?.rotationState).toBe("uncertain");
    server.fail({ PUT: 302, PATCH: 404, DELETE: 402, POST: 500, GET: 403 });
    const refused = await pulumi("up --yes --skip-preview --continue-on-error --diff", { fails: true });
    for (const code of [302, 402, 403, 404]) expect(refused).toMatch(new RegExp(`: ${code} \\[redacted\\]`));
    await pulumi("refresh --yes --skip-preview --diff --event-log refresh-events.log");
    server.fail({});
    await pulumi("destroy --yes --skip-preview --json");

    const files = filesBelow(stack.folder).map((file) => [file, readFileSync(file, "latin1")] as const);
    const places = [...outputs, ...files, ["process list", [...server.commandLines].join("\n")] as const];
    // The SDK's debug messages show every answer of the engine.
    const leaks = places.flatMap(([place, text]) =>
      leaksIn(withoutDebugMessages(text), [...secrets, ...server.secrets]).map((name) => `${place}: ${name}`),
    );
    expect(leaks).toEqual([]);
  },
);
