/** `voiceplane preview --out` and `voiceplane apply` with the real engine, on the package as packed. */
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { ended } from "../../support/processes";

async function voiceplane(stack: Project, ...args: readonly string[]) {
  const cli = join(installedPackage(), "dist/cli/index.js");
  const run = await ended(
    spawn(process.execPath, [cli, ...args], {
      cwd: stack.folder,
      env: { ...stack.environment, VOICEPLANE_STATE_DIR: join(stack.folder, ".memory"), GITHUB_SHA: "" },
      stdio: ["ignore", "pipe", "pipe"],
    }),
  );
  expect(run.stdout + run.stderr).not.toContain("vp_dev_");
  return run;
}

const file = (round: string, days: number) =>
  `onCreate: overwrite\nretention:\n  recordings: { days: ${days} }\nwebhooks:\n  crm: { id: ${ids.crm}, onCreate: rotate, triggers: { round: "${round}" } }\n`;

test("apply does what the plan has, and reports it; anything else stops it before it sends", async () => {
  const stack = await project({
    files: {
      "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n',
      "organization.yaml": file("1", 90),
    },
  });
  const previewed = await voiceplane(stack, "preview", "--out", "plan.json", "--format", "summary");
  expect(previewed).toMatchObject({ code: 0, stdout: expect.stringContaining("preview: 2 requests") as string });
  const plan = join(stack.folder, "plan.json");
  expect(statSync(plan).mode & 0o777).toBe(0o600);
  expect(readFileSync(plan, "utf8")).not.toContain("vp_dev_");

  const refused = await voiceplane(stack, "apply");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("without a terminal, pass --yes or --plan");

  stack.write("organization.yaml", file("1", 30));
  const stopped = await voiceplane(stack, "apply", "--plan", "plan.json");
  expect(stopped.code).toBe(2);
  expect(stopped.stderr).toContain("nothing was sent: the plan does not have: recordings: sets 30 days");
  expect(stack.organization.requests()).toEqual([]);

  stack.write("organization.yaml", file("1", 90));
  const first = await voiceplane(stack, "apply", "--plan", "plan.json", "--format", "json");
  expect(first.code).toBe(0);
  expect(JSON.parse(first.stdout)).toMatchObject({ kind: "update", complete: true, requestCount: 2, uncertain: [] });
  expect(stack.organization.requests()).toHaveLength(2);

  stack.organization.forgetRequests();
  stack.write("organization.yaml", file("2", 90));
  const second = await voiceplane(stack, "apply", "--yes", "--fail-on", "deletes-data");
  const line =
    "crm: rotates its signing secret (trigger round changed): the old secret stops working (organization.yaml:5)";
  expect(second).toMatchObject({
    code: 0,
    stdout: `voiceplane update: 1 request: rotates a secret\n\nRisks\n\n  ~  ${line}\n     rotates a secret\n`,
  });
  expect(stack.organization.requests()).toHaveLength(1);
});
