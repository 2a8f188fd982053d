/** A stack in which every secret is a canary, against a server that repeats them. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { filesBelow, withoutDebugMessages } from "../engine/output";
import { project, type ProjectOptions, type Run } from "../engine/project";
import { canary, leaksIn } from "./canaries";
import { startTalkativeServer } from "./server";

/** The secrets in the configuration, and how a failing test calls them. */
const configuredSecrets = {
  "voiceplane:token": "token",
  "audit:otherToken": "token of another organization",
  "audit:initial": "initial secret",
  "audit:trigger": "secret trigger",
  "audit:name": "secret name of a policy",
} as const;

/** Every resource and two organizations, with a secret in every argument that takes one. */
export const program = (round: number): string => `
  const { Config, interpolate } = require("@pulumi/pulumi");
  const secret = (key) => new Config("audit").requireSecret(key);
  const other = new Provider("other", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: secret("otherToken") });
  const crm = new WebhookSecret("crm", { webhookId: "crm", onCreate: "rotate", triggers: { round: ${String(round)}, stamp: secret("trigger") } });
  new WebhookSecret("billing", { webhookId: "billing", onCreate: "adopt", initialSecret: secret("initial") });
  new RetentionPolicy("recordings", {
    resource: "recordings", onCreate: "overwrite", retentionDays: ${String(90 + round)}, onDelete: "disable",
  }, { provider: other });
  new NetworkPolicy("office", { networkPolicyId: "office", onCreate: "overwrite", name: interpolate\`${String(round)} \${secret("name")}\` });
  new TrunkOutboundAuth("carrier", {
    trunkId: "carrier", cleared: true, triggers: { round: ${String(round)} }, onDelete: "clear",
  });
  exports.secret = crm.secret;
  exports.previousSecret = crm.previousSecret;
  exports.webhooks = listWebhooks({ provider: other });`;

export async function auditedStack(
  { env, ...options }: ProjectOptions,
  configured: Readonly<Record<string, string>> = configuredSecrets,
) {
  const server = await startTalkativeServer();
  const access = { VOICEPLANE_BASE_URL: server.url, VOICEPLANE_TOKEN: undefined };
  const stack = await project({ ...options, env: { ...access, ...env } });
  const owner = randomUUID();
  const secrets = Object.entries(configured).map(([key, name]) => ({ key, ...canary(name, owner) }));
  const settings = secrets.flatMap(({ key, text }) => ["--secret", `${key}=${text}`]);
  await stack.run(["config", "set-all", "--stack", "dev", ...settings]);
  const outputs = new Map<string, string>();
  const shows = (text: string): string[] => leaksIn(text, [...secrets, ...server.secrets]);
  return {
    server,
    stack,
    /** The secrets of the configuration, by their keys. */
    configured: Object.fromEntries(secrets.map(({ key, text }) => [key, text])),
    /** Runs a command on the stack and returns its whole output. */
    pulumi: async (args: readonly string[], run?: Run): Promise<string> => {
      const output = await stack.run([...args, "--stack", "dev"], run);
      outputs.set(args.join(" "), output);
      return output;
    },
    /** The names of all canaries in a text. */
    leaksIn: shows,
    /**
     * Every place that shows a canary, such as `"up --json": token`: the output of the commands so far, and every file of
     * the project, its state and its home. The SDK's debug messages are left out.
     */
    leaks: (): string[] => {
      const lines = [...server.commandLines].join("\n");
      const files = filesBelow(stack.folder).map((file) => {
        return [file.slice(stack.folder.length), readFileSync(file, "latin1")] as const;
      });
      const places = [...outputs, ...files, ["process list", lines] as const];
      return places.flatMap(([place, text]) =>
        shows(withoutDebugMessages(text)).map((name) => `${JSON.stringify(place)}: ${name}`),
      );
    },
  };
}
