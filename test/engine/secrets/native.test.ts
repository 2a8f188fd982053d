/** Secrets on their way through the plugin: none is shown or stored in the clear, whatever the server repeats. */
import { auditedStack } from "../../support/audit/stack";
import { recordings, resource } from "../../support/engine/yaml-program";

/** One of everything that may be secret; what is secret is in the stack's configuration. */
const program = (round: number, { name = "${name}", sourceCidr }: { name?: string; sourceCidr?: string } = {}) => ({
  config: { initial: { type: "string", secret: true }, name: { type: "string", secret: true } },
  variables: { list: { "fn::invoke": { function: "voiceplane:listWebhooks", return: "webhooks" } } },
  resources: {
    // Its token is secret in the program alone.
    other: { type: "pulumi:providers:voiceplane", properties: { baseUrl: "${url}", token: "${initial}" } },
    recordings: recordings(90, {}, { provider: "${other}" }),
    acme: resource("Organization", {
      onCreate: "overwrite",
      networkPolicies: { office: { id: "office", name, ...(sourceCidr !== undefined && { sourceCidr }) } },
      trunks: { carrier: { id: "carrier", outboundAuth: "cleared", triggers: { stamp: "${name}" } } },
      webhooks: { crm: { id: "crm", onCreate: "rotate", triggers: { round, stamp: "${name}" } } },
    }),
    billing: resource("WebhookSecret", { webhookId: "billing", onCreate: "rotate", initialSecret: "${initial}" }),
  },
  outputs: { secrets: "${acme.webhookSecrets}", previous: "${billing.previousSecret}", webhooks: "${list}" },
});

test("nothing shows them: previews, updates, refusals, lost answers, wrong values, the event log, the plugin's own output, the state, the process list", async () => {
  const secrets = { "voiceplane:token": "token", "test:initial": "initial secret", "test:name": "name" };
  // With VOICEPLANE_DEBUG, the plugin writes a line about each attempt.
  const { stack, server, configured, leaksIn } = await auditedStack({ env: { VOICEPLANE_DEBUG: "1" } }, secrets);
  await stack.run(["config", "set", "test:url", server.url, "--stack", "dev"]);
  const declare = (...args: Parameters<typeof program>): void => {
    const { config, ...rest } = program(...args);
    stack.yaml({ ...rest, config: { ...config, url: { type: "string" } } });
  };

  declare(1, { sourceCidr: "${name}" });
  expect(await stack.preview({ fails: true })).toContain("networkPolicies.office.sourceCidr: must be a network range");
  declare(1);
  await stack.up({ flags: ["--diff", "--event-log", "up-events.log"] });
  declare(2, { name: "of ${name}" });
  server.fail({ PATCH: 500, POST: 500 });
  const troubled = ["--json", "--continue-on-error", "--event-log", "lost-events.log"];
  await stack.up({ flags: troubled, fails: true });
  expect(stack.state()["acme-office"]?.outputs).toMatchObject({ name: "[secret]", uncertain: "update" });
  expect(stack.state()["acme-crm"]?.outputs).toMatchObject({ rotationState: "uncertain", secret: "[secret]" });
  server.fail({});
  await stack.up({ flags: ["--refresh", "--diff"] });

  expect(stack.state()["acme-crm"]?.outputs).toMatchObject({
    secret: "[secret]",
    previousSecret: "[secret]",
    triggers: "[secret]",
  });
  expect(stack.state().billing).toMatchObject({
    inputs: { initialSecret: "[secret]" },
    outputs: { secret: "[secret]", previousSecret: "[secret]" },
  });
  expect(server.secrets).toHaveLength(4);
  const everything = [stack.everything(), ...server.commandLines].join("\n");
  expect(everything).toContain("pulumi-resource-voiceplane");
  expect(leaksIn(everything)).toEqual([]);
  expect(stack.reveal("previous")).toBe(configured["test:initial"]);
});
