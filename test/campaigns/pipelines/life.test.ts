/** The scripts of examples/pipelines with the real engine, one after the other as both services start them. */
import { symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { installedPackage } from "../../support/engine/installation";
import { organization } from "../../support/engine/organization";
import { nowIn, workspace } from "../../support/engine/workspace";
import { bash, githubStep, gitlabJob, type Script } from "../../support/pipelines";

const crm = "c0000000-0000-4000-8000-000000000001";
const rotated = `POST /v1/webhooks/${crm}/rotate-secret`;
const put = (days: number) => `PUT /v1/retention-policies/recordings {"retention_days":${days},"enabled":true}`;

const declared = (retention: string) => `onCreate: overwrite
retention:
  recordings: { ${retention}, reassertAfter: 7d }
webhooks:
  crm: { id: ${crm}, onCreate: rotate, rotateAfter: 90d }
`;

type Values = Record<string, string>;

/** What each service runs, for what it was started. GitLab's jobs begin with the installation, and end with the newest commit. */
const services = {
  GitHub: {
    preview: (TASK: string) => githubStep("Preview", { TASK }),
    apply: githubStep("Apply", { TASK: "apply" }),
    night: [githubStep("Preview", { TASK: "nightly" }), githubStep("Apply", { TASK: "nightly" })],
  },
  GitLab: {
    preview: (task: string) => gitlabJob("preview", { STOP: task === "preview" ? "" : "changes" }),
    apply: gitlabJob("apply"),
    night: [gitlabJob("nightly")],
  },
};

test.each(Object.entries(services))(
  "%s sends what was approved, and nothing else",
  async (_service, { preview, apply, night }) => {
    const stack = await workspace();
    const elsewhere = await organization();
    symlinkSync(dirname(installedPackage()), join(stack.folder, "node_modules"));
    stack.write("Pulumi.yaml", "name: acme-voice\nruntime: { name: nodejs, options: { typescript: false } }\n");
    stack.write("index.js", 'module.exports = require("pulumi-voiceplane/stack");\n');
    // The project's file names another address: the pipeline's own is what counts.
    stack.write(
      "Pulumi.dev.yaml",
      `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${elsewhere.url}\n`,
    );
    stack.write("organization.yaml", declared("days: 90"));
    await stack.must(`git init --quiet --initial-branch main; git remote add origin "$PWD"; git add *.yaml
    git -c user.name=ada -c user.email=ada@example.com commit --quiet --message first`);
    await stack.must("pulumi stack init dev --non-interactive");
    const CI_COMMIT_SHA = (await stack.must("git rev-parse HEAD")).trim();

    const run = async (script: Script, at: string, env: Values = {}) => {
      const service = { CI_COMMIT_SHA, CI_COMMIT_BRANCH: "main", CI_PROJECT_DIR: stack.folder, PULUMI_STACK: "dev" };
      const files = {
        GITHUB_OUTPUT: join(stack.folder, ".output"),
        GITHUB_STEP_SUMMARY: join(stack.folder, ".summary"),
      };
      const own = { ...script.env, ...stack.env, ...service, ...files, VOICEPLANE_BASE_URL: stack.organization.url };
      return bash(stack.folder, { text: script.text, env: { ...own, ...env, ...nowIn(stack, at) } });
    };
    const send = { VOICEPLANE_TOKEN: "vp_dev_full" };
    const outputs: string[] = [];
    const expectEnd = async (script: Script, code: number, at: string, env: Values = {}) => {
      const ended = await run(script, at, env);
      outputs.push(ended.output);
      expect(ended).toMatchObject({ code });
      return ended.output;
    };

    await expectEnd(preview("preview"), 0, "2026-08-22T11:00:00Z");
    expect(stack.read("report.md")).toContain("rotates its signing secret");
    await expectEnd(preview("apply"), 0, "2026-08-22T12:00:00Z");
    expect(stack.organization.requests()).toEqual([]);
    await expectEnd(apply, 0, "2026-08-22T12:01:00Z", send);
    expect(stack.organization.requests().sort()).toEqual([rotated, put(90)]);

    // A rotation became due while the run waited for its approval.
    stack.write("organization.yaml", declared("days: 365"));
    await expectEnd(preview("apply"), 0, "2026-11-19T12:00:00Z");
    expect(await expectEnd(apply, 2, "2026-11-21T12:00:00Z", send)).toContain("than what was approved");
    expect(stack.organization.requests()).toEqual([]);
    stack.write("organization.yaml", declared("days: 90"));

    // Nobody approves the night: it sends what is due, and nothing that was edited.
    for (const script of night) await expectEnd(script, 0, "2026-09-05T03:17:00Z", send);
    expect(stack.organization.requests()).toEqual([put(90), "GET /v1/webhooks/"]);
    stack.write("organization.yaml", declared("days: 3650"));
    // A step that fails ends the night.
    for (const script of night) if ((await run(script, "2026-09-20T03:17:00Z", send)).code !== 0) break;
    expect(stack.organization.requests().filter((line) => !line.startsWith("GET"))).toEqual([]);

    expect(elsewhere.requests()).toEqual([]);
    expect(outputs.join("\n") + stack.read("report.md")).not.toMatch(/vp_dev_\w+/);
  },
);
