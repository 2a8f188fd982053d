/** Checks the jobs of examples/pipelines/gitlab. GitLab's own linter needs a GitLab server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { gitlabFolder } from "../../support/pipelines/gitlab";
import { readGitlabFiles, type GitlabJob } from "../../support/pipelines/gitlab-runner";

const { stages, jobs } = readGitlabFiles(gitlabFolder);
const visible = Object.entries(jobs).filter(([name]) => !name.startsWith("."));
const mentions = (job: GitlabJob, what: RegExp) => what.test(JSON.stringify(job));
const runsEngine = (job: GitlabJob) => job.script.some((line) => line.includes('"$CLI"'));

test("the files are YAML without a warning, a header and the jobs", () => {
  const documents = parseAllDocuments(readFileSync(join(gitlabFolder, ".gitlab/voiceplane.yml"), "utf8"));
  expect(documents).toHaveLength(2);
  for (const document of documents as { errors: unknown[]; warnings: unknown[] }[]) {
    expect([document.errors, document.warnings]).toEqual([[], []]);
  }
});

test("the files have exactly these jobs, in stages that exist", () => {
  expect(visible.map(([name, { stage }]) => [stage, name])).toEqual([
    ["preview", "preview dev"],
    ["note", "note dev"],
    ["apply", "apply dev"],
    ["remind", "remind dev"],
    ["apply", "nightly dev"],
  ]);
  expect(new Set(visible.map(([, { stage }]) => stage))).toEqual(new Set(stages));
});

test.each(visible)("%s has an image, a time limit and rules", (_name, job) => {
  expect(job.image?.name).toMatch(/^pulumi\/pulumi-nodejs-24:3\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
  expect(job.timeout).toBe("30m");
  expect(job.rules?.length).toBeGreaterThan(0);
});

test.each(visible)(
  "%s has a token of the organization only where something is sent, and never in the file",
  (name, job) => {
    const sends = ["apply dev", "nightly dev"].includes(name);
    expect(job.script.some((line) => line.includes('"$CLI" apply'))).toBe(sends);
    const environments: Record<string, string | undefined> = {
      "preview dev": "voiceplane-preview/dev",
      "apply dev": "voiceplane/dev",
      "nightly dev": "voiceplane-nightly/dev",
      "note dev": "voiceplane-note",
    };
    expect(job.environment?.name).toBe(environments[name]);
    const token = job.variables?.VOICEPLANE_TOKEN;
    expect(token).toBe(runsEngine(job) && !sends ? "previews-send-nothing" : undefined);
    expect(job.variables).not.toHaveProperty("VOICEPLANE_BASE_URL");
    expect(mentions(job, /PULUMI_ACCESS_TOKEN|PASSPHRASE/)).toBe(false);
  },
);

test.each(visible.filter(([, job]) => runsEngine(job)))(
  "%s checks the addresses before anything else",
  (_name, job) => {
    expect(job.before_script?.[0]).toMatch(
      /^if \[ -z "\$VOICEPLANE_BASE_URL" \] \|\| \[ -z "\$PULUMI_BACKEND_URL" \]; then\n/,
    );
    expect(job.before_script?.slice(1)).toEqual([
      expect.stringMatching(
        /Remove \$folder\/\.npmrc.*\nenv -i "PATH=\$PATH" .* npm ci --ignore-scripts\n$/s,
      ) as string,
      // Of the job alone: Node runs what is in it.
      'export NODE_COMPILE_CACHE="$(mktemp -d)"',
    ]);
  },
);

test("the job that may write notes checks out nothing and runs nothing of the repository", () => {
  const { script, before_script: before, variables } = jobs["note dev"] ?? { script: [] };
  expect([before, variables?.GIT_STRATEGY]).toEqual([[], "none"]);
  expect(script.join()).not.toMatch(/\b(npm|npx|pulumi|git)\b/);
  for (const [name, job] of visible) expect([name, mentions(job, /NOTE_TOKEN/)]).toEqual([name, name === "note dev"]);
});

test("a merge request runs no job that sends changes, and after the merge a person starts the update", () => {
  for (const [name, { rules = [] }] of visible) {
    const isRequest = rules.some((rule) => rule.if.includes("merge_request_event"));
    expect([name, isRequest]).toEqual([name, ["preview dev", "note dev"].includes(name)]);
  }
  expect(jobs["apply dev"]?.rules?.map(({ when }) => when)).toEqual(["manual", "manual"]);
  expect(jobs["apply dev"]?.environment).toEqual({ name: "voiceplane/dev" });
});

test("two updates of a stack never run at once, and artifacts are private", () => {
  const groups = visible.map(([name, { resource_group: group }]) => [name, group]).filter(([, group]) => group);
  expect(groups).toEqual([
    ["apply dev", "voiceplane-dev"],
    ["nightly dev", "voiceplane-dev"],
  ]);
  const access = visible.flatMap(([, { artifacts }]) => (artifacts ? [artifacts.access] : []));
  expect(access).toEqual(["developer"]);
});
