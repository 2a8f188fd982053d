/** The engine's customTimeouts, as far as the engine passes them on. */
import { ids } from "../../support/engine/organization";
import { yamlProject } from "../../support/engine/project";

test("the plugin ends a request at its resource's customTimeouts, also that of an Organization, and a rotation that has left is uncertain", async () => {
  const webhooks = { crm: { id: ids.crm, onCreate: "rotate" } };
  // Two objects: YAML would write one as an alias, which the engine refuses.
  const options = () => ({ customTimeouts: { create: "1s" } });
  const stack = await yamlProject({
    resources: {
      acme: { type: "voiceplane:Organization", properties: { webhooks }, options: options() },
      billing: {
        type: "voiceplane:WebhookSecret",
        properties: { webhookId: ids.billing, onCreate: "rotate" },
        options: options(),
      },
    },
  });
  stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", connection: "hang" }]);
  const failed = await stack.up({ fails: true, flags: ["--continue-on-error"] });
  expect(failed.match(/got no usable answer: no complete answer within (1|0\.\d+) s/g)).toHaveLength(2);
  expect(failed).not.toContain("its resources do not get these options");
  const { "acme-crm": crm, billing } = stack.state();
  expect(crm?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });
  expect(billing?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });
});
