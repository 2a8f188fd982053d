/** The engine and the provider are killed during a rotation. What the state server keeps, and what the next update does. */
import { createHash } from "node:crypto";
import { httpBackend, testProcessesOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { killAll, providers, upDuring } from "../../support/faults/deaths";

const program = (round: string) => `
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });`;

const doors: Readonly<Record<string, (stack: Project, round: string) => void>> = {
  "dynamic provider": (stack, round) => {
    stack.dynamic(program(round));
  },
  plugin: (stack, round) => {
    stack.native(program(round));
  },
};

/** How often the server has rotated the secret, the rotations that the state counts, and whether its secret is the server's. */
function rotations(stack: Project): [done: number | undefined, counted: unknown, current: boolean] {
  const crm = stack.inClear().find(({ urn }) => urn.endsWith("::crm"))?.outputs;
  const webhook = stack.organization.control.state().webhooks.find(({ id }) => id === ids.crm);
  const digest = createHash("sha256").update(String(crm?.secret)).digest("hex");
  return [rotationsOf(stack)[ids.crm], crm?.rotationCount, digest === webhook?.signing_secret_sha256];
}

for (const [name, write] of Object.entries(doors)) {
  testProcessesOnHttp(
    `a rotation that the ${name} or its engine does not survive is not in the state, and is made once more`,
    async () => {
      const backend = await httpBackend();
      const stack = await project({ backend });
      write(stack, "0");
      await stack.up();
      expect(rotations(stack)).toEqual([1, 1, true]);

      write(stack, "1");
      const withoutEngine = await upDuring(stack);
      withoutEngine.signal("SIGKILL");
      await withoutEngine.finished;
      await expectSound(stack, { locks: 1, pending: 1 });
      expect(rotations(stack)).toEqual([2, 1, false]);
      expect(stack.onServer().stack.version).toBe(1);
      await backend.control.expireLease("tester/test/dev");
      expect(await stack.up()).toContain("crm, interrupted while updating");
      expect(rotations(stack)).toEqual([3, 2, true]);

      write(stack, "2");
      const withoutProvider = await upDuring(stack);
      await killAll(stack, providers);
      expect((await withoutProvider.finished).code).not.toBe(0);
      // The engine has told the server that the step failed.
      await expectSound(stack);
      expect(rotations(stack)).toEqual([4, 2, false]);
      await stack.up();
      expect(rotations(stack)).toEqual([5, 3, true]);

      stack.organization.forgetRequests();
      await stack.up({ flags: ["--expect-no-changes"] });
      expect(stack.organization.requests()).toEqual([]);
      expectCurrentSecret(stack, "crm");
      await expectSound(stack);
    },
  );
}
