import { ids } from "./support/organization";
import { project } from "./support/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const lostAnswer = { operation: "rotateWebhookSecret", effect: "reset", commit: true, count: 1 } as const;

test("a rotation whose answer is lost is never repeated by itself; the next up, even after a refresh, rotates once more and says why", async () => {
  const program = (quarter: string) => `
    const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { quarter: "${quarter}" } });
    exports.secret = crm.secret;
    exports.previousSecret = crm.previousSecret;`;
  const stack = await project({ program: program("2026-Q3") });
  await stack.up();
  const first = await stack.reveal("secret");
  stack.organization.requests();

  stack.organization.control.setFaults([lostAnswer]);
  stack.program(program("2026-Q4"));
  expect(await stack.up({ fails: true })).toContain(
    "Whether the secret was rotated is unknown, so it was not tried again",
  );
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(stack.state().crm?.outputs?.rotationState).toBe("uncertain");

  await stack.refresh();
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/"]);

  const preview = await stack.preview();
  expect(preview).toContain("~ pulumi-nodejs:dynamic/voiceplane:WebhookSecret: (update)");
  expect(preview).toContain(
    "the answer to its last rotation was lost, so its secret is not known for sure. The next up rotates it once more.",
  );
  await stack.up();
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "rotated", rotationCount: 2 });
  expect(await stack.reveal("previousSecret")).toBe(first);
  expect(await stack.reveal("secret")).toMatch(/^[\w-]{43}$/);

  expect(await stack.up()).toContain("2 unchanged");
  expect(stack.organization.requests()).toEqual([]);
});

test("a first rotation whose answer is lost is kept as half-made, with the initial secret as what is known", async () => {
  const stack = await project({
    program: `
      const crm = new WebhookSecret("crm", {
        webhookId: "${ids.crm}", rotateOnCreate: true, initialSecret: "canary-of-the-initial-secret",
      });
      exports.secret = crm.secret;
      exports.previousSecret = crm.previousSecret;`,
  });
  stack.organization.control.setFaults([lostAnswer]);
  await stack.up({ fails: true });
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(stack.state().crm?.outputs).toMatchObject({ rotationState: "uncertain", rotationCount: 0 });

  await stack.refresh();
  stack.organization.requests();
  await stack.up();
  expect(stack.organization.requests()).toEqual([rotation]);
  expect(await stack.reveal("previousSecret")).toBe("canary-of-the-initial-secret");
  expect(stack.everything().includes("canary-of-the-initial-secret")).toBe(false);
});
