/** With plain `pulumi up`: what the next update does after a death, whoever is killed. */
import type { OperationName } from "../../../src/contract/index";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";
import { expectCurrentSecret } from "../../support/faults/aftermath";
import { die, endAfterTest, type Strike } from "../../support/faults/deaths";

const crmRotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const billingRotation = `POST /v1/webhooks/${ids.billing}/rotate-secret`;
const put = 'PUT /v1/retention-policies/recordings {"retention_days":401,"enabled":true}';

interface Declared {
  readonly quarter: string;
  readonly days?: number;
  readonly billing?: boolean;
}

const program = ({ quarter, days = 400, billing = false }: Declared) => ({
  resources: {
    crm: crm({ triggers: { quarter } }),
    recordings: recordings(days),
    ...(billing && { billing: resource("WebhookSecret", { webhookId: ids.billing, onCreate: "rotate" }) }),
  },
});

interface Row {
  readonly dies: Strike;
  readonly during: Declared;
  /** What it has sent, unanswered. Default: the rotation. */
  readonly sent?: readonly OperationName[];
  /** The program of the next `up`: the same again, or reverted. */
  readonly next: Declared;
  /** Whether Pulumi says that an operation was interrupted. */
  readonly isSaid: boolean;
  readonly sends: readonly string[];
}

const three = { quarter: "3", days: 401, billing: true };

const rows: readonly Row[] = [
  { dies: "SIGKILL", during: { quarter: "2" }, next: { quarter: "2" }, isSaid: true, sends: [crmRotation] },
  {
    dies: "provider",
    during: three,
    sent: ["rotateWebhookSecret", "rotateWebhookSecret", "putRetentionPolicy"],
    next: three,
    isSaid: false,
    sends: [crmRotation, billingRotation, put],
  },
  // The engine's warning alone knows of it: a limit, which the page about killed runs names.
  { dies: "machine", during: { ...three, quarter: "4" }, next: three, isSaid: true, sends: [] },
];

// test/campaigns/faults/deaths.test.ts has the deaths of the dynamic provider.
test.each(["native"] as const)(
  "with the %s provider, the same update after a death sends once more what was cut off; after a revert nothing is sent, and Pulumi has said what was interrupted",
  async (provider) => {
    const stack = endAfterTest(await project());
    stack.declare(provider, program({ quarter: "1" }));
    await stack.up();
    for (const { dies, during, sent, next, isSaid, sends } of rows) {
      stack.declare(provider, program(during));
      await die(stack, dies, sent && { operations: sent });
      stack.declare(provider, program(next));
      stack.organization.forgetRequests();
      const said = await stack.up();
      expect(said.includes("interrupted while updating")).toBe(isSaid);
      expect(stack.organization.requests().sort()).toEqual(sends);
      if (sends.length > 0) expectCurrentSecret(stack, "crm");
      expect(await stack.up()).not.toContain("interrupted");
    }
    expect(stack.organization.requests()).toEqual([]);
  },
);
