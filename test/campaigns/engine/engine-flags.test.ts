/** Flags of the engine that it passes on to each provider, in front of its own address. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { expectSound, processesOf } from "../../support/faults/aftermath";
import { upDuring } from "../../support/faults/deaths";

const put = 'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}';

const recordings = (organization: string) => `
  const provider = new Provider("${organization}", { baseUrl: process.env.VOICEPLANE_BASE_URL, token: "vp_dev_full" });
  new RetentionPolicy("${organization}-recordings", {
    resource: "recordings", onCreate: "overwrite", retentionDays: 365, onDelete: { retentionDays: 30, enabled: true },
    allowShortening: { from: 365, to: 30 },
  }, { provider });`;

const crm = `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });`;

describe.each([
  ["--tracing", ["--tracing", "file:./t"]],
  ["--logflow -v=9 --logtostderr", ["--logflow", "-v=9", "--logtostderr"]],
])("with %s", (_name, flags) => {
  test.each([
    ["dynamic", "cmd/dynamic-provider"],
    ["native", "pulumi-resource-voiceplane"],
  ] as const)(
    "the %s provider knows what the others declare, and ends when its engine is killed",
    async (over, process) => {
      const stack = await project();
      // With these flags, the engine prints what a log of a run may not have.
      const up = async (program: string) => {
        stack[over](program);
        expect((await stack.startUp({ flags }).finished).code).toBe(0);
      };
      await up(recordings("eu"));
      await up(recordings("europe"));
      expect(stack.organization.requests()).toEqual([put, put]);

      const providers = () => processesOf(stack).filter(({ command }) => command.includes(process));
      stack[over](crm);
      const killed = await upDuring(stack, undefined, { flags });
      expect(providers()).not.toEqual([]);
      killed.signal("SIGKILL");
      await stack.until(() => providers().length === 0);
      await expectSound(stack, { locks: 1, pending: 1 });
    },
  );
});
