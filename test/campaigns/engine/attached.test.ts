/** The engine attaches to a plugin that runs already (PULUMI_DEBUG_PROVIDERS), as under a debugger: one process for many operations. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterTest } from "../../support/after-test";
import { installedPackage } from "../../support/engine/installation";
import { temporaryFolder } from "../../support/folders";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound } from "../../support/faults/aftermath";

/** A plugin without an engine, and the variable that makes the engine attach to it. It is no process of the project. */
async function startPlugin({ environment }: Project): Promise<{ PULUMI_DEBUG_PROVIDERS: string }> {
  const program = join(installedPackage(), "dist/pulumi-resource-voiceplane.js");
  const env = { ...environment, HOME: temporaryFolder() };
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "inherit"] });
  afterTest(() => child.kill("SIGKILL"));
  const [port] = (await once(child.stdout, "data")) as [Buffer];
  return { PULUMI_DEBUG_PROVIDERS: `voiceplane:${String(port).trim()}` };
}

const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;
const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

test.each(["SIGINT", "SIGKILL"] as const)(
  "after an update that %s has ended, the attached plugin serves the next one, and sends nothing for the old one",
  async (signal) => {
    // In JavaScript, because the engine's own host for YAML outlives a killed engine.
    const stack = await project();
    stack.native(`
      const crm = new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" });
      new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 30 }, { dependsOn: crm });`);
    const env = await startPlugin(stack);
    stack.organization.control.setFaults([
      { operation: "putRetentionPolicy", connection: "hang", commit: true, count: 1 },
    ]);
    const up = stack.startUp({ env });
    await stack.until(() => stack.organization.control.faults().length === 0);
    up.signal(signal);
    await up.finished;
    const isKilled = signal === "SIGKILL";
    await expectSound(stack, isKilled ? { locks: 1, pending: 1 } : {});
    expect(stack.organization.requests()).toEqual([rotation, put(30)]);
    if (isKilled) await stack.run(["cancel", "--yes", "--stack", "dev"]);
    await stack.up({ env });
    expect(stack.organization.requests()).toEqual([put(30)]);
    await stack.preview({ env, flags: ["--expect-no-changes"] });
    expect(stack.organization.requests()).toEqual([]);
    expectCurrentSecret(stack, "crm");
  },
);
