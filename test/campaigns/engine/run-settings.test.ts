/** What a user sets for one run: the engine's flags, and timeouts of resources. test/unit/provider/doors.test.ts has the variables. */
import { ids } from "../../support/engine/organization";
import { project, yamlProject } from "../../support/engine/project";
import { resource } from "../../support/engine/yaml-program";
import { expectSound, processesOf } from "../../support/faults/aftermath";
import { upDuring } from "../../support/faults/deaths";

test("the plugin ends a request at its resource's customTimeouts, also that of an Organization, and a rotation that has left is uncertain", async () => {
  const webhooks = { crm: { id: ids.crm, onCreate: "rotate" } };
  // Two objects: YAML would write one as an alias, which the engine refuses.
  const options = () => ({ customTimeouts: { create: "3s" } });
  const stack = await yamlProject({
    resources: {
      acme: resource("Organization", { webhooks }, options()),
      billing: resource("WebhookSecret", { webhookId: ids.billing, onCreate: "rotate" }, options()),
    },
  });
  stack.organization.control.setFaults([{ operation: "rotateWebhookSecret", connection: "hang" }]);
  const failed = await stack.up({ fails: true, flags: ["--continue-on-error"] });
  expect(failed.match(/got no usable answer: no complete answer within (3|2\.\d+) s/g)).toHaveLength(2);
  expect(failed).not.toContain("its resources do not get these options");
  for (const name of ["acme-crm", "billing"])
    expect(stack.state()[name]?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });
});

// The engine passes them on to each provider, in front of its own address.
test.each([
  ["dynamic", "--tracing file:./t"],
  ["native", "--tracing file:./t"],
  ["dynamic", "--logflow -v=9 --logtostderr"],
  ["native", "--logflow -v=9 --logtostderr"],
] as const)("the %s provider with %s ends when its engine is killed", async (over, options) => {
  const flags = options.split(" ");
  const stack = await project();
  stack[over](`new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });`);
  const killed = await upDuring(stack, undefined, { flags });
  const name = { dynamic: "cmd/dynamic-provider", native: "pulumi-resource-voiceplane" }[over];
  const providers = () => processesOf(stack).filter(({ command }) => command.includes(name));
  expect(providers()).not.toEqual([]);
  killed.signal("SIGKILL");
  await stack.until(() => providers().length === 0);
  await expectSound(stack, { locks: 1, pending: 1 });
});
