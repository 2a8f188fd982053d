/**
 * OpenTelemetry in the processes that the engine starts and ends, with an SDK that holds back what it records; and
 * `voiceplane status` of the same stacks.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";

interface Recorded {
  readonly name: string;
  readonly spanKind?: number;
  readonly attributes: Record<string, unknown>;
  readonly value?: number;
  readonly status?: { readonly code: number };
}

const register = join(__dirname, "../../unit/provider/telemetry/register.cjs");
const own = "a span of the user's own";

/** The environment of a provider with an SDK, and what that has sent. */
function recording(stack: Project, variables: Record<string, string>) {
  const RECORDED = join(stack.folder, "recorded");
  const textOf = (kind: string) => {
    const file = `${RECORDED}.${kind}`;
    return existsSync(file) ? readFileSync(file, "utf8") : "";
  };
  const linesOf = (kind: string): Recorded[] =>
    textOf(kind)
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Recorded);
  return {
    env: { ...variables, NODE_OPTIONS: `--require=${register}`, RECORDED },
    spans: () => linesOf("spans"),
    metrics: () => linesOf("metrics"),
    everything: () => textOf("spans") + textOf("metrics"),
  };
}

const limited = {
  operation: "rotateWebhookSecret",

  status: 429,
  retryAfter: 1,
  count: 1,
} as const;
const lost = { operation: "putRetentionPolicy", status: 500 } as const;

const dynamic = () =>
  project({
    program: `exports.secret = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", rotateAfter: "90d" }).secret;
      new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });`,
  });

const native = () =>
  yamlProject({
    resources: {
      crm: {
        type: "voiceplane:WebhookSecret",
        properties: { webhookId: ids.crm, onCreate: "rotate", rotateAfter: "90d" },
      },
      recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: 90 } },
    },
    outputs: { secret: "${crm.secret}" },
  });

/** What `voiceplane status` of the installed package prints and returns. */
function status(stack: Project, args: readonly string[], input?: string): string {
  const cli = join(installedPackage(), "dist/cli/index.js");
  const stdin = input === undefined ? ("ignore" as const) : ("pipe" as const);
  try {
    return execFileSync(process.execPath, [cli, "status", ...args], {
      cwd: stack.folder,
      env: stack.environment,
      encoding: "utf8",
      stdio: [stdin, "pipe", "pipe"],
      ...(input !== undefined && { input }),
    });
  } catch (error) {
    const { status: code, stdout } = error as { status: number; stdout: string };
    return `${stdout}exit code ${code}`;
  }
}

test.each([
  ["a dynamic provider", dynamic],
  ["the plugin", native],
])(
  "%s: an SDK gets a span of each request of an up, and its metrics, before the engine has ended the provider; no secret is in them, nor in the status of the stack",
  async (_door, make) => {
    const stack = await make();
    const { url, control } = stack.organization;
    control.setFaults([limited, lost]);
    const { env, spans, metrics, everything } = recording(stack, {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318",
    });
    await stack.up({ env, fails: true, flags: ["--continue-on-error"] });

    const port = Number(new URL(url).port);
    const server = { "server.address": "127.0.0.1", "server.port": port };
    const rotation = {
      ...{ "voiceplane.operation": "rotateWebhookSecret", "voiceplane.organization": url },
      "http.request.method": "POST",
      "url.full": `${url}/v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret`,
      "url.template": "/v1/webhooks/{webhook_id}/rotate-secret",
      ...server,
    };
    const retention = {
      ...{ "voiceplane.operation": "putRetentionPolicy", "voiceplane.organization": url },
      "http.request.method": "PUT",
      "url.full": `${url}/v1/retention-policies/recordings`,
      "url.template": "/v1/retention-policies/{resource}",
      ...server,
    };
    const ofPackage = spans().filter(({ name }) => name !== own);
    expect(spans().length).toBeGreaterThan(ofPackage.length);
    const shown = ofPackage.map(({ name, spanKind, status: end, attributes }) => [
      name,
      spanKind,
      end?.code,
      attributes,
    ]);
    expect(shown).toHaveLength(3);
    expect(shown).toEqual(
      expect.arrayContaining([
        [
          "POST /v1/webhooks/{webhook_id}/rotate-secret",
          2,
          2,
          { ...rotation, "http.response.status_code": 429, "error.type": "429" },
        ],
        [
          "POST /v1/webhooks/{webhook_id}/rotate-secret",
          2,
          0,
          { ...rotation, "http.response.status_code": 200, "http.request.resend_count": 1 },
        ],
        [
          "PUT /v1/retention-policies/{resource}",
          2,
          2,
          { ...retention, "http.response.status_code": 500, "error.type": "500" },
        ],
      ]),
    );

    const values = metrics().map(({ name, value }) => [name, value]);
    expect(values).toHaveLength(3);
    expect(values).toEqual(
      expect.arrayContaining([
        ["voiceplane.retries", 1],
        ["voiceplane.rate_limited", 1],
        ["voiceplane.rotations", 1],
      ]),
    );

    const secret = stack.reveal("secret");
    expect(secret).toMatch(/^[\w-]{43}$/);
    const inClear = execFileSync("pulumi", ["stack", "export", "--stack", "dev", "--show-secrets"], {
      cwd: stack.folder,
      env: stack.environment,
      encoding: "utf8",
    });
    expect(inClear).toContain(secret);
    const printed = [
      status(stack, ["--stack", "dev"]),
      status(stack, []),
      status(stack, ["--format", "json", "-"], inClear),
      status(stack, ["--format", "prometheus", "-"], inClear),
      status(stack, [".state/.pulumi/stacks/test/dev.json"]),
    ];
    for (const text of printed) expect(text).toMatch(/exit code 2$/);
    expect(new Set([printed[0], printed[1], printed[4]]).size).toBe(1);
    expect(printed[0]).toMatch(/\nretention {2}recordings {2}90 days {5}\S+ {2}- {11}- {11}uncertain\n/);
    expect(printed[0]).toMatch(/\nwebhook {4}crm {9}rotation 1 {2}\S+ {2}0d {10}\S+ {2}ok\n/);
    for (const text of [everything(), ...printed]) {
      expect(text).not.toContain(secret);
      expect(text).not.toMatch(/vp_dev|v1:/);
    }
  },
);

test("with OTEL_SDK_DISABLED nothing is recorded, and the engine's signal ends the provider, with what an SDK holds back", async () => {
  const stack = await native();
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:4318" };
  const { env, everything } = recording(stack, { ...endpoint, OTEL_SDK_DISABLED: "true" });
  await stack.up({ env });
  expect(stack.organization.requests()).toHaveLength(2);
  expect(everything()).toBe("");
});
