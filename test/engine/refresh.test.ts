import { ids } from "./support/organization";
import { project } from "./support/project";

const crm = (quarter: string) =>
  `new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { quarter: "${quarter}" } });`;

test("a refresh takes a webhook that is gone out of the state, and the next up says that there is none", async () => {
  const stack = await project({ program: crm("2026-Q3") });
  await stack.up();
  stack.organization.control.seed({ remove: [ids.crm] });
  stack.organization.requests();

  await stack.refresh();
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);
  expect(stack.state()).toEqual({});

  const output = await stack.up({ fails: true });
  expect(output).toContain(
    'POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret was refused: 404 NOT_FOUND "webhook not found"',
  );
  expect(output).toContain("There is no such object in the token's organization");
});

test("a token without the scope: the error names scope and request id, and the state is as before", async () => {
  const stack = await project({ program: crm("2026-Q3") });
  await stack.up();
  const before = stack.state().crm;
  stack.organization.requests();

  stack.program(crm("2026-Q4"));
  const output = await stack.up({ fails: true, env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_write" } });
  const [entry] = stack.organization.control.journal().slice(-1);
  expect(output).toContain('403 FORBIDDEN "credential scope required: webhooks:write"');
  expect(output).toContain(`request id ${entry?.requestId ?? "missing"}`);
  expect(output).toContain("The token needs the scope webhooks:write.");
  expect(output).not.toMatch(/^\s*at /m);
  expect(stack.state().crm?.outputs).toEqual(before?.outputs);
  expect(stack.organization.requests()).toEqual([
    "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret",
  ]);

  await stack.up();
  expect(stack.state().crm?.outputs).toMatchObject({ rotationCount: 2, triggers: { quarter: "2026-Q4" } });
});

test("a refresh with a token that may not list keeps the state and says why", async () => {
  const stack = await project({ program: crm("2026-Q3") });
  await stack.up();
  const before = stack.state();

  const output = await stack.refresh({ env: { VOICEPLANE_TOKEN: "vp_dev_without_webhooks_read" } });
  expect(output).toContain("the list of webhooks was refused");
  expect(output).toContain("the scope webhooks:read");
  expect(stack.state().crm?.outputs).toEqual(before.crm?.outputs);
});
