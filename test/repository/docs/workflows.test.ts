/**
 * Checks the workflows of examples/pipelines and of this repository: the rules that actionlint and zizmor, in test/campaigns/pipelines, do
 * not have.
 */
import { globSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { parse } from "yaml";
import { pipelineFiles } from "../../../src/cli/init/pipelines";
import { blocks, read } from "../../support/docs/documents";
import { readWorkflow, type Job } from "../../support/pipelines/runner";

const root = resolve(__dirname, "../../..");
const folder = join(root, "examples/pipelines/github");
const files = globSync("*.yml", { cwd: folder }).sort();
const [release, delivery, tests] = ["release", "delivery", "test"].map((name) =>
  relative(folder, join(root, `.github/workflows/${name}.yml`)),
) as [string, string, string];

const text = (file: string) => readFileSync(join(folder, file), "utf8");
/** Jobs with their own steps. The steps of a called workflow are in its own file. */
const jobsOf = (file: string): [string, Job & { steps: NonNullable<Job["steps"]> }][] =>
  Object.entries(readWorkflow(text(file)).jobs).flatMap(([name, job]) =>
    job.steps ? [[name, { ...job, steps: job.steps }]] : [],
  );
const own = "voiceplane.yml";
const applying = "voiceplane-apply.yml";
const pipeline = "voiceplane-pipeline.yml";
const stacks = "${{ fromJSON(inputs.stacks) }}";
const directory = "${{ inputs.directory }}";

const mentions = (value: unknown, what: RegExp) => what.test(JSON.stringify(value));

/** A rule about none would hold for anything. */
function some<T>(found: readonly T[]): readonly T[] {
  expect(found).not.toEqual([]);
  return found;
}

const runsEngine = ([, { steps }]: ReturnType<typeof jobsOf>[number]) => mentions(steps, /pulumi (preview|up)/);

test("the examples are exactly these workflows", () => {
  expect(files).toEqual([applying, pipeline, own]);
});

describe.each([applying, pipeline, release, delivery, tests])("%s", (file) => {
  test("pins every action to a commit, with its version in a comment", () => {
    const uses = [...text(file).matchAll(/uses: (.+)$/gm)].map((match) => match[1]);
    expect(uses.length).toBeGreaterThan(0);
    // A file of the same commit needs no other.
    for (const action of uses.filter((each) => each !== `./.github/workflows/${applying}`))
      expect(action).toMatch(/^[\w.-]+\/[\w.-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test("has no expressions in commands, where a title could inject code", () => {
    const commands = jobsOf(file).flatMap(([, { steps }]) => steps.flatMap(({ run }) => run ?? []));
    expect(commands.length).toBeGreaterThan(0);
    for (const command of commands) expect(command).not.toContain("${{");
  });

  test("leaves no credentials in the folder, and has a time limit", () => {
    for (const [name, { steps, ...job }] of jobsOf(file)) {
      for (const step of steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"))) {
        expect([name, step.with?.["persist-credentials"]]).toEqual([name, false]);
      }
      expect([name, job["timeout-minutes"]]).toEqual([name, expect.any(Number)]);
    }
  });
});

describe("the user's own file", () => {
  const { on, permissions, jobs } = readWorkflow(text(own));

  test("is short: when, for what, and which pipeline", () => {
    expect(text(own).trimEnd().split("\n").length).toBeLessThanOrEqual(25);
    expect(Object.keys(on)).toEqual(["pull_request", "push", "schedule", "workflow_dispatch"]);
    expect([permissions, Object.keys(jobs)]).toEqual([{}, ["voiceplane"]]);
    expect(jobs.voiceplane?.uses).toBe(`./.github/workflows/${pipeline}`);
    expect(jobs.voiceplane?.secrets).toBe("inherit");
  });

  test("passes each input of the pipeline, and its rotation is one of the schedules", () => {
    const { inputs } = readWorkflow(text(pipeline)).on.workflow_call as { inputs: object };
    expect(Object.keys(jobs.voiceplane?.with ?? {})).toEqual(Object.keys(inputs));
    const rotation = /github\.event\.schedule == '([^']*)'/.exec(jobs.voiceplane?.with?.rotation as string)?.[1];
    expect((on.schedule as { cron: string }[]).map(({ cron }) => cron)).toEqual(["17 3 * * *", rotation]);
  });

  test("grants what the pipeline's jobs ask for and no more: GitHub starts nothing that asks for more", () => {
    const asked = [pipeline, applying].flatMap((file) =>
      Object.values(readWorkflow(text(file)).jobs).map((job) => job.permissions ?? {}),
    );
    expect(jobs.voiceplane?.permissions).toEqual(Object.assign({}, ...asked));
  });
});

test("the pipeline applies each stack by the other file with read-only rights, and passes on its secrets", () => {
  expect(readWorkflow(text(pipeline)).jobs.apply).toEqual({
    if: "github.event_name == 'push' || (github.event_name != 'pull_request' && inputs.rotation)",
    strategy: { "fail-fast": false, matrix: { stack: stacks } },
    permissions: { contents: "read" },
    uses: `./.github/workflows/${applying}`,
    with: {
      stack: "${{ matrix.stack }}",
      directory,
      "only-if": "${{ github.event_name == 'push' && 'changes' || 'rotates-a-secret' }}",
    },
    secrets: "inherit",
  });
});

test.each([applying, pipeline])("%s has nothing of one repository, and runs only if it is called", (file) => {
  const { on } = readWorkflow(text(file));
  expect(Object.keys(on)).toEqual(["workflow_call"]);
  expect(text(file)).not.toMatch(/\bmain\b|\[?"dev"|vars\.VOICEPLANE_(?!BASE_URL)/);
});

describe.each([applying, pipeline])("%s", (file) => {
  test("notices failures within a pipe", () => {
    expect(readWorkflow(text(file)).defaults).toEqual({ run: { shell: "bash" } });
  });

  test("grants nothing to all jobs, and the minimum to each", () => {
    const writes: Record<string, object | undefined> = {
      comment: { "pull-requests": "write" },
      issue: { issues: "write" },
      previewed: undefined,
    };
    expect(readWorkflow(text(file)).permissions).toEqual({});
    for (const [name, { permissions }] of jobsOf(file)) {
      expect([name, permissions]).toEqual([name, name in writes ? writes[name] : { contents: "read" }]);
    }
  });

  test("runs nothing of the repository in a job whose token may write", () => {
    const writing = jobsOf(file).filter(([, { permissions }]) => mentions(permissions ?? {}, /write/));
    expect(writing.map(([name]) => name)).toEqual(file === pipeline ? ["comment", "issue"] : []);
    for (const [name, { steps, environment }] of writing) {
      expect([name, mentions(steps, /checkout|npm|npx|pulumi |secrets\.[A-Z]/), environment]).toEqual([
        name,
        false,
        undefined,
      ]);
    }
  });

  test("runs for each stack in the project's folder, and a failed stack does not stop the others", () => {
    for (const [name, { strategy, environment, steps, ...job }] of jobsOf(file)) {
      if (name === "previewed") continue;
      const matrix = { "fail-fast": false, matrix: { stack: stacks } };
      expect([name, strategy]).toEqual([name, file === applying ? undefined : matrix]);
      if (environment === undefined) continue;
      expect([name, job.defaults]).toEqual([name, { run: { "working-directory": directory } }]);
      expect(environment).toMatch(/^voiceplane-(preview-|nightly-)?\$\{\{ (matrix|inputs)\.stack \}\}$/);
      for (const { uses, with: inputs } of steps) {
        if (uses?.startsWith("actions/upload-artifact@")) expect(inputs?.path).toBe(`${directory}/report.md`);
      }
    }
    expect(text(file).includes("actions/upload-artifact@")).toBe(file === pipeline);
  });

  test("takes secrets only from environments, and has the organization's token only where something is sent", () => {
    for (const [name, job] of jobsOf(file)) {
      if (mentions(job, /secrets\.[A-Z]/)) expect([name, job.environment]).toEqual([name, expect.any(String)]);
      const sends = ["up", "nightly"].includes(name);
      expect([name, mentions(job, /secrets\.VOICEPLANE_TOKEN/)]).toEqual([name, sends]);
      const isPreview = job.environment?.startsWith("voiceplane-preview-") ?? false;
      expect([name, isPreview]).toEqual([name, name === "preview"]);
    }
  });

  test("pins both addresses wherever the engine runs, and checks them before anything else", () => {
    for (const [name, { env, steps }] of some(jobsOf(file).filter(runsEngine))) {
      expect([name, env?.VOICEPLANE_BASE_URL]).toEqual([name, "${{ vars.VOICEPLANE_BASE_URL }}"]);
      expect([name, env?.PULUMI_BACKEND_URL]).toEqual([name, "${{ vars.PULUMI_BACKEND_URL }}"]);
      expect([name, steps[0]?.name]).toEqual([name, "Are the addresses set?"]);
    }
  });

  test("never runs two updates of a stack at once, and never cancels a running update", () => {
    for (const [name, job] of some(jobsOf(file).filter(([, { steps }]) => mentions(steps, /pulumi up/)))) {
      expect([name, job.concurrency]).toEqual([
        name,
        {
          group: expect.stringMatching(/^voiceplane-up-\$\{\{ (matrix|inputs)\.stack \}\}$/) as string,
          "cancel-in-progress": false,
        },
      ]);
    }
  });

  test("installs without secrets, install scripts and settings of the repository", () => {
    for (const job of jobsOf(file)) {
      const [name, { steps }] = job;
      const installs = steps.filter(({ run }) => /\bnpm\b/.test(run ?? ""));
      expect([name, installs.length > 0]).toEqual([name, runsEngine(job)]);
      for (const { env, run } of installs) {
        expect(env).toEqual({ NPM_CONFIG_USERCONFIG: "${{ runner.temp }}/npmrc" });
        expect(run?.match(/^npm .*$/gm)).toEqual(["npm ci --ignore-scripts"]);
        expect(run).toContain("Remove $folder/.npmrc");
      }
    }
  });

  test("has secrets only in steps that run the engine", () => {
    for (const [name, { steps, ...job }] of jobsOf(file)) {
      expect([name, mentions(job, /secrets\.[A-Z]/)]).toEqual([name, false]);
      for (const step of steps.filter((each) => mentions(each, /secrets\.[A-Z]/))) {
        expect([name, Object.keys(step).sort().join(), step.run]).toEqual([
          name,
          expect.stringMatching(/^env,(id,)?(if,)?name,run$/),
          expect.stringMatching(/pulumi (preview|up|refresh) /),
        ]);
        // The report of an update runs beside it.
        for (const line of step.run?.split("\n") ?? [])
          if (line.includes('node "$CLI"')) expect(line).toContain("env -i");
      }
    }
    expect(
      jobsOf(file).flatMap(([, { steps }]) => steps.filter((step) => mentions(step, /secrets\.[A-Z]/))),
    ).not.toEqual([]);
  });

  test("names what runs and was changed, the same before and after an approval, from commits that the checkout has", () => {
    const isPipeline = file === pipeline;
    const since: Record<string, string> = { preview: isPipeline ? "HEAD^1" : '"$SINCE"', up: '"$SINCE"' };
    const depth: Record<string, number> = { preview: isPipeline ? 2 : 0, up: 0 };
    for (const [name, { steps }] of jobsOf(file)) {
      const lines = steps.flatMap(({ run = "" }) => run.match(/^.*\breport --fail-on none .*preview\.json.*$/gm) ?? []);
      expect([name, lines.length > 0]).toEqual([name, name in since || name === "nightly"]);
      for (const line of name in since ? lines : []) expect(line).toContain(` --since ${since[name] ?? ""} `);
      const checkouts = steps.filter(({ uses }) => uses?.startsWith("actions/checkout@"));
      const depths = checkouts.map(({ with: inputs }) => inputs?.["fetch-depth"]);
      expect([name, depths]).toEqual([name, checkouts.map(() => depth[name])]);
    }
    const sources = jobsOf(file).flatMap(([, { steps }]) => steps.flatMap(({ env }) => env?.SINCE ?? []));
    expect(sources).toEqual(
      file === applying ? ["${{ steps.since.outputs.since }}", "${{ needs.preview.outputs.since }}"] : [],
    );
  });

  test("keeps compiled code for its own job, and restores none of another", () => {
    expect(text(file)).not.toContain("actions/cache");
    for (const line of some(
      text(file)
        .split("\n")
        .filter((one) => one.includes("NODE_COMPILE_CACHE")),
    )) {
      expect(line.trim()).toBe('run: echo "NODE_COMPILE_CACHE=$RUNNER_TEMP/compile-cache" >> "$GITHUB_ENV"');
    }
  });

  test("shows no outputs, and runs this package's program without npx, which takes settings from the repository", () => {
    const lines = text(file).split("\n");
    for (const line of some(lines.filter((one) => /run: pulumi|^ +pulumi |\$\(pulumi /.test(one))))
      expect(line).toContain("--suppress-outputs --non-interactive");
    for (const line of some(lines.filter((one) => one.includes("report --fail-on none"))))
      expect(line).toContain('node "$CLI" report ');
    expect(text(file)).not.toContain("npx ");
  });
});

test("the release is published and attested by jobs that have no right beyond that and run none of this repository's code", () => {
  const { on, permissions, jobs } = readWorkflow(text(release));
  expect([on, permissions]).toEqual([{ release: { types: ["published"] } }, {}]);
  expect(Object.entries(jobs).map(([name, job]) => [name, job.permissions])).toEqual([
    ["package", { contents: "read" }],
    ["publish", { "id-token": "write" }],
    ["attest", { attestations: "write", "id-token": "write" }],
    ["plugin", { contents: "write" }],
  ]);
  expect(jobs.publish?.steps?.map(({ uses, run }) => run ?? uses?.split("@")[0])).toEqual([
    "actions/setup-node",
    "actions/download-artifact",
    "npm publish ./*.tgz",
  ]);
  expect(jobs.plugin?.steps?.map(({ uses, run }) => run ?? uses?.split("@")[0])).toEqual([
    "actions/download-artifact",
    'gh release upload "$GITHUB_REF_NAME" ./* --clobber',
  ]);
  expect(jobs.attest?.steps?.map(({ uses, run, with: inputs }) => [run ?? uses?.split("@")[0], inputs])).toEqual([
    ["actions/download-artifact", { name: "plugin" }],
    ["actions/attest-build-provenance", { "subject-path": "*" }],
  ]);
  const commands = jobs.package?.steps?.flatMap(({ run }) => run ?? []).join("\n");
  expect(commands).toMatch(/^node tools\/publishable\.mjs "\$GITHUB_REF_NAME"\nnpm ci\nnpm run test:all\n/);
});

test("the release's archives go from the job that makes them, after the tests, to the job that adds them", () => {
  const { jobs } = readWorkflow(text(release));
  const made = jobs.package?.steps?.map(({ run, with: inputs }) => run ?? [inputs?.name, inputs?.path].join(": "));
  expect(made?.filter((step) => /plugin|npm run test/.test(step))).toEqual([
    "npm run test:all",
    "node tools/release-plugin.mjs plugin\ncp package/sbom.cdx.json plugin\n",
    "plugin: plugin",
  ]);
  expect([jobs.plugin?.needs, jobs.plugin?.steps?.[0]?.with]).toEqual(["package", { name: "plugin" }]);
  expect(jobs.plugin?.steps?.[1]?.env).toEqual({
    GH_TOKEN: "${{ github.token }}",
    GH_REPO: "${{ github.repository }}",
  });
});

test("the recipes are tested weekly and on each change, by a read-only job", () => {
  const { on, permissions, jobs } = readWorkflow(text(delivery));
  expect(Object.keys(on).sort()).toEqual(["pull_request", "push", "schedule", "workflow_dispatch"]);
  expect([permissions, Object.values(jobs).map((job) => job.permissions)]).toEqual([{}, [{ contents: "read" }]]);
  expect(JSON.stringify(on)).toContain("examples/delivery/**");
  const commands = jobs.recipes?.steps?.flatMap(({ run }) => run ?? []);
  expect(commands).toEqual(["npm ci", "npm run test:delivery", "npm run test:delivery -- --newest"]);
});

test("each push and pull request is tested with the oldest and the newest versions, and the default branch with the campaigns", () => {
  const { on, permissions, jobs } = readWorkflow(text(tests));
  expect([on, permissions]).toEqual([
    { push: { branches: ["main"] }, pull_request: null, workflow_dispatch: null },
    {},
  ]);
  const versions = jobs.test?.strategy?.matrix as unknown as {
    include: { os: string; versions: string; engine: string }[];
  };
  const { engines: minimal, peerDependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
    engines: { node: string };
    peerDependencies: Record<string, string>;
  };
  const oldest = [minimal.node.replace(">=", ""), peerDependencies["@pulumi/pulumi"]?.replace("^", "")];
  expect(oldest).toEqual(["22.19", "3.250.0"]);
  expect(versions.include.map(({ os, versions, engine }) => `${os} ${versions} ${engine}`.trim())).toEqual([
    "ubuntu-24.04",
    "ubuntu-24.04 node@22.19.0 @pulumi/pulumi@3.250.0 3.250.0",
    "ubuntu-24.04 node@latest @pulumi/pulumi@latest 3.274.1",
    "macos-15",
  ]);
  expect(jobs.campaigns?.strategy?.matrix).toEqual({ engine: ["", "3.274.1"] });
  const engines = ["test", "campaigns"].map((job) => jobs[job]?.steps?.at(-1)?.env);
  const engine = { VOICEPLANE_ENGINE_VERSION: "${{ matrix.engine }}" };
  expect(engines).toEqual([engine, engine]);
  const last = Object.entries(jobs).map(([name, { steps }]) => [name, steps?.at(-1)?.run]);
  expect(Object.fromEntries(last)).toEqual({
    test: "npm test",
    windows: "npm run test:quick",
    campaigns: "npm run test:all",
  });
});

test("docs/guides/review-changes-in-pull-requests.md shows what init writes for the files of another repository", () => {
  const source = { repository: "acme/pipelines", commit: "0123456789abcdef0123456789abcdef01234567" };
  const repository = { root: "", folder: "", defaultBranch: "main" };
  const github = pipelineFiles("github", repository, "nodejs", source);
  const gitlab = pipelineFiles("gitlab", repository, "nodejs", source);
  const shown = blocks.filter(
    ({ file, language, role }) =>
      file === "docs/guides/review-changes-in-pull-requests.md" &&
      language === "yaml" &&
      role !== ".pre-commit-config.yaml",
  );
  const [uses, include] = shown.map((block) => block.text);
  expect(shown).toHaveLength(2);
  expect(github[".github/workflows/voiceplane.yml"]).toContain(uses);
  expect(gitlab[".gitlab-ci.yml"]).toContain(include);
});

test("docs/guides/keep-the-state.md adds to steps that these workflows have, and to GitLab's common job", () => {
  const shown = blocks.filter(({ file, language }) => file === "docs/guides/keep-the-state.md" && language === "yaml");
  const additions = shown.flatMap(({ role, text: addition }) =>
    [pipeline, applying]
      .filter((file) => role.includes(file))
      .flatMap((file) =>
        (parse(addition) as { steps: NonNullable<Job["steps"]> }).steps
          .filter(({ env, run }) => env && !run)
          .map(({ name }) => [file, name]),
      ),
  );
  expect(additions).toHaveLength(6);
  const named = [pipeline, applying].flatMap((file) =>
    jobsOf(file).flatMap(([, { steps }]) => steps.map(({ name }) => [file, name])),
  );
  expect(named).toEqual(expect.arrayContaining(additions));
  expect(named).toEqual(expect.arrayContaining([pipeline, applying].map((file) => [file, "Install"])));
  const common = shown
    .filter(({ role }) => role === ".gitlab/voiceplane.yml")
    .map((block) => block.text.split("\n")[0]);
  expect(common).toHaveLength(2);
  const gitlab = read("examples/pipelines/gitlab/.gitlab/voiceplane.yml").split("\n");
  expect(gitlab).toEqual(expect.arrayContaining(common));
});

test("docs/guides/review-changes-in-pull-requests.md names the check to require", () => {
  const [job] = Object.keys(readWorkflow(text(own)).jobs);
  expect(Object.keys(readWorkflow(text(pipeline)).jobs)).toContain("previewed");
  expect(read("docs/guides/review-changes-in-pull-requests.md")).toContain(
    `Make the check \`${job ?? ""} / previewed\` required.`,
  );
});

test("docs/guides/review-changes-in-pull-requests.md shows the commands of these workflows for other systems", () => {
  const table =
    readFileSync(join(root, "docs/guides/review-changes-in-pull-requests.md"), "utf8").split("## Other systems")[1] ??
    "";
  const commands = [...table.matchAll(/^\| (?:install|preview|report|apply|check) +\| `([^`]+)`/gm)].map(
    (match) => match[1],
  );
  expect(commands).toHaveLength(5);
  const all = files.map(text).join("");
  for (const command of commands) expect(all).toContain(command);
});
