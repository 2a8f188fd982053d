/** What `voiceplane apply` prints of updates, also of one that fails. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { crm, recordings } from "../../support/engine/declared";

const token = "a-token-in-plain-text";

test("apply prints neither a token of the configuration nor a webhook's secret, neither from the report nor with Pulumi's own output", async () => {
  const program = (days: number) => ({ resources: { crm: crm(), recordings: recordings(days) } });
  const stack = await project();
  stack.declare("native", program(30));
  // The environment's token is the one that is sent.
  await stack.run(["config", "set", "--stack", "dev", "--plaintext", "voiceplane:token", token]);
  const apply = () => stack.voiceplane(["apply", "--yes"]);
  const first = await apply();
  expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining("voiceplane preview: 2 requests") as string });
  expect(first.stdout).toMatch(/crm: rotates its signing secret \(.*Pulumi\.yaml:\d+\)/);
  const secret = String(stack.inClear().find(({ id }) => id === ids.crm)?.outputs?.secret);
  expect(secret).toMatch(/^[\w-]{20,}$/);

  stack.declare("native", program(90));
  stack.organization.control.setFaults([{ operation: "putRetentionPolicy", status: 500 }]);
  const failed = await apply();
  expect(failed).toMatchObject({ code: 1, stdout: expect.stringMatching(/PUT \S+ .*500/) as string });
  for (const { stdout, stderr } of [first, failed])
    for (const hidden of [token, secret]) expect(stdout + stderr).not.toContain(hidden);
});
