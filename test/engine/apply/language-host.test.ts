/** What a killed engine leaves, with the real one. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { yamlProject } from "../../support/engine/project";
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

testOnLinux("an apply whose pulumi is killed leaves no process of its run", async () => {
  const stack = await yamlProject({
    resources: {
      recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: 90 } },
    },
  });
  const { control } = stack.organization;
  control.setFaults([{ operation: "putRetentionPolicy", effect: "latency", latencyMs: 15_000, count: 1 }]);
  const applying = voiceplane(stack, ["apply", "--stack", "dev"]);
  await stack.until(() => control.faults().length === 0);
  const own = processesWith(stack.folder);
  expect(own).toContainEqual(expect.stringMatching(/^pulumi-language \d+$/));
  const [, pid = ""] = own.map((each) => /^pulumi (\d+)$/.exec(each)).find((found) => found) ?? [];
  execFileSync("kill", ["-KILL", pid]);
  expect((await applying).code).toBe(1);
  expect(processesWith(stack.folder).filter((each) => each.startsWith("pulumi-language "))).toEqual([]);
  await stack.until(() => processesWith(stack.folder).length === 0);
});
