/** A full disk when the engine saves its state, with the real engine. */
import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { expectCurrentSecret, expectSound, rotationsOf } from "../../support/faults/aftermath";
import { allFaults } from "../../support/faults/extent";
import { show } from "../../support/faults/page";

const stateFile = ".state/.pulumi/stacks/test/dev.json";
const recordings = `new RetentionPolicy("recordings", { resource: "recordings", retentionDays: 90 });`;
/** The note makes the state larger after the rotation than before it. */
const withRotation = `${recordings}
  new WebhookSecret("crm", { webhookId: "${ids.crm}", triggers: { note: "n".repeat(20_000) } });`;

/** Follows docs/operations.md: the newest backup replaces the state. */
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

/** Mounts a file system of 256 KiB over a folder, with a copy of its content. */
function mountSmallDisk(folder: string): void {
  const kept = mkdtempSync(join(tmpdir(), "voiceplane-disk-"));
  try {
    cpSync(folder, kept, { recursive: true });
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", folder], { stdio: "pipe" });
    cpSync(kept, folder, { recursive: true });
  } finally {
    rmSync(kept, { recursive: true });
  }
}

/** The error of mount, if no disk can be mounted here. undefined if one can. */
function obstacle(): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), "voiceplane-disk-"));
  try {
    mountSmallDisk(folder);
    execFileSync("umount", [folder]);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Leaves no free byte. */
function fill(file: string): void {
  for (let size = 65_536; size >= 1; size /= 2) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(size));
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe("ENOSPC");
    }
  }
}

const why = allFaults ? obstacle() : undefined;
if (why !== undefined) {
  test(`a full disk cannot be tested here, because mount failed: ${why}`, () => {
    expect(why).toMatch(/permission denied|not permitted|must be superuser|ENOENT/i);
  });
} else if (allFaults) {
  test("a full disk truncates the state, its backup repairs it, and the next up rotates once more (only with VOICEPLANE_ALL_FAULTS=1)", async () => {
    const stack = await project({ program: recordings });
    const disk = join(stack.folder, ".state");
    mountSmallDisk(disk);
    try {
      await stack.up();
      const { control } = stack.organization;
      control.setFaults([{ operation: "rotateWebhookSecret", effect: "latency", latencyMs: 1_000, count: 1 }]);
      stack.program(withRotation);
      const up = stack.startUp();
      await stack.until(() => control.faults().length === 0);
      fill(join(disk, "filler"));
      const { code, stdout, stderr } = await up.finished;
      expect(code).not.toBe(0);
      expect(stderr).toContain("no space left on device");
      show("disk-full", stack, stderr);
      expect(rotationsOf(stack)[ids.crm]).toBe(1);
      expect(stdout).toContain("creating failed");

      rmSync(join(disk, "filler"));
      show("state-cut-off", stack, await expectUnreadable(stack));
      restoreBackup(stack);
      await expectSound(stack);
      await stack.up();
      expect(rotationsOf(stack)[ids.crm]).toBe(2);
      await expectSound(stack);
      expectCurrentSecret(stack, "crm");
    } finally {
      execFileSync("umount", [disk]);
    }
  });
}
