/** What a killed engine leaves, with the real one. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { yamlProject, type Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";
import { testOnLinux } from "../../support/machine";

/** The processes with this text in their environment. */
const processesWith = (text: string): string[] =>
  readdirSync("/proc").flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "utf8").includes(text)
        ? [`${readFileSync(`/proc/${pid}/comm`, "utf8").trim()} ${pid}`]
        : [];
    } catch {
      return [];
    }
  });

/** An apply whose server keeps it waiting, and the process id of its `pulumi`. */
async function waiting() {
  const stack = await yamlProject({
    resources: {
      recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: 90 } },
    },
  });
  const { control } = stack.organization;
  control.setFaults([{ operation: "putRetentionPolicy", latencyMs: 15_000, count: 1 }]);
  const applying = voiceplane(stack, ["apply", "--stack", "dev"]);
  await stack.until(() => control.faults().length === 0);
  const own = processesWith(stack.folder);
  expect(own).toContainEqual(expect.stringMatching(/^pulumi-language \d+$/));
  const idOf = (name: RegExp) => own.map((each) => name.exec(each)?.[1]).find((id) => id !== undefined) ?? "";
  const killed = (...ids: string[]) => execFileSync("kill", ["-KILL", ...ids]);
  return { stack, applying, apply: idOf(/^MainThread (\d+)$/), pulumi: idOf(/^pulumi (\d+)$/), killed };
}

const hostsOf = (stack: Project) => processesWith(stack.folder).filter((each) => each.startsWith("pulumi-language "));

testOnLinux("an apply whose pulumi is killed leaves no process of its run", async () => {
  const { stack, applying, pulumi, killed } = await waiting();
  killed(pulumi);
  expect((await applying).code).toBe(1);
  expect(hostsOf(stack)).toEqual([]);
  await stack.until(() => processesWith(stack.folder).length === 0);
});

testOnLinux("what is left of an apply that is killed with its pulumi ends with the next apply", async () => {
  const { stack, applying, apply, pulumi, killed } = await waiting();
  killed(apply, pulumi);
  await applying;
  expect(hostsOf(stack)).toHaveLength(1);
  await stack.until(() => processesWith(stack.folder).length === 1);
  const { stdout } = await voiceplane(stack, ["apply", "--stack", "dev", "--format", "json"]);
  expect(JSON.parse(stdout)).toMatchObject({ outcome: "applied", requests: 1 });
  expect(processesWith(stack.folder)).toEqual([]);
});
