/** `pulumi cancel` while a rotation runs: its update goes on, and what it has received is refused. */
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { organizationProject } from "../../support/engine/project";

const webhook = (round: string) =>
  `webhooks:\n  crm: { id: ${ids.crm}, onCreate: rotate, triggers: { round: "${round}" } }\n`;

const doubt = "it is unknown whether its last rotation was carried out";

testOnHttp(
  "a rotation whose update was cancelled is repeated and said, on this machine and on another one",
  async () => {
    const backend = await httpBackend();
    const stack = await organizationProject(webhook("0"), { backend });
    await stack.up();
    const { control } = stack.organization;
    const cancelled = async () => {
      control.setFaults([{ operation: "rotateWebhookSecret", hold: "after", count: 1 }]);
      const run = stack.startUp();
      await control.held("rotateWebhookSecret");
      await stack.run(["cancel", "--yes", "--stack", "dev"]);
      control.release();
      const { code, stdout, stderr } = await run.finished;
      // The CLI's code for what the backend does not let in, and the one for any other error.
      expect([3, 255]).toContain(code);
      expect(stdout + stderr).toContain("[403] The provided update token has expired.");
    };

    stack.write("organization.yaml", webhook("1"));
    await cancelled();
    stack.write("organization.yaml", webhook("0"));
    expect(await stack.up()).toContain(doubt);
    expectCurrentSecret(stack, "org-crm");

    stack.write("organization.yaml", webhook("2"));
    await cancelled();
    const elsewhere = { VOICEPLANE_STATE_DIR: `${stack.folder}/another-machine` };
    stack.write("organization.yaml", webhook("0"));
    const { code, stdout } = await stack.voiceplane(["apply", "--yes"], elsewhere);
    expect([code, stdout]).toEqual([0, expect.stringContaining("its last rotation may have been carried out")]);
    expectCurrentSecret(stack, "org-crm");
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 5 });
  },
);
