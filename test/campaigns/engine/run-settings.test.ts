/** Flags of the engine that it passes on to each provider, in front of its own address. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { expectSound, processesOf } from "../../support/faults/aftermath";
import { upDuring } from "../../support/faults/deaths";

test.each([
  ["dynamic", "--tracing file:./t"],
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
