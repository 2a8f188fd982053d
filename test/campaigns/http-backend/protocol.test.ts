/** What the server of these tests does, seen by the real CLI. Its texts are those of Pulumi Cloud. */
import { httpBackend, testOnHttp, type HttpBackend } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { upDuring } from "../../support/faults/deaths";

// In JavaScript, because the engine's own host for YAML outlives a killed engine.
const crm = (round: string): string =>
  `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });`;

async function onHttp(): Promise<{ readonly backend: HttpBackend; readonly stack: Project }> {
  const backend = await httpBackend();
  const stack = await project({ backend });
  stack.native(crm("0"));
  return { backend, stack };
}

const dev = "tester/test/dev";
const conflict = "error: [409] Conflict: Another update is currently in progress.";

testOnHttp(
  "one update holds a stack, until it is cancelled: its later steps are refused, and are not in the state",
  async () => {
    const { stack } = await onHttp();
    await stack.up();
    stack.native(crm("1"));
    const held = await upDuring(stack);
    const { version, activeUpdate, currentOperation } = stack.onServer().stack;
    expect([version, currentOperation]).toMatchObject([1, { kind: "update", author: "tester" }]);

    expect(await stack.up({ fails: true })).toContain(conflict);
    expect(await stack.destroy({ fails: true })).toContain(conflict);
    // A preview needs no lease.
    expect(await stack.preview()).toContain('~ round: "0" => "1"');
    expect(stack.onServer().stack).toMatchObject({ version: 1, activeUpdate });

    await stack.run(["cancel", "--yes", "--stack", "dev"]);
    expect(stack.onServer().stack).toEqual(expect.not.objectContaining({ currentOperation }));
    expect(await stack.run(["cancel", "--yes", "--stack", "dev"], { fails: true })).toContain(
      "error: [409] Conflict: The Update has already completed",
    );
    held.signal("SIGINT");
    const { stdout, stderr, code } = await held.finished;
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("[403] The provided update token has expired.");
    expect(stack.state().crm?.outputs).toMatchObject({ rotationCount: 1 });
    expect(rotationsOf(stack)).toEqual({ [ids.crm]: 2 });
  },
);

testOnHttp("a dead update keeps the version and its steps, and holds the stack until its lease ends", async () => {
  const { backend, stack } = await onHttp();
  await stack.up();
  stack.native(crm("1"));
  const killed = await upDuring(stack);
  killed.signal("SIGKILL");
  await killed.finished;
  await expectSound(stack, { locks: 1, pending: 1 });
  const { activeUpdate } = stack.onServer().stack;
  expect(await stack.up({ fails: true })).toContain(conflict);

  await backend.control.advance(240);
  expect(await stack.up({ fails: true })).toContain(conflict);
  await backend.control.advance(60);
  expect(stack.onServer().stack).toMatchObject({ version: 1, activeUpdate });
  expect(await stack.up()).toContain("crm, interrupted while updating");
  expect(stack.onServer().updates.slice(-1)).toMatchObject([{ status: "succeeded", version: 3 }]);
  expectCurrentSecret(stack, "crm");
  await expectSound(stack);
});

testOnHttp(
  "an entry whose answer is lost is sent again and counts once, and a longer outage fails the update",
  async () => {
    const { backend, stack } = await onHttp();
    await backend.control.setFaults({ operation: "patchJournalEntries", effect: "reset", commit: true, count: 2 });
    await stack.up();
    expect(await backend.control.faults()).toEqual([]);
    expectCurrentSecret(stack, "crm");
    await expectSound(stack);

    stack.native(crm("1"));
    const up = await upDuring(stack);
    await backend.control.setFaults({ operation: "*", effect: "status", status: 503 });
    stack.organization.control.setFaults([]);
    up.signal("SIGINT");
    const { stdout, stderr, code } = await up.finished;
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain("[503] Service Unavailable");
    await backend.control.setFaults();
    await backend.control.expireLease(dev);
    await stack.up();
    expectCurrentSecret(stack, "crm");
  },
);
