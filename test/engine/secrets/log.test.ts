/** The log that `voiceplane apply` keeps of a run that failed. */
import { readFileSync, statSync } from "node:fs";
import { applied } from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import { yamlProject } from "../../support/engine/project";

const token = "a-token-in-plain-text";

test.each([
  ["as the engine writes it", {}],
  ["with the engine's own log among its errors", { PULUMI_OPTION_VERBOSE: "9", PULUMI_OPTION_LOGTOSTDERR: "true" }],
])("neither the configuration nor a webhook's secret is in the log, %s", async (_how, env) => {
  const program = (days: number) => ({
    resources: {
      crm: { type: "voiceplane:WebhookSecret", properties: { webhookId: ids.crm, onCreate: "rotate" } },
      recordings: {
        type: "voiceplane:RetentionPolicy",
        properties: { resource: "recordings", retentionDays: days },
      },
    },
  });
  const stack = await yamlProject(program(30));
  // The environment's token is the one that is sent.
  const config = ["config", "set", "--stack", "dev", "--plaintext"];
  await stack.run([...config, "voiceplane:token", token]);
  expect(await applied(stack, { env })).toMatchObject({ outcome: "applied", requests: 2 });
  const secret = String(stack.inClear().find(({ id }) => id === ids.crm)?.outputs?.secret);
  expect(secret).toMatch(/^[\w-]{20,}$/);

  stack.yaml(program(90));
  stack.organization.control.setFaults([{ operation: "putRetentionPolicy", status: 500 }]);
  const failed = await applied(stack, { env });
  expect(failed).toMatchObject({ outcome: "failed", reason: expect.stringContaining("failed: 500") as string });
  const log = readFileSync(failed.log ?? "", "utf8");
  expect(statSync(failed.log ?? "").mode & 0o777).toBe(0o600);
  expect(log).toContain('"resourcePreEvent"');
  expect(log).toContain('"severity":"error"');
  for (const hidden of [token, secret, '"config"']) expect(log).not.toContain(hidden);
});
