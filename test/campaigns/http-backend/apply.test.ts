/** `voiceplane apply` where the state is on a server that speaks Pulumi Cloud's protocol. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { applied, organizationProject, resultOf, rotating, webhook } from "../../support/engine/apply";
import { httpBackend, testOnHttp, testProcessesOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { voiceplane } from "../../support/engine/voiceplane";
import { expectCurrentSecret, rotationsOf } from "../../support/faults/aftermath";
import { allEnded, engine, killAll, providers, unanswered } from "../../support/faults/deaths";

testOnHttp(
  "with an access token alone and no file of the stack, a stack is applied, skipped, and run again",
  async () => {
    const backend = await httpBackend();
    const stack = await organizationProject(webhook("0"), { backend });
    // Without a login or a URL, the CLI takes its default server.
    const env = { PULUMI_BACKEND_URL: undefined, PULUMI_API: backend.url };
    expect(() => stack.read("Pulumi.dev.yaml")).toThrow("ENOENT");
    expect(await applied(stack, { env })).toMatchObject({ outcome: "applied", rotations: 1 });
    stack.organization.forgetRequests();
    const before = await backend.control.requests();
    expect(await applied(stack, { env })).toMatchObject({ outcome: "skipped" });
    // No policy is enforced, so there was no preview.
    expect(stack.onServer().updates.map(({ dryRun }) => dryRun)).toEqual([false]);
    expect(await applied(stack, { env, stack: "tester/dev" })).toMatchObject({
      outcome: "skipped",
      stack: "tester/dev",
    });
    expect(await applied(stack, { env, stack: "tester/test/dev" })).toMatchObject({ outcome: "skipped" });
    const asked = (await backend.control.requests()).slice(before.length).map(({ operation }) => operation);
    expect(asked.filter((operation) => /update|checkpoint|export/i.test(operation))).toEqual([]);
    expect(stack.organization.requests()).toEqual([]);

    // An import leaves the state as it was, and is another version.
    await stack.run(["stack", "export", "--file", "exported.json", "--stack", "dev"]);
    const commit = ["--revision", "same"];
    expect(await applied(stack, { env, flags: commit })).toMatchObject({ outcome: "unchanged" });
    expect(await applied(stack, { env, flags: commit })).toMatchObject({ outcome: "skipped" });
    await stack.run(["stack", "import", "--file", "exported.json", "--stack", "dev"]);
    expect(await applied(stack, { env, flags: commit })).toMatchObject({
      ...{ outcome: "unchanged", reason: "the state changed since the last run" },
    });
  },
);

testProcessesOnHttp("an update that holds the stack is named, and nothing is sent", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(webhook("0"), { backend });
  expect(await applied(stack)).toMatchObject({ outcome: "applied" });
  stack.write("organization.yaml", webhook("1"));
  const running = await rotating(stack, unanswered);
  stack.organization.forgetRequests();
  // The folder of the locks between the applies of one machine.
  stack.write("other/empty", "");
  const env = { TMPDIR: join(stack.folder, "other") };
  const record = ["--record", "other/record.json"];
  const second = await applied(stack, { env, flags: record });
  expect(second).toMatchObject({ outcome: "locked", requests: 0 });
  expect(second.reason).toMatch(
    /^the stack is locked by an update of tester since \S+Z: about 5 minutes after that run has ended, its lease ends too; `pulumi cancel --stack dev` ends it at once$/,
  );
  expect(stack.organization.requests()).toEqual([]);
  running.child.kill("SIGKILL");
  await killAll(stack, engine);
  await running.finished;
  await allEnded(stack);
});

testProcessesOnHttp(
  "a rotation of a run that was killed is uncertain though its file is what it was, until it is rotated again",
  async () => {
    const backend = await httpBackend();
    const stack = await organizationProject(webhook("0"), { backend });
    expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
    stack.write("organization.yaml", webhook("1"));
    const run = await rotating(stack, unanswered);
    run.child.kill("SIGKILL");
    await killAll(stack, engine);
    await run.finished;
    await allEnded(stack);
    await backend.control.expireLease("tester/test/dev");
    // Another machine has no journal. The state has a pending operation.
    rmSync(join(stack.folder, ".voiceplane"), { recursive: true });
    stack.write("organization.yaml", webhook("0"));
    for (let turn = 0; turn < 2; turn++) {
      expect(await applied(stack)).toMatchObject({
        ...{ outcome: "unchanged", rotatedAgain: [] },
        ...{ uncertain: 1, uncertainObjects: ["crm"] },
      });
    }
    stack.write("organization.yaml", webhook("2"));
    expect(await applied(stack)).toMatchObject({ rotations: 1, uncertain: 0, rotatedAgain: [{ name: "crm" }] });
    expect(rotationsOf(stack)[ids.crm]).toBe(3);
    expectCurrentSecret(stack, "org-crm");
    expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  },
);

testProcessesOnHttp(
  "status names the rotation of a provider that was killed, though the state has no trace of it",
  async () => {
    const stack = await organizationProject(webhook("0"), { backend: await httpBackend() });
    expect(await applied(stack)).toMatchObject({ outcome: "applied", rotations: 1 });
    stack.write("organization.yaml", webhook("1"));
    const run = await rotating(stack, unanswered);
    await killAll(stack, providers);
    expect(await resultOf(run)).toMatchObject({ outcome: "failed", uncertain: 1, uncertainObjects: ["crm"] });
    stack.write("organization.yaml", webhook("0"));
    await stack.up({ flags: ["--expect-no-changes"] });
    expect(stack.deployment().pending_operations ?? []).toEqual([]);
    const { code, stdout } = await voiceplane(stack, ["status", "--stack", "dev"]);
    expect(stdout).toContain("uncertain: a run ended before it saved the secret of crm: change triggers\n");
    expect(code).toBe(2);
  },
);
