/** With plain `pulumi up`: what the next update does after a death, whoever is killed. */
import type { OperationName } from "../../../src/contract/index";
import { die, expectCurrentSecret, type Death } from "../../support/engine/deaths";
import { ids } from "../../support/engine/organization";
import { crm, inJavaScript, providers, recordings, resource } from "../../support/engine/declared";
import { project } from "../../support/engine/project";

const crmRotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const billingRotation = `POST /v1/webhooks/${ids.billing}/rotate-secret`;
const put = 'PUT /v1/retention-policies/recordings {"retention_days":401,"enabled":true}';

interface Declared {
  readonly quarter: string;
  readonly days?: number;
  readonly billing?: boolean;
}

const program = ({ quarter, days = 400, billing = false }: Declared) =>
  inJavaScript({
    resources: {
      crm: crm({ triggers: { quarter } }),
      recordings: recordings(days),
      ...(billing && { billing: resource("WebhookSecret", { webhookId: ids.billing, onCreate: "rotate" }) }),
    },
  });

interface Row {
  readonly dies: Death;
  readonly during: Declared;
  /** What it has sent, unanswered. Default: the rotation. */
  readonly sent?: readonly OperationName[];
  /** What it says. */
  readonly shows: string;
  /** The program of the next `up`. Default: the same again. */
  readonly next?: Declared;
  /** How many operations the engine has begun and not ended, of which the next `up` warns. */
  readonly pending: number;
  readonly sends: readonly string[];
}

const three = { quarter: "4", days: 401, billing: true };

const rows: readonly Row[] = [
  // What has left may end, and is stored.
  { dies: "SIGINT", during: { quarter: "2" }, shows: "^C received; cancelling", pending: 0, sends: [] },
  { dies: "SIGKILL", during: { quarter: "3" }, shows: "crm updating", pending: 1, sends: [crmRotation] },
  {
    dies: "provider",
    during: three,
    sent: ["rotateWebhookSecret", "rotateWebhookSecret", "putRetentionPolicy"],
    shows: "error reading from server: EOF",
    pending: 0,
    sends: [crmRotation, billingRotation, put],
  },
  // The engine's warning alone knows of it: a limit, which the page about killed runs names.
  { dies: "machine", during: { ...three, quarter: "5" }, shows: "", next: three, pending: 1, sends: [] },
];

test.each(providers)(
  "with the %s provider, the same update after a death sends once more what was cut off; after a revert nothing is sent, and Pulumi has said what was interrupted",
  async (provider) => {
    const stack = await project();
    stack.declare(provider, program({ quarter: "1" }));
    await stack.up();
    for (const { dies, during, sent, shows, next, pending, sends } of rows) {
      stack.declare(provider, program(during));
      expect((await die(stack, dies, sent)).stdout).toContain(shows);
      expect(stack.deployment().pending_operations ?? []).toHaveLength(pending);
      stack.organization.forgetRequests();
      stack.declare(provider, program(next ?? during));
      const said = await stack.up();
      expect(said.includes("interrupted while updating")).toBe(pending > 0);
      expect(stack.organization.requests().sort()).toEqual(sends);
      if (next === undefined) expectCurrentSecret(stack, "crm");
    }
    expect(await stack.up()).not.toContain("interrupted");
    expect(stack.organization.requests()).toEqual([]);
  },
);
