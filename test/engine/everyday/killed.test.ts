/** With plain `pulumi up`, nothing that was sent is lost unsaid: whoever is killed, and whichever state is restored. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OperationName } from "../../../src/contract/index";
import { ids } from "../../support/engine/organization";
import { holdToPlans, project } from "../../support/engine/project";
import { crm, recordings, resource } from "../../support/engine/yaml-program";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { die, dieAtStep, endAfterTest, type Strike } from "../../support/faults/deaths";

holdToPlans();

const doubt =
  "it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more.";
const crmRotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const billingRotation = `POST /v1/webhooks/${ids.billing}/rotate-secret`;
const put = 'PUT /v1/retention-policies/recordings {"retention_days":400,"enabled":true}';

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
  /** The program of the next `up`: reverted, or the same again. */
  readonly next: Declared;
  readonly says: readonly string[];
  readonly sends: readonly string[];
}

const rows: readonly Row[] = [
  {
    dies: "machine",
    during: { quarter: "2" },
    next: { quarter: "1" },
    says: [doubt],
    sends: [crmRotation],
  },
  // test/unit/lifecycle/pending.test.ts has the other resources.
  {
    dies: "provider",
    during: { quarter: "3", days: 401, billing: true },
    sent: ["rotateWebhookSecret", "rotateWebhookSecret", "putRetentionPolicy"],
    next: { quarter: "1", billing: true },
    // The creation of "billing" is sent again without a word: the engine knows that it began.
    says: [doubt, "(its last request may have been carried out)"],
    sends: [crmRotation, billingRotation, put],
  },
  {
    dies: "machine",
    during: { quarter: "4", billing: true },
    next: { quarter: "4", billing: true },
    says: [doubt],
    sends: [crmRotation],
  },
];

test.each(["dynamic", "native"] as const)(
  "with the %s provider, the up after a death, or on a restored backup, sends what may have been carried out once more and says so",
  async (provider) => {
    const stack = endAfterTest(await project());
    const declare = (declared: Declared) => {
      stack.declare(provider, program(declared));
    };
    const repairs = async (says: readonly string[], sends: readonly string[]) => {
      stack.organization.forgetRequests();
      const [, diagnostics = ""] = (await stack.up()).split("Diagnostics:");
      for (const text of says) expect([text, diagnostics.split(text).length]).toEqual([text, 2]);
      expect(stack.organization.requests().sort()).toEqual(sends);
      expectCurrentSecret(stack, "crm");
    };
    declare({ quarter: "1" });
    await stack.up();

    for (const { dies, during, sent, next, says, sends } of rows) {
      declare(during);
      await die(stack, dies, sent && { operations: sent });
      declare(next);
      expect(await stack.preview()).toContain(doubt);
      await repairs(says, sends);
    }
    expectCurrentSecret(stack, "billing");

    const [state, backup] = [".state", ".backup"].map((name) => join(stack.folder, name)) as [string, string];
    cpSync(state, backup, { recursive: true });
    declare({ quarter: "5", billing: true });
    await stack.up();
    rmSync(state, { recursive: true });
    cpSync(backup, state, { recursive: true });
    declare({ quarter: "4", billing: true });
    await repairs([doubt], [crmRotation]);
  },
);

/** Both providers write a request down in the same steps. */
test("a provider that dies while it writes a rotation down has not sent it, at whichever step", async () => {
  const stack = await project();
  const rotations = () => rotationsOf(stack)[ids.crm];
  stack.yaml(program({ quarter: "1" }));
  await stack.up();
  let deaths = 0;
  for (let step = 1; ; step++) {
    stack.yaml(program({ quarter: `dies at ${step}` }));
    // There is no such step any more, so the provider has lived.
    if ((await dieAtStep(stack, step)).code === 0) break;
    deaths++;
    expect([step, rotations()]).toEqual([step, 1]);
  }
  expect(deaths).toBeGreaterThanOrEqual(3);
  expectCurrentSecret(stack, "crm");
  stack.organization.forgetRequests();
  expect(await stack.up()).toContain("3 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});
