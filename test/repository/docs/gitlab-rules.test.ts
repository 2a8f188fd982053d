/** Checks the jobs of examples/pipelines/gitlab. GitLab's own linter needs a GitLab server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { read } from "../../support/docs/documents";
import { gitlabFolder } from "../../support/pipelines/gitlab";
import { readGitlabFiles, readPipeline, type GitlabJob } from "../../support/pipelines/gitlab-runner";

const { stages, jobs } = readGitlabFiles(gitlabFolder);
const visible = Object.entries(jobs).filter(([name]) => !name.startsWith("."));
const mentions = (job: GitlabJob, what: RegExp) => what.test(JSON.stringify(job));
const runsEngine = (job: GitlabJob) => job.script.some((line) => line.includes("pulumi "));

/** The job keywords of GitLab that these files use. */
const keywords = [
  "image",
  "timeout",
  "variables",
  "before_script",
  "stage",
  "interruptible",
  "rules",
  "environment",
  "script",
  "artifacts",
  "needs",
  "resource_group",
];

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
    ["preview", "plan dev"],
    ["up", "up dev"],
    ["remind", "remind dev"],
    ["up", "nightly dev"],
  ]);
  expect(new Set(visible.map(([, { stage }]) => stage))).toEqual(new Set(stages));
});

test.each(visible)("%s has keywords that GitLab knows, an image, a time limit and rules", (_name, job) => {
  expect(Object.keys(job).filter((key) => !keywords.includes(key))).toEqual([]);
  expect(job.image?.name).toMatch(/^pulumi\/pulumi-nodejs-24:3\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
  expect(job.timeout).toBe("30m");
  expect(job.rules?.length).toBeGreaterThan(0);
  for (const need of job.needs ?? []) expect(Object.keys(jobs)).toContain(need);
});

test("a hidden job of a user's own is the image of every job, as docs/guides/review-changes-in-pull-requests.md says", () => {
  const guide = read("docs/guides/review-changes-in-pull-requests.md");
  const line = /`(\.acme: .*?)`,\n {2}and pass `(image: acme)`/.exec(guide) ?? [];
  const own = `${read("examples/pipelines/gitlab/.gitlab-ci.yml")}      ${line[2] ?? ""}\n${line[1] ?? ""}\n`;
  const pipeline = readPipeline(own, (path) => readFileSync(join(gitlabFolder, path), "utf8"));
  const images = visible.map(([name]) => pipeline.jobs[name]?.image);
  expect(new Set(images.map((image) => JSON.stringify(image)))).toEqual(
    new Set(['{"name":"registry.example.com/acme:1.0.0","entrypoint":[""]}']),
  );
});

test.each(visible)(
  "%s has a token of the organization only where something is sent, and never in the file",
  (name, job) => {
    const sends = ["up dev", "nightly dev"].includes(name);
    expect(job.script.some((line) => line.includes("pulumi up"))).toBe(sends);
    const environments: Record<string, string | undefined> = {
      "preview dev": "voiceplane-preview/dev",
      "plan dev": "voiceplane-preview/dev",
      "up dev": "voiceplane/dev",
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
      'cd "$PROJECT_FOLDER"',
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
    const isRequest = rules.map((rule) => rule.if.includes("merge_request_event"));
    expect([name, new Set(isRequest)]).toEqual([name, new Set([["preview dev", "note dev"].includes(name)])]);
  }
  expect(jobs["up dev"]?.rules?.map(({ when }) => when)).toEqual(["manual", "manual"]);
  expect(jobs["up dev"]?.environment).toEqual({ name: "voiceplane/dev" });
});

test("two updates of a stack never run at once", () => {
  const groups = visible.map(([name, { resource_group: group }]) => [name, group]).filter(([, group]) => group);
  expect(groups).toEqual([
    ["up dev", "voiceplane-dev"],
    ["nightly dev", "voiceplane-dev"],
  ]);
});

test("hides outputs, keeps artifacts private, and runs this package's program without npx and without variables", () => {
  const access = visible.flatMap(([, { artifacts }]) => (artifacts ? [artifacts.access] : []));
  expect(new Set(access)).toEqual(new Set(["developer"]));
  const lines = visible.flatMap(([, { script }]) => script.join("\n").split("\n"));
  const [engine, report] = [/(^ *|\()pulumi /, /report --/].map((what) => lines.filter((line) => what.test(line)));
  expect([engine, report]).not.toContainEqual([]);
  for (const line of engine ?? []) expect(line).toContain("--suppress-outputs --non-interactive");
  for (const line of report ?? []) expect(line).toContain('env -i "PATH=$PATH" node "$CLI" report ');
  expect(lines.join("\n")).not.toContain("npx ");
});
