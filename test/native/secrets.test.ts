/** Secrets on their way through the plugin: none is shown or stored in the clear, whatever the server repeats. */
import { randomUUID } from "node:crypto";
import { canary, leaksIn } from "../audit/support/canaries";
import { auditedStack, program } from "../audit/support/stack";

const update = ["--yes", "--skip-preview"];

/** One of everything that may be secret, in YAML; the secrets are in the stack's configuration. */
const yaml = (name: string, sourceCidr?: string) => ({
  config: { initial: { type: "string", secret: true }, name: { type: "string", secret: true } },
  resources: {
    other: {
      type: "pulumi:providers:voiceplane",
      // Secret in the program alone.
      properties: { baseUrl: "https://other.example.com", token: "${initial}" },
    },
    acme: {
      type: "voiceplane:Organization",
      properties: {
        networkPolicies: { office: { id: "office", name, ...(sourceCidr !== undefined && { sourceCidr }) } },
        trunks: { carrier: { id: "carrier", outboundAuth: "cleared", triggers: { stamp: "${name}" } } },
        webhooks: { crm: { id: "crm", triggers: { stamp: "${name}" } } },
      },
    },
    billing: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: "billing", rotateOnCreate: true, initialSecret: "${initial}" },
    },
  },
  outputs: { secrets: "${acme.webhookSecrets}", previous: "${billing.previousSecret}" },
});

test("classes over the plugin: updates, refusals, lost answers and a preview, with every way of looking at them", async () => {
  const { server, stack, pulumi, leaks } = await auditedStack("");
  const loud = { env: { VOICEPLANE_DEBUG: "1" } };
  stack.native(program(1));
  await pulumi(["up", ...update, "--diff", "--event-log", "up-events.log"], loud);
  stack.native(program(2));
  server.fail({ PUT: 403, PATCH: 500, DELETE: 404, POST: "lost" });
  await pulumi(["up", ...update, "--continue-on-error", "--event-log", "lost-events.log"], { ...loud, fails: true });
  server.fail({});
  await pulumi(["preview", "--diff"], loud);
  await pulumi(["up", ...update, "--json", "--refresh"], loud);
  expect(server.secrets.length).toBeGreaterThan(2);
  const { crm, billing, office } = stack.state();
  expect(crm?.outputs).toMatchObject({ secret: "[secret]", previousSecret: "[secret]", triggers: "[secret]" });
  expect(billing).toMatchObject({ inputs: { initialSecret: "[secret]" }, outputs: { secret: "[secret]" } });
  expect(office?.outputs).toMatchObject({ name: "[secret]" });
  expect(leaks()).toEqual([]);
});

test("YAML and its Organization: the same, also where what is secret is wrong", async () => {
  const { server, stack, pulumi, leaks } = await auditedStack("");
  const owner = randomUUID();
  const own = [canary("initial secret in YAML", owner), canary("name in YAML", owner)];
  const [initial, name] = own.map(({ text }) => text);
  const settings = [`test:initial=${String(initial)}`, `test:name=${String(name)}`];
  await stack.run(["config", "set-all", "--stack", "dev", ...settings.flatMap((setting) => ["--secret", setting])]);

  stack.yaml(yaml("${name}", "${name}"));
  const refused = await pulumi(["preview", "--diff"], { fails: true });
  expect(refused).toContain("networkPolicies.office.sourceCidr: must be a network range");
  expect(server.secrets).toEqual([]);

  stack.yaml(yaml("${name}"));
  await pulumi(["preview", "--diff", "--json"]);
  await pulumi(["up", ...update, "--diff", "--event-log", "up-events.log"]);
  stack.yaml(yaml("of ${name}"));
  server.fail({ PATCH: 500 });
  await pulumi(["up", ...update, "--json"], { fails: true });
  expect(server.secrets).toHaveLength(2);
  expect(stack.state().billing?.outputs).toMatchObject({ secret: "[secret]", previousSecret: "[secret]" });
  expect(stack.state()["acme-office"]?.outputs).toMatchObject({ name: "[secret]", uncertain: "update" });
  expect(stack.state()["acme-carrier"]?.outputs).toMatchObject({ triggers: "[secret]" });
  expect(leaks()).toEqual([]);
  expect(leaksIn(stack.everything(), own)).toEqual([]);
  expect(await stack.reveal("previous")).toBe(initial);
});
