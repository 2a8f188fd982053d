/** `voiceplane apply` with the real engine: what is run, and what is skipped. */
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { blocks } from "../../support/docs/documents";
import { applied, leftFiles, organizationProject, webhook } from "../../support/engine/apply";
import { yamlProject, type Project } from "../../support/engine/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
/** A `pulumi` that notes each call, first on PATH. */
function recordedPulumi(stack: Project): { readonly env: NodeJS.ProcessEnv; calls(): boolean } {
  const folder = join(stack.folder, "recorder");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\ntouch "${folder}/called"\nexit 1\n`);
  chmodSync(join(folder, "pulumi"), 0o755);
  return {
    env: { PATH: [folder, stack.environment.PATH].join(delimiter) },
    calls: () => existsSync(join(folder, "called")),
  };
}

test("a YAML project with nothing but resources of voiceplane is skipped too, until its file changes", async () => {
  const recordings = (days: number) => ({
    resources: {
      recordings: { type: "voiceplane:RetentionPolicy", properties: { resource: "recordings", retentionDays: days } },
    },
  });
  const stack = await yamlProject(recordings(90));
  expect(await applied(stack)).toMatchObject({ outcome: "applied", requests: 1 });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped", requests: 0, code: 0 });
  stack.yaml(recordings(365));
  expect(await applied(stack)).toMatchObject({
    outcome: "applied",
    reason: expect.stringMatching(/^the revision was \w+, and is \w+$/) as string,
  });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ]);
});

test("a run is applied, then skipped without a process and without a request, until exactly the due stack is run", async () => {
  const stack = await organizationProject(
    `retention:\n  recordings: { days: 90 }\n${webhook("0", ", rotateAfter: 90d")}`,
  );
  await stack.run(["stack", "init", "other", "--no-select"]);
  stack.write("other.yaml", "retention:\n  audit_events: { days: 30 }\n");
  await stack.run(["config", "set", "voiceplane:organizationFile", "other.yaml", "--stack", "other"]);
  const seldom = ["--full-pass-after", "1000"];

  const first = await applied(stack);
  expect(first).toMatchObject({
    organization: "dev",
    stack: "dev",
    outcome: "applied",
    reason: "there is no record of an earlier run",
    summary: "2 requests: deletes data, rotates a secret",
    requests: 2,
    rotations: 1,
    uncertain: 0,
    nextDueDate: "2027-02-18",
    rotatedAgain: [],
    pending: [],
    log: null,
    code: 3,
  });
  const [shown] = blocks.filter(({ file, role }) => file === "examples/kubernetes/README.md" && role === "result");
  expect(first).toMatchObject({ ...(JSON.parse(shown?.text ?? "") as object), stack: "dev" });
  expect(await applied(stack, { stack: "other" })).toMatchObject({ outcome: "applied", nextDueDate: null });
  expect(leftFiles(stack)).toEqual([]);
  stack.organization.forgetRequests();

  const recorder = recordedPulumi(stack);
  const { env } = recorder;
  const nothingToDo = { outcome: "skipped", requests: 0, rotations: 0, code: 0 };
  const eve = { at: "2027-02-17T12:00:00Z", flags: seldom, env };
  expect(await applied(stack, eve)).toMatchObject({ ...nothingToDo, nextDueDate: "2027-02-18" });
  expect(await applied(stack, { ...eve, stack: "other" })).toMatchObject(nothingToDo);
  expect(recorder.calls()).toBe(false);

  const day = { at: "2027-02-18T00:00:05Z", flags: seldom };
  expect(await applied(stack, { ...day, env, stack: "other" })).toMatchObject(nothingToDo);
  expect(recorder.calls()).toBe(false);
  expect(stack.organization.requests()).toEqual([]);
  expect(await applied(stack, day)).toMatchObject({
    outcome: "applied",
    reason: "due since 2027-02-18",
    requests: 2,
    rotations: 1,
    nextDueDate: "2027-05-19",
  });
  expect(stack.organization.requests()).toEqual(["GET /v1/webhooks/", rotation]);
  const later = { at: "2027-02-18T01:00:00Z", flags: seldom, env };
  expect(await applied(stack, later)).toMatchObject(nothingToDo);

  // The state changed without an update: the record is no proof any more.
  await stack.run(["state", "delete", stack.state()["org-recordings"]?.urn ?? "", "--yes", "--stack", "dev"]);
  expect(await applied(stack, later)).toMatchObject({ outcome: "failed", code: 1 });
  expect(recorder.calls()).toBe(true);
});

test("--fail-on sends no shorter retention, --dry-run sends and writes nothing, and without them it is sent", async () => {
  const recordings = (retentionDays: number, rest = {}) => ({
    resources: {
      recordings: {
        type: "voiceplane:RetentionPolicy",
        properties: { resource: "recordings", retentionDays, ...rest },
      },
    },
  });
  const stack = await yamlProject(recordings(90));
  const hasRecord = () => existsSync(join(stack.folder, ".voiceplane"));
  const shown = { risks: ["deletes data"], requests: 0 };
  const dry = { flags: ["--dry-run"] };
  expect(await applied(stack, dry)).toMatchObject({ outcome: "previewed", ...shown, code: 3 });
  expect([hasRecord(), leftFiles(stack)]).toEqual([false, []]);
  await applied(stack);
  stack.organization.forgetRequests();
  expect(await applied(stack, dry)).toMatchObject({ outcome: "skipped", code: 0 });

  stack.yaml(recordings(30, { allowShortening: { from: 90, to: 30 } }));
  const refused = await applied(stack, { flags: ["--fail-on", "deletes data"] });
  expect(refused).toMatchObject({
    ...shown,
    outcome: "failed",
    reason: "the preview shows changes that --fail-on refuses: deletes data",
    needsPerson: true,
    report: expect.stringContaining("recordings: 90 → 30 days; deletes what is older") as string,
    code: 1,
  });
  expect(leftFiles(stack)).toEqual([]);
  expect(stack.organization.requests()).toEqual([]);
  expect(await applied(stack)).toMatchObject({ outcome: "applied", risks: ["deletes data"], requests: 1, code: 3 });
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
  ]);
});

test("a project is the same one through a symbolic link", async () => {
  const stack = await organizationProject("retention:\n  recordings: { days: 90 }\n");
  const link = join(stack.folder, "link");
  symlinkSync(".", link);
  expect(await applied(stack, { flags: [link] })).toMatchObject({ outcome: "applied", requests: 1 });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  expect(await applied(stack, { flags: [link, "--no-skip"] })).toMatchObject({ outcome: "unchanged", requests: 0 });
});
