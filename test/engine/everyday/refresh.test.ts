import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const crm = (quarter: string) =>
  `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { quarter: "${quarter}" } });`;
const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";

test("a token without the scope to rotate or to list does not change the state, and neither does a webhook that no longer exists", async () => {
  const stack = await project({ program: crm("2026-Q3") });
  await stack.up();
  const before = stack.state().crm;
  stack.organization.forgetRequests();

  // Without the scope to rotate, the error names the scope and the request id.
  stack.program(crm("2026-Q4"));
  const refused = await stack.up({ fails: true, env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_write" } });
  const [entry] = stack.organization.control.journal().slice(-1);
  expect(refused).toContain('403 FORBIDDEN "credential scope required: webhooks:write"');
  expect(refused).toContain(`request id ${entry?.requestId ?? "missing"}`);
  expect(refused).toContain("The token needs the scope webhooks:write.");
  expect(refused).not.toMatch(/^\s*at /m);
  expect(stack.state().crm?.outputs).toEqual(before?.outputs);
  expect(stack.organization.requests()).toEqual([rotation]);

  // Without the scope to list, a refresh keeps the state and says why, so an up --refresh does not create the webhook
  // again.
  const unlisted = await stack.up({
    flags: ["--refresh"],
    env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" },
  });
  expect(unlisted).toContain("the list of webhooks was refused");
  expect(unlisted).toContain("the scope webhooks:read");
  expect(stack.state().crm?.outputs).toEqual({
    ...before?.outputs,
    previousSecret: "[secret]",
    rotatedAt: stack.state().crm?.outputs?.rotatedAt,
    requestId: stack.state().crm?.outputs?.requestId,
    rotationCount: 2,
    triggers: { quarter: "2026-Q4" },
  });

  stack.organization.control.seed({ remove: [ids.crm] });
  stack.organization.forgetRequests();
  const kept = stack.state().crm?.outputs;
  const refreshed = await stack.refresh();
  expect(refreshed).toContain(
    `warning: voiceplane: WebhookSecret "${ids.crm}" of ${stack.organization.url}: is not in the server's list of webhooks. ` +
      "The state is kept, as it may have the only copy of the secret. If the webhook is gone, remove it from the program, or " +
      "from the state with `pulumi state delete URN`.",
  );
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.state().crm?.outputs).toEqual(kept);

  // A rotation reports that the webhook does not exist.
  stack.program(crm("2027-Q1"));
  const gone = await stack.up({ fails: true });
  expect(gone).toContain(`${rotation} was refused: 404 NOT_FOUND "webhook not found"`);
  expect(gone).toContain("There is no such object in the token's organization");
});
