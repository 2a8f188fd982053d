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
  waves,
  type RunOptions,
  type Trigger,
} from "../../support/pipelines/github";
import { answer, calls, environmentsOf, playedRepository } from "../../support/pipelines/projects";
import type { Workspace } from "../../support/pipelines/workspace";

const two: RunOptions = { stacks: ["dev", "prod"] };
const link = "[The run](https://github.example.com/acme/voice/actions/runs/77)\n";

let stack: Workspace;

beforeEach(async () => {
  stack = await playedRepository();
});

/** A call of `preview`, with any commit to compare with. */
const preview = (failOn: string, name = "acme") =>
  expect.stringMatching(
    `^${name}: voiceplane preview --format markdown --commit \\w{40} --since \\w{40} --fail-on ${failOn} --out plan\\.json$`,
  ) as string;
const applied = (name = "acme") => `${name}: voiceplane apply --plan plan.json --format markdown`;
const refreshed = "acme: pulumi refresh --preview-only --expect-no-changes --suppress-outputs --non-interactive";

const previewed = { "stack (acme) / preview": "success" };
const refused = { "stack (acme) / preview": "failure" };
const isApplied = { "stack (acme) / apply": "success" };
const issue = { "stack (acme) / issue": "success" };

/** What ends with which result after each exit code of the preview, and what is called after the preview. */
const outcomes: [Trigger, stop: string, code: number, results: object, more: string[]][] = [
  ...(["push", "rotation", "rotation by hand", "apply by hand"] as const).flatMap((trigger): typeof outcomes => {
    const stop = trigger.startsWith("rotation") ? "rotates-a-secret" : "changes";
    return [
      [trigger, stop, 0, previewed, []],
      [trigger, stop, 1, refused, []],
      [trigger, stop, 2, { ...previewed, ...isApplied }, [applied()]],
    ];
  }),
  ["nightly", "edits", 0, { ...previewed, ...isApplied, ...issue }, [applied(), refreshed]],
  ["nightly", "edits", 1, { ...refused, ...issue }, []],
  ["nightly", "edits", 2, { ...refused, ...issue }, []],
];

test.each(outcomes)("a %s whose preview --fail-on %s ends with %i", async (trigger, stop, code, ended, more) => {
  answer(stack, "preview", code);
  const jobs = await run(trigger, stack);
  expect(results(jobs)).toEqual(ended);
  expect(calls(stack)).toEqual([preview(stop), ...more]);
  if (more.length > 0)
    expect(jobs["stack (acme) / apply"]?.summary).toBe("plan of acme\n### voiceplane apply of acme\n");
});

test.each([
  ["infra/voice/organization.yaml", "failure"],
  [".github/workflows/voiceplane.yml", "failure"],
  ["package-lock.json", "failure"],
  ["infra/voice-agents/index.ts", "success"],
])("a run that is approved after a newer commit has changed %s ends with %s", async (newer, result) => {
  stack.write("infra/voice/package.json", "{}");
  answer(stack, "preview", 2);
  const late = await run("push", stack, { newer, directory: "infra/voice" });
  expect(results(late)).toEqual({ ...previewed, "stack (acme) / apply": result });
  expect(calls(stack)).toEqual([preview("changes"), ...(result === "success" ? [applied()] : [])]);
  expect(shown(late).includes("::error::Nothing was applied, because main has newer changes of this project.")).toBe(
    result === "failure",
  );
});

test("the code of a pull request reaches its own environment, and the runs of the branch another one", async () => {
  const environment: RunOptions["environment"] = ({ vars, secrets }, name) => ({
    vars,
    secrets: { ...secrets, PULUMI_ACCESS_TOKEN: `of ${name}` },
  });
  for (const trigger of ["pull request", "push", "nightly", "rotation"] as const)
    await run(trigger, stack, { environment });
  expect(environmentsOf(stack).preview?.match(/(?<=^PULUMI_ACCESS_TOKEN=).*$/gm)).toEqual([
    "of voiceplane-preview-acme",
    ...Array<string>(3).fill("of voiceplane-unattended-acme"),
  ]);
});

test("the failure of one stack does not stop another", async () => {
  answer(stack, "preview", 2, '[ "$PULUMI_STACK" = prod ] || exit 1');
  expect(results(await run("push", stack, two))).toEqual({
    "stack (dev) / preview": "failure",
    "stack (prod) / preview": "success",
    "stack (prod) / apply": "success",
  });
});

test("a night that needs a person, or misses a webhook, opens one issue, which the next success closes", async () => {
  const opened = {
    title: "voiceplane: the night needs a person for acme",
    state: "open",
    body: "<!-- voiceplane nightly acme -->\nIts summary says [what waits for a person, or what failed](https://github.example.com/acme/voice/actions/runs/77).",
  };
  answer(stack, "preview", 2);
  expect(shown(await run("nightly", stack))).toContain("Nothing was applied, because changes wait for a person.");
  answer(stack, "preview", 0);
  stack.standIn("pulumi", `echo "crm is not in the server's list of webhooks"`);
  expect(results(await run("nightly", stack))["stack (acme) / apply"]).toBe("failure");
  expect(issues(stack)).toMatchObject([opened]);
  const unknown =
    "crm: it is not in what can be read of the server's list, and the list may have further pages, so the state is kept";
  stack.standIn("pulumi", `echo "${unknown}"`);
  await run("nightly", stack);
  expect(issues(stack)).toMatchObject([{ state: "closed" }]);
});

test("a merge queue gets the required check, and previews nothing again", async () => {
  expect(results(await run("merge queue", stack, two))).toEqual({ previewed: "success" });
  expect(calls(stack)).toEqual([]);
});

describe("a pull request", () => {
  test("gets one comment for each stack, which is updated, and says if there is no report; a failed preview fails the check; other comments stay", async () => {
    const others = [
      { user: { login: "eve" }, body: "<!-- voiceplane dev -->\nlooks harmless" },
      { user: { login: "github-actions[bot]" }, body: "coverage: 12 %, see <!-- voiceplane dev -->" },
      { user: { login: "github-actions[bot]" }, body: "<!-- voiceplane dev-2 -->\nof another stack" },
    ];
    comment(stack, ...others);
    const commented = { "stack (dev) / comment": "success", "stack (prod) / comment": "success" };
    const success = { "stack (dev) / preview": "success", "stack (prod) / preview": "success", previewed: "success" };
    expect(results(await run("pull request", stack, two))).toEqual({ ...success, ...commented });
    expect(calls(stack)).toEqual([preview("none", "dev"), preview("none", "prod")]);
    const report = (name: string) => ({
      body: `<!-- voiceplane ${name} -->\n### voiceplane preview of ${name}\n${link}`,
    });
    expect(comments(stack)).toMatchObject([...others, report("dev"), report("prod")]);

    answer(stack, "preview", 1, `[ "$PULUMI_STACK" = dev ] || exit 0; : > report.md`);
    const failure = { ...success, "stack (dev) / preview": "failure", previewed: "failure" };
    expect(results(await run("pull request", stack, two))).toEqual({ ...failure, ...commented });
    const none = "<!-- voiceplane dev -->\nThere is no report of dev, because the run failed.\n" + link;
    expect(comments(stack)).toMatchObject([...others, { body: none }, report("prod")]);
  });

  test.each([
    ["a fork", { fork: true }],
    ["Dependabot", { actor: "dependabot[bot]" }],
  ])("of %s runs none of its code, and does not count as previewed", async (_whose, options) => {
    const jobs = await run("pull request", stack, options);
    expect(results(jobs)).toEqual({ previewed: "failure" });
    expect(output(jobs.previewed, "Was every stack previewed?")).toContain("push it to a branch of this repository");
    expect([calls(stack), stack.read(".npm-calls")]).toEqual([[], ""]);
  });

  test("whose report is a link shows nothing of the job that has a token", async () => {
    answer(stack, "preview", 0, "ln -sf /proc/self/environ report.md");
    await run("pull request", stack);
    expect(commented(stack)).toBe(
      `<!-- voiceplane acme -->\nThere is no report of acme, because the run failed.\n${link}`,
    );
  });
});

test("secrets reach only the steps that need them, and the organization's token only those that send; no passphrase is none, not an empty one", async () => {
  answer(stack, "preview", 2);
  const state = { PULUMI_ACCESS_TOKEN: "canary-of-the-state", AWS_SECRET_ACCESS_KEY: "canary-of-the-bucket" };
  const environment: RunOptions["environment"] = ({ vars, secrets }) => ({
    vars,
    secrets: { ...secrets, ...state, PULUMI_CONFIG_PASSPHRASE: "" },
  });
  await run("pull request", stack, { environment });
  await run("push", stack, { environment });
  const { npm = "", preview: seen = "", apply = "" } = environmentsOf(stack);
  expect(npm.match(/^npm$/gm)).toHaveLength(3);
  expect(npm).not.toMatch(/canary|vp_dev/);
  expect(seen.match(/canary-of-the-(state|bucket)/g)).toHaveLength(4);
  expect(seen.match(/^VOICEPLANE_TOKEN=.*$/gm)).toEqual(Array(2).fill("VOICEPLANE_TOKEN=previews-send-nothing"));
  expect(apply).toMatch(/^VOICEPLANE_TOKEN=vp_dev_full$/m);
  expect(apply.match(/canary-of-the-(state|bucket)/g)).toHaveLength(2);
  // Pulumi would encrypt with an empty one.
  expect(seen + apply).not.toMatch(/^PULUMI_CONFIG_PASSPHRASE=/m);
});

test.each([
  ["the project's folder", "infra/voice"],
  ["a folder above it, which may be a workspace", "infra"],
  ["the repository's root", "."],
])("an .npmrc in %s is refused before npm reads it: it may run code and send variables", async (_where, folder) => {
  stack.write("infra/voice/package.json", "{}");
  stack.write(`${folder}/.npmrc`, "registry=http://127.0.0.1:9/${PULUMI_ACCESS_TOKEN}/\n");
  const jobs = await run("pull request", stack, { directory: "infra/voice" });
  expect(shown(jobs)).toContain("/.npmrc. A step before this one can write a registry into ");
  expect(Object.values(results(jobs))).toContain("failure");
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});

test.each(["VOICEPLANE_BASE_URL", "PULUMI_BACKEND_URL"])("without the variable %s nothing runs", async (variable) => {
  const environment: RunOptions["environment"] = ({ vars, secrets }) => ({
    vars: { ...vars, [variable]: "" },
    secrets,
  });
  const jobs = await run("push", stack, { environment });
  expect(jobs["stack (acme) / preview"]?.steps.map((step) => step.name)).toEqual(["Are the addresses set?"]);
  expect(shown(jobs)).toContain(
    "::error::Set VOICEPLANE_BASE_URL and PULUMI_BACKEND_URL, variables of this environment.",
  );
  expect([stack.read(".npm-calls"), calls(stack)]).toEqual(["", []]);
});

test("waves stop at the canary if its control plane lets the pipeline in no more, and else go on with the others", async () => {
  const stacks = ["acme", "globex", "initech"];
  const inWaves = { stacks, workflow: waves };
  answer(stack, "preview", 2);
  const environment: RunOptions["environment"] = ({ vars, secrets }) => ({
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
