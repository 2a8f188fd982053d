/** The pipelines of a new project. They are copied from the examples, which are tested. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../manifest.js";
import type { Files } from "./write.js";

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

/** The pipeline's files for a service. */
export function pipelineFiles(service: Service): Files {
  if (service === "none") return {};
  const folder = join(packageFolder, "examples/pipelines", service);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yml"));
  const target = (path: string) => (service === "github" ? `.github/workflows/voiceplane-${path}` : path);
  return Object.fromEntries(files.sort().map((path) => [target(path), readFileSync(join(folder, path), "utf8")]));
}

/** What to set up before the pipeline runs. */
export const pipelineAdvice: Readonly<Record<Service, string>> = {
  github: `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. In the repository's settings, list the stacks in the variable VOICEPLANE_STACKS, such as ["dev"], and make
three environments for each stack:
  voiceplane-preview-dev  PULUMI_ACCESS_TOKEN                    for preview, rotation, up
  voiceplane-dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for rotation, up: give it reviewers
  voiceplane-nightly-dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nightly
Each also needs the variable VOICEPLANE_BASE_URL: the address in the stack's file could be changed by a pull request, and
the next job would send the token there. Limit the last two to the branch main: what any branch may use, the workflow of
any branch can read. Require the check "previewed". Nightly and rotation run by the clock: delete what you do not want.
`,
  gitlab: `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the jobs run \`npm ci\`, and read the stack's
configuration. .gitlab-ci.yml lists the stacks. In Settings > CI/CD > Variables, add for each stack, by environment:
  voiceplane-preview/dev  PULUMI_ACCESS_TOKEN
  voiceplane/dev          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-nightly/dev  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN: both protected
  voiceplane-note         VOICEPLANE_NOTE_TOKEN: a project access token, role Reporter, scope api
The first three also need VOICEPLANE_BASE_URL: the address in the stack's file could be changed by a merge request, and
the next job would send the token there. Schedules with VOICEPLANE_RUN=nightly and VOICEPLANE_RUN=rotation run the rest.
`,
  none: `Then commit everything, package-lock.json and Pulumi.dev.yaml too.
`,
};

/** Where to move the pipeline's files if the project is not at the root of its repository. */
export function placeAdvice(service: Service, folder: string): string {
  switch (service) {
    case "github":
      return `GitHub reads workflows at the root of a repository: move .github there, and set the repository's variable
VOICEPLANE_DIRECTORY to ${folder}.\n`;
    case "gitlab":
      return `GitLab reads .gitlab-ci.yml at the root of a repository: move it and .gitlab there, and add to the inputs of each
stack: directory: ${folder}\n`;
    case "none":
      return "";
  }
}
