/** OpenTelemetry in the processes that the engine starts and ends, with an SDK that holds back what it records. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ids } from "./support/organization";
import { project, yamlProject, type Project } from "./support/project";

interface Recorded {
  readonly name: string;
  readonly attributes: Record<string, unknown>;
  readonly value?: number;
  readonly status?: { readonly code: number };
}

const register = join(__dirname, "../telemetry/register.cjs");

function telemetryOf(stack: Project, variables: Record<string, string> = { OTEL_TRACES_EXPORTER: "otlp" }) {
  const RECORDED = join(stack.folder, "recorded");
  return {
    env: { ...variables, NODE_OPTIONS: `--require=${register}`, RECORDED },
    all: () => ["spans", "metrics"].map((kind) => linesOf(`${RECORDED}.${kind}`)) as [Recorded[], Recorded[]],
  };
}

function linesOf(file: string): Recorded[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line) as Recorded);
}

test("dynamic", async () => {
  const stack = await project({
    program: `exports.secret = new WebhookSecret("crm", { webhookId: "${ids.crm}", rotateAfter: "90d" }).secret;
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });`,
  });
  stack.organization.control.setFaults([
    { operation: "rotateWebhookSecret", effect: "status", status: 429, retryAfter: { seconds: 1 }, count: 1 },
  ]);
  const { env, all } = telemetryOf(stack);
  await stack.up({ env });
  console.log(JSON.stringify(all(), undefined, 1));
});
