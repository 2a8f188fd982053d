/** The Automation API: one process that runs inline programs repeatedly, for several stacks. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

/** Runs operations one after the other in one process and prints a line for each. TEST_STEPS has [stack, verb, config]. */
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
    if (config) await stack.setAllConfig(config);
    const { changeSummary, summary } = await stack[verb]();
    console.log(stackName, verb, JSON.stringify(changeSummary ?? summary.resourceChanges));
  }
})();
`;

const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

// Environment variables would override the configuration of the stacks.
const env = { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined };

test("one process runs an inline program repeatedly, for several stacks, each with its own settings", async () => {
  const stack = await project({ env });
  const other = await organization();
  const settings = (url: string) => ({
    "voiceplane:organization": { value: "acme" },
    "voiceplane:baseUrl": { value: url },
    "voiceplane:token": { value: "vp_dev_full", secret: true },
  });
  const steps = [
    ["dev", "preview", settings(stack.organization.url)],
    ["dev", "up"],
    ["dev", "up"],
    ["other", "up", settings(other.url)],
  ];
  stack.write("driver.cjs", driver);
  // The Automation API makes a folder for each stack, and leaves it.
  const environment = { ...stack.environment, TEST_STEPS: JSON.stringify(steps), TMPDIR: stack.folder };
  const run = { cwd: stack.folder, env: environment };
  const { stdout } = await promisify(execFile)(process.execPath, ["driver.cjs"], run);
  expect(stdout.trim().split("\n")).toEqual([
    'dev preview {"create":2}',
    'dev up {"create":2}',
    'dev up {"same":2}',
    'other up {"create":2}',
  ]);
  expect([stack.organization.requests(), other.requests()]).toEqual([[put], [put]]);
});
