/** What the workflows of examples/pipelines/github do with each answer of this package's program, for which a stand-in answers. */
import {
  comment,
  comments,
  commented,
  issues,
  output,
  results,
  run,
  shown,
  standInForGh,
  waves,
  type RunOptions,
} from "../../support/pipelines/github";
import { answer, calls, environmentsOf, playedRepository } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

const morning: RunOptions = { at: "2026-11-20T08:03:00Z" };
const two: RunOptions = { ...morning, stacks: ["dev", "prod"] };
const link = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";

let stack: Workspace;

beforeEach(async () => {
  stack = await playedRepository();
  standInForGh(stack);
});

/** A call of `preview`, with any commit to compare with. */
const preview = (failOn: string, name = "acme") =>
  expect.stringMatching(
    `^${name}: voiceplane preview --format markdown --commit \\w{40} --since \\w{40} --fail-on ${failOn} --out plan\\.json$`,
  ) as string;
const applied = (name = "acme") => `${name}: voiceplane apply --plan plan.json --format markdown`;
const refreshed = "acme: pulumi refresh --preview-only --expect-no-changes --suppress-outputs --non-interactive";

describe("a pull request", () => {
  test("gets one comment for each stack, which is updated; those of people, of other workflows and of other stacks stay", async () => {
    const others = [
      { user: { login: "eve" }, body: "<!-- voiceplane dev -->\nlooks harmless" },
      { user: { login: "github-actions[bot]" }, body: "coverage: 12 %, see <!-- voiceplane dev -->" },
      { user: { login: "github-actions[bot]" }, body: "<!-- voiceplane dev-2 -->\nof another stack" },
    ];
    comment(stack, ...others);
    const jobs = await run("pull request", stack, two);
    expect(results(jobs)).toEqual({
      "stack (dev) / preview": "success",
      "stack (dev) / comment": "success",
      "stack (prod) / preview": "success",
      "stack (prod) / comment": "success",
      previewed: "success",
    });
    await run("pull request", stack, two);
    expect(comments(stack).slice(0, 3)).toMatchObject(others);
    expect(comments(stack).slice(3)).toMatchObject(
      ["dev", "prod"].map((name) => ({
        body: `<!-- voiceplane ${name} -->\n### voiceplane preview of ${name}\n${link}`,
      })),
    );
    expect(calls(stack)).toEqual([
      preview("none", "dev"),
      preview("none", "prod"),
      preview("none", "dev"),
      preview("none", "prod"),
    ]);
  });

  test("with a preview that fails fails the check, and has its own comment", async () => {
    answer(stack, "preview", 1, `[ "$PULUMI_STACK" = dev ] || exit 0; : > report.md`);
    const jobs = await run("pull request", stack, two);
    expect(results(jobs)).toEqual({
      "stack (dev) / preview": "failure",
      "stack (dev) / comment": "success",
      "stack (prod) / preview": "success",
      "stack (prod) / comment": "success",
      previewed: "failure",
    });
    expect(comments(stack).map(({ body }) => body.split("\n")[1])).toEqual([
      "There is no report of dev, because the run failed.",
      "### voiceplane preview of prod",
    ]);
  });

  test.each([
    ["a fork", { fork: true }],
    ["Dependabot", { actor: "dependabot[bot]" }],
  ])("of %s runs none of its code, and does not count as previewed", async (_whose, options) => {
    const jobs = await run("pull request", stack, { ...morning, ...options });
    expect(results(jobs)).toEqual({ previewed: "failure" });
    expect(output(jobs.previewed, "Was every stack previewed?")).toContain("push it to a branch of this repository");
    expect([calls(stack), stack.read(".npm-calls")]).toEqual([[], ""]);
  });

  test("whose report is a link shows nothing of the job that has a token", async () => {
    answer(stack, "preview", 0, "ln -sf /proc/self/environ report.md");
    await run("pull request", stack, morning);
    expect(commented(stack)).toBe(
      `<!-- voiceplane acme -->\nThere is no report of acme, because the run failed.\n${link}`,
    );
  });
});

test.each([
  ["push", "changes"],
  ["rotation", "rotates-a-secret"],
  ["rotation by hand", "rotates-a-secret"],
] as const)(
  "a %s applies the plan that was shown, after the approval, and nothing without a change, after a failure or after a newer commit",
  async (trigger, failOn) => {
    const previewed = { "stack (acme) / preview": "success" };
    expect(results(await run(trigger, stack, morning))).toEqual(previewed);
    answer(stack, "preview", 1);
    expect(results(await run(trigger, stack, morning))).toEqual({ "stack (acme) / preview": "failure" });

    answer(stack, "preview", 2);
    const newest = "fedcba9876543210fedcba9876543210fedcba98";
    const late = await run(trigger, stack, { ...morning, newest });
    expect(results(late)).toEqual({ ...previewed, "stack (acme) / apply": "failure" });
    expect(calls(stack)).toEqual(Array(3).fill(preview(failOn)));

    const jobs = await run(trigger, stack, morning);
    expect(results(jobs)).toEqual({ ...previewed, "stack (acme) / apply": "success" });
    expect(calls(stack)).toEqual([preview(failOn), applied()]);
    expect(jobs["stack (acme) / apply"]?.summary).toBe("plan of acme\n### voiceplane apply of acme\n");
  },
);

test("a failure of one stack does not stop the update of another", async () => {
  answer(stack, "preview", 2, '[ "$PULUMI_STACK" = prod ] || exit 1');
  expect(results(await run("push", stack, two))).toEqual({
    "stack (dev) / preview": "failure",
    "stack (prod) / preview": "success",
    "stack (prod) / apply": "success",
  });
});

describe("a night", () => {
  const opened = {
    title: "voiceplane: the night needs a person for acme",
    state: "open",
    body: "<!-- voiceplane nightly acme -->\nIts summary says [what waits for a person, or what failed](https://github.example.com/acme/voice/actions/runs/77).",
  };

  test("applies what needs no person, and looks for the webhooks", async () => {
    expect(results(await run("nightly", stack, morning))).toEqual({
      "stack (acme) / preview": "success",
      "stack (acme) / apply": "success",
      "stack (acme) / issue": "success",
    });
    expect(calls(stack)).toEqual([preview("edits"), applied(), refreshed]);
    expect(issues(stack)).toEqual([]);
  });

  test("with changes that wait for a person applies nothing and opens one issue, which the next success closes", async () => {
    answer(stack, "preview", 2);
    for (let night = 0; night < 2; night++) {
      const jobs = await run("nightly", stack, morning);
      expect(results(jobs)).toEqual({ "stack (acme) / preview": "failure", "stack (acme) / issue": "success" });
      expect(shown(jobs)).toContain("Nothing was applied, because changes wait for a person.");
      expect(calls(stack)).toEqual([preview("edits")]);
      expect(issues(stack)).toMatchObject([{ number: 70, ...opened }]);
    }
    answer(stack, "preview", 0);
    await run("nightly", stack, morning);
    expect(issues(stack)).toMatchObject([{ number: 70, state: "closed" }]);
  });

  test("opens an issue for a webhook that is gone", async () => {
    stack.standIn("pulumi", `echo "crm is not in the server's list of webhooks"`);
    expect(results(await run("nightly", stack, morning))["stack (acme) / apply"]).toBe("failure");
    expect(issues(stack)).toMatchObject([opened]);
  });
});

test("secrets reach only the steps that need them, and the organization's token only those that send", async () => {
  answer(stack, "preview", 2);
  const environment: RunOptions["environment"] = (_name, { vars = {}, secrets }) => ({
    vars,
    secrets: { ...secrets, PULUMI_ACCESS_TOKEN: "canary-of-the-state", AWS_SECRET_ACCESS_KEY: "canary-of-the-bucket" },
  });
  await run("pull request", stack, { ...morning, environment });
  await run("push", stack, { ...morning, environment });
  const { npm = "", preview: previewed = "", apply = "" } = environmentsOf(stack);
  expect(npm.match(/^npm$/gm)).toHaveLength(3);
  expect(npm).not.toMatch(/canary|vp_dev/);
  expect(previewed.match(/canary-of-the-(state|bucket)/g)).toHaveLength(4);
  expect(previewed.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=previews-send-nothing"));
  expect(apply).toMatch(/^VOICEPLANE_TOKEN=vp_dev_full$/m);
  expect(apply.match(/canary-of-the-(state|bucket)/g)).toHaveLength(2);
});

test("without a passphrase there is none, rather than an empty one, with which Pulumi would encrypt", async () => {
  answer(stack, "preview", 2);
  const environment: RunOptions["environment"] = (_name, { vars = {}, secrets = {} }) => ({
    vars,
    secrets: { VOICEPLANE_TOKEN: secrets.VOICEPLANE_TOKEN ?? "" },
  });
  await run("push", stack, { ...morning, environment });
  const { preview: previewed = "", apply = "" } = environmentsOf(stack);
  for (const seen of [previewed, apply]) expect(seen).not.toMatch(/^PULUMI_CONFIG_PASSPHRASE=/m);
});

test.each([
  ["the project's folder", "infra/voice"],
  ["a folder above it, which may be a workspace", "infra"],
  ["the repository's root", "."],
])("an .npmrc in %s is refused before npm reads it: it may run code and send variables", async (_where, folder) => {
  stack.write("infra/voice/package.json", "{}");
  stack.write(`${folder}/.npmrc`, "registry=http://127.0.0.1:9/${PULUMI_ACCESS_TOKEN}/\n");
  const jobs = await run("pull request", stack, { ...morning, directory: "infra/voice" });
  expect(shown(jobs)).toContain("/.npmrc. A step before this one can write a registry into ");
  expect(Object.values(results(jobs))).toContain("failure");
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});

test.each(["VOICEPLANE_BASE_URL", "PULUMI_BACKEND_URL"])("without the variable %s nothing runs", async (variable) => {
  const environment: RunOptions["environment"] = (_name, { vars = {}, secrets = {} }) => ({
    vars: { ...vars, [variable]: "" },
    secrets,
  });
  const jobs = await run("push", stack, { ...morning, environment });
  expect(jobs["stack (acme) / preview"]?.steps.map((step) => step.name)).toEqual(["Are the addresses set?"]);
  expect(shown(jobs)).toContain(
    "::error::Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, variables of this environment.",
  );
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});

test("waves stop at the canary if its control plane lets the pipeline in no more, and else go on with the others", async () => {
  const stacks = ["acme", "globex", "initech"];
  const inWaves = { ...morning, stacks, workflow: waves };
  answer(stack, "preview", 2);
  const environment: RunOptions["environment"] = (_name, { vars = {}, secrets }) => ({
    vars,
    secrets: { ...secrets, VOICEPLANE_TOKEN: "vp_dev_revoked" },
  });
  const stopped = await run("push", stack, { ...inWaves, environment });
  expect(Object.values(results(stopped))).toContain("failure");
  expect(calls(stack)).toEqual([preview("changes"), applied()]);
  expect(shown(stopped)).not.toContain("vp_dev");

  expect(Object.keys(results(await run("push", stack, inWaves))).slice(0, 3)).toEqual([
    "canary / preview",
    "canary / apply",
    "asked",
  ]);
  expect(calls(stack)).toEqual(stacks.flatMap((name) => [preview("changes", name), applied(name)]));
});
