/** With plain `pulumi up`, nothing that was sent is lost unsaid: whoever is killed, and whichever state is restored. */
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { OperationName } from "../../../src/contract/index";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, killEach, processesOf, rotationsOf } from "../../support/faults/aftermath";
import { endAfterTest, killAll, providers, upDuring } from "../../support/faults/deaths";

const doubt =
  "it is unknown whether its last rotation was carried out, so its secret is not known for sure: the update rotates it once more.";

const webhook = (quarter: string, more: object = {}) => ({
  resources: {
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate", triggers: { quarter }, ...more },
    },
  },
});

/** Sends, and its provider is killed before it has the answer. */
async function killProvider(stack: Project, operation: OperationName = "rotateWebhookSecret"): Promise<void> {
  const up = await upDuring(stack, [{ operation, connection: "hang", commit: true, count: 1 }]);
  await killAll(stack, providers);
  expect((await up.finished).code).not.toBe(0);
}

/** Sends, and then the machine fails. */
async function killEverything(stack: Project, flags: readonly string[] = []): Promise<void> {
  await upDuring(stack, undefined, { flags });
  killEach(processesOf(stack));
  await stack.until(() => processesOf(stack).length === 0);
  await stack.run(["cancel", "--yes", "--stack", "dev"]);
}

/** The same, during a replacement, which tells the provider nothing of the old row. */
const killReplacement = (stack: Project): Promise<void> =>
  killEverything(stack, ["--replace", stack.state().crm?.urn ?? ""]);

describe.each(["dynamic", "native"] as const)("with the %s provider", (provider) => {
  test("a rotation that a killed run may have carried out is repeated and said, whether its program is reverted or run again, and after a restored backup", async () => {
    const stack = endAfterTest(await project());
    const rotations = () => rotationsOf(stack)[ids.crm];
    const declare = (quarter: string) => {
      stack.declare(provider, webhook(quarter));
    };
    const repairs = async (quarter: string) => {
      declare(quarter);
      expect(await stack.preview()).toContain(doubt);
      const before = rotations() ?? 0;
      expect(await stack.up()).toContain(doubt);
      expect(rotations()).toBe(before + 1);
      expectCurrentSecret(stack, "crm");
      expect(await stack.up()).not.toContain(doubt);
      expect(rotations()).toBe(before + 1);
    };
    declare("1");
    await stack.up();
    // Its diff sees the row.
    await stack.up();

    for (const [die, next] of [
      [killReplacement, "1"],
      [killProvider, "1"],
      [killEverything, "1"],
      [killProvider, "2"],
      [killEverything, "3"],
    ] as const) {
      declare(next === "1" ? "other" : next);
      await die(stack);
      await repairs(next);
    }

    const [state, backup] = [".state", ".backup"].map((name) => join(stack.folder, name)) as [string, string];
    cpSync(state, backup, { recursive: true });
    declare("4");
    await stack.up();
    rmSync(state, { recursive: true });
    cpSync(backup, state, { recursive: true });
    await repairs("3");
  });

  test("a first rotation that a killed run may have carried out is said by the next one", async () => {
    const stack = endAfterTest(await project());
    stack.declare(provider, webhook("1"));
    await killProvider(stack);
    const said = `WebhookSecret "${ids.crm}" of ${stack.organization.url}: an earlier run may have carried out its first request`;
    expect(await stack.preview()).toContain(said);
    expect(await stack.up()).toContain(said);
    expectCurrentSecret(stack, "crm");
    expect(await stack.up()).toContain("2 unchanged");
  });

  // test/unit/resources/unsettled.test.ts has the other resources.
  test("what a killed run may have sent for a setting is followed by what the program declares", async () => {
    const stack = endAfterTest(await project());
    const declare = (retentionDays: number) => {
      const properties = { resource: "recordings", onCreate: "overwrite", retentionDays };
      stack.declare(provider, { resources: { it: { type: "voiceplane:RetentionPolicy", properties } } });
    };
    declare(400);
    await stack.up();
    declare(401);
    await killProvider(stack, "putRetentionPolicy");
    stack.organization.forgetRequests();
    declare(400);
    const [, diagnostics = ""] = (await stack.up()).split("Diagnostics:");
    expect(diagnostics.split("it is unknown whether its last request was carried out.")).toHaveLength(2);
    expect(stack.organization.requests()).toEqual([
      'PUT /v1/retention-policies/recordings {"retention_days":400,"enabled":true}',
    ]);
    expect(await stack.up()).toContain("2 unchanged");
    expect(stack.organization.requests()).toEqual([]);
  });

  test("a provider that dies at any step of writing a rotation down has not sent it, and the next up has the current secret", async () => {
    const stack = endAfterTest(await project());
    stack.declare(provider, webhook("0"));
    await stack.up();
    const rotations = () => rotationsOf(stack)[ids.crm] ?? 0;
    const preload = `--require "${join(__dirname, "../../support/faults/die-at-step.cjs")}"`;
    let deaths = 0;
    for (let step = 1; ; step++) {
      stack.declare(provider, webhook(`dies at ${step}`));
      const before = rotations();
      const env = { DEATH: String(step), NODE_OPTIONS: preload };
      const { code } = await stack.startUp({ env }).finished;
      // Past the last step: it lived.
      if (code === 0) break;
      deaths++;
      expect([step, rotations()]).toEqual([step, before]);
      stack.declare(provider, webhook("0"));
      await stack.up();
      expectCurrentSecret(stack, "crm");
    }
    expect(deaths).toBeGreaterThanOrEqual(3);
  });
});
