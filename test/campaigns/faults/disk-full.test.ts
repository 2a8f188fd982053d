/** A full disk when the engine saves its state, with the real engine. */
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { applied, resultOf, startApply } from "../../support/engine/apply";
import { ids } from "../../support/engine/organization";
import { project, yamlProject, type Project } from "../../support/engine/project";
import { testWith } from "../../support/engine/programs";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { show } from "../../support/faults/page";
import { temporaryFolder } from "../../support/folders";

const stateFile = ".state/.pulumi/stacks/test/dev.json";
const recordings = `new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });`;
/** The note makes the state larger after the rotation than before it. */
const withRotation = `${recordings}
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate", triggers: { note: "n".repeat(20_000) } });`;

/** Follows docs/operate/when-something-went-wrong.md: the newest backup replaces the state. */
function restoreBackup(stack: Project): void {
  const backups = join(stack.folder, ".state/.pulumi/backups/test/dev");
  const [newest = ""] = readdirSync(backups)
    .filter((name) => name.endsWith(".json"))
    .sort()
    .reverse();
  copyFileSync(join(backups, newest), join(stack.folder, stateFile));
}

async function expectUnreadable(stack: Project): Promise<string> {
  const output = await stack.run(["stack", "export", "--stack", "dev"], { fails: true });
  expect(output).toContain("failed to load checkpoint: place 1: unexpected end of JSON input");
  return output;
}

test("the newest backup repairs a truncated state, and the next up sends what is missing", async () => {
  const stack = await project({ program: recordings });
  await stack.up();
  const whole = stack.read(stateFile);
  stack.write(stateFile, whole.slice(0, whole.length / 2));
  await expectUnreadable(stack);

  restoreBackup(stack);
  await expectSound(stack);
  stack.program(withRotation);
  await stack.up();
  expect(rotationsOf(stack)[ids.crm]).toBe(1);
  expectCurrentSecret(stack, "crm");
});

const settingAndRotation = {
  resources: {
    recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: 90 } },
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "rotate" },
      options: { dependsOn: ["${recordings}"] },
    },
  },
};
const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';
const notAnnounced = "/rotate-secret was not sent: the request log /dev/full cannot be written (ENOSPC)";

test.each<[provider: string, make: (env: NodeJS.ProcessEnv) => Promise<Project>]>([
  ["native plugin", (env) => yamlProject(settingAndRotation, { env })],
  [
    "dynamic provider",
    (env) => {
      const program = `const recordings = ${recordings.replace(";", "")};
  new WebhookSecret("crm", { webhookId: "${ids.crm}", onCreate: "rotate" }, { dependsOn: recordings });`;
      return project({ program, env });
    },
  ],
])("where the request log has no room, a setting is sent and a rotation is refused: %s", async (_provider, make) => {
  const stack = await make({ VOICEPLANE_REQUEST_LOG: "/dev/full" });
  expect(await stack.up({ fails: true })).toContain(notAnnounced);
  expect(stack.organization.requests()).toEqual([put]);
  expect(rotationsOf(stack)[ids.crm] ?? 0).toBe(0);
  await expectSound(stack);
  await stack.up({ env: { VOICEPLANE_REQUEST_LOG: "" } });
  expect(rotationsOf(stack)[ids.crm]).toBe(1);
  expectCurrentSecret(stack, "crm");
});

/** Mounts a file system of 256 KiB over a folder, with a copy of its content. */
function mountSmallDisk(folder: string): void {
  const kept = temporaryFolder();
  cpSync(folder, kept, { recursive: true });
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], { stdio: "pipe" });
  cpSync(kept, folder, { recursive: true });
}

/** Why no disk can be mounted here; undefined if one can. */
function obstacle(): string | undefined {
  const folder = temporaryFolder();
  try {
    mountSmallDisk(folder);
    execFileSync("umount", [folder]);
    return undefined;
  } catch (error) {
    const message = String(error);
    if (/permission denied|not permitted|must be superuser|ENOENT/i.test(message)) return message;
    throw error;
  }
}

/** Leaves no free byte. Empty lines, which a journal may have. */
function fill(file: string): void {
  for (let size = 65_536; size >= 1; size /= 2) {
    try {
      for (;;) appendFileSync(file, "\n".repeat(size));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    }
  }
}

const disk = { missing: obstacle() };

testWith(disk, "while the disk of its journal is full, apply rotates nothing", async () => {
  const stack = await yamlProject(settingAndRotation);
  const mounted = join(stack.folder, ".voiceplane");
  mkdirSync(mounted);
  mountSmallDisk(mounted);
  try {
    const { control } = stack.organization;
    control.setFaults([{ operation: "putRetentionPolicy", latencyMs: 3_000, count: 1 }]);
    const run = startApply(stack);
    await stack.until(() => control.faults().length === 0);
    fill(join(mounted, "filler"));
    // The file has room left in its last block.
    const journals = join(mounted, "apply/dev.journal");
    for (const name of readdirSync(journals)) fill(join(journals, name));
    const failed = await resultOf(run);
    expect(failed).toMatchObject({ outcome: "failed", requests: 1, rotations: 0, rotatedAgain: [] });
    expect(failed.reason).toContain("cannot be written (ENOSPC)");
    expect(rotationsOf(stack)[ids.crm] ?? 0).toBe(0);

    rmSync(join(mounted, "filler"));
    // The line after the setting had no room either: it is sent once more.
    expect(await applied(stack)).toMatchObject({ outcome: "applied", requests: 2, rotations: 1, uncertain: 0 });
    expect(rotationsOf(stack)[ids.crm]).toBe(1);
    expectCurrentSecret(stack, "crm");
  } finally {
    execFileSync("umount", [mounted]);
  }
});

testWith(
  disk,
  "a full disk truncates the state, its backup repairs it, and the next up rotates once more",
  async () => {
    const stack = await project({ program: recordings });
    const mounted = join(stack.folder, ".state");
    mountSmallDisk(mounted);
    try {
      await stack.up();
      const { control } = stack.organization;
      control.setFaults([{ operation: "rotateWebhookSecret", latencyMs: 1_000, count: 1 }]);
      stack.program(withRotation);
      const up = stack.startUp();
      await stack.until(() => control.faults().length === 0);
      fill(join(mounted, "filler"));
      const { code, stdout, stderr } = await up.finished;
      expect(code).not.toBe(0);
      expect(stderr).toContain("no space left on device");
      show("disk-full", stack, stderr);
      expect(rotationsOf(stack)[ids.crm]).toBe(1);
      expect(stdout).toContain("creating failed");

      rmSync(join(mounted, "filler"));
      show("state-cut-off", stack, await expectUnreadable(stack));
      restoreBackup(stack);
      await expectSound(stack);
      await stack.up();
      expect(rotationsOf(stack)[ids.crm]).toBe(2);
      await expectSound(stack);
      expectCurrentSecret(stack, "crm");
    } finally {
      execFileSync("umount", [mounted]);
    }
  },
);
