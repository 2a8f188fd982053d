/** What the server of these tests does, seen by the real CLI. Its texts are those of Pulumi Cloud. */
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound } from "../../support/faults/aftermath";
import { upDuring } from "../../support/faults/deaths";

// In JavaScript, because the engine's own host for YAML outlives a killed engine.
const crm = (round: string): string =>
  `new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { round: "${round}" } });`;

const conflict = "error: [409] Conflict: Another update is currently in progress.";

testOnHttp(
  "an entry whose answer is lost is sent again and counts once, and a dead update keeps its steps, and the stack until its lease ends",
  async () => {
    const backend = await httpBackend();
    const stack = await project({ backend });
    stack.native(crm("0"));
    await backend.control.setFaults({ operation: "patchJournalEntries", effect: "reset", commit: true, count: 2 });
    await stack.up();
    expect(await backend.control.faults()).toEqual([]);
    expectCurrentSecret(stack, "crm");
    await expectSound(stack);

    stack.native(crm("1"));
    const killed = await upDuring(stack);
    killed.signal("SIGKILL");
    await killed.finished;
    await expectSound(stack, { locks: 1, pending: 1 });
    const { activeUpdate } = stack.onServer().stack;
    await backend.control.advance(240);
    expect(await stack.up({ fails: true })).toContain(conflict);
    await backend.control.advance(60);
    expect(stack.onServer().stack).toMatchObject({ version: 1, activeUpdate });
    expect(await stack.up()).toContain("crm, interrupted while updating");
    expect(stack.onServer().updates.slice(-1)).toMatchObject([{ status: "succeeded", version: 3 }]);
    expectCurrentSecret(stack, "crm");
    await expectSound(stack);
  },
);
