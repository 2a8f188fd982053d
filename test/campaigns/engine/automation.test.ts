/** The Automation API: one process that runs inline programs repeatedly, for several stacks. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { project, type Project } from "../../support/engine/project";

/**
 * Runs operations one after the other in one process and prints a line for each. TEST_STEPS holds [stack, verb,
 * config].
 */
const driver = `
const { LocalWorkspace } = require("@pulumi/pulumi/automation");
const { RetentionPolicy } = require("pulumi-voiceplane");
const program = async () => {
  new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 90 });
};
const stacks = {};
(async () => {
  for (const [stackName, verb, config] of JSON.parse(process.env.TEST_STEPS)) {
    const stack = (stacks[stackName] ??= await LocalWorkspace.createOrSelectStack({ stackName, projectName: "inline", program }));
    const settings = Object.entries(config).map(([key, value]) => ["voiceplane:" + key, value]);
    if (settings.length > 0) await stack.setAllConfig(Object.fromEntries(settings));
    try {
      const { changeSummary, summary } = await stack[verb]();
      console.log(stackName, verb, JSON.stringify(changeSummary ?? summary.resourceChanges));
    } catch (error) {
      console.log(stackName, verb, "failed:", error.message);
    }
  }
})();
`;

type Step = readonly [stack: string, verb: "preview" | "up", config: object];

async function drive(stack: Project, steps: readonly Step[]): Promise<string[]> {
  stack.write("driver.cjs", driver);
  // The Automation API makes a folder for each stack, and leaves it.
  const env = { ...stack.environment, TEST_STEPS: JSON.stringify(steps), TMPDIR: stack.folder };
  const { stdout } = await promisify(execFile)(process.execPath, ["driver.cjs"], { cwd: stack.folder, env });
  return stdout.trim().split("\n");
}

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

// Environment variables would override the configuration of the stacks.
const env = { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined };

test("one process runs an inline program repeatedly, for several stacks, each with its own settings, and a token in plain text is refused there too", async () => {
  const stack = await project({ env });
  const token = { value: "vp_dev_full", secret: true };
  const settings = { baseUrl: { value: stack.organization.url }, token };
  const plain = { ...settings, token: { value: "not-even-a-token" } };
  const lines = await drive(stack, [
    ["unset", "preview", { token }],
    ["plain", "preview", plain],
    ["dev", "preview", settings],
    ["dev", "up", {}],
    ["dev", "up", {}],
    ["other", "up", settings],
  ]);
  const failures = lines
    .slice(0, -4)
    .join("\n")
    .split(/^plain preview/m);
  expect(failures).toHaveLength(2);
  expect(failures[0]).toContain("no base URL: run `pulumi config set voiceplane:baseUrl https://…`");
  expect(failures[1]).toContain("the token is in plain text in the stack's configuration");
  expect(lines.slice(-4)).toEqual([
    'dev preview {"create":2}',
    'dev up {"create":2}',
    'dev up {"same":2}',
    'other up {"create":2}',
  ]);
  expect(stack.organization.requests()).toEqual([put, put]);
});
