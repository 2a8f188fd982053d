/** What `voiceplane status` knows from the files of `voiceplane apply`: rotations that the state does not have. */
import { programs } from "../../../support/folders";
import { projectFolder, write } from "../../../support/project-folder";
import { compile, run } from "../../../support/compiled";
import { exported, secret, webhook } from "./exports";

const compiled = compile();

const saved = {
  secret,
  rotatedAt: "2026-11-20T12:00:00.000Z",
  rotationCount: 1,
  rotationState: "rotated",
  rotationId: "r1",
};
const state = exported([webhook("crm", {}, saved), webhook("billing", {}, { ...saved, rotationId: "b1" })]);

const rotation = (webhookId: string, id: string, since: string | null) =>
  JSON.stringify({
    ...{ id, intent: true, since, operation: "rotateWebhookSecret" },
    ...{ path: `/v1/webhooks/${webhookId}/rotate-secret`, organization: "eu", method: "POST", attempt: 1 },
    time: "2026-11-21T12:00:00.000Z",
  });

async function status(files: (backend: string) => Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { folder, env } = projectFolder();
  const backend = env.PULUMI_BACKEND_URL ?? "";
  write(folder, { "state.json": state, ...files(backend) });
  const PATH = `${programs({ pulumi: `cat "${folder}/state.json"` })}:/usr/bin:/bin`;
  return run(compiled, ["status", "--stack", "acme", ...args], folder, { ...env, PATH });
}

const of = (backend: string) => ({ backend, project: "fleet", stack: "acme" });
const journal = (backend: string, ...lines: string[]) => ({
  ".voiceplane/apply/acme.journal/run-abc": `${JSON.stringify({ journal: of(backend) })}\n${lines.join("\n")}\n`,
});

test("a rotation of a run that was killed, which the state does not have, is uncertain", async () => {
  const files = (backend: string) => journal(backend, rotation("wh-crm", "r2", "r1"), rotation("wh-gone", "g1", null));
  const { code, stdout } = await status(files);
  expect(stdout).toMatch(/^webhook {2}crm .* uncertain$/m);
  expect(stdout).toMatch(/^webhook {2}billing .* ok$/m);
  expect(stdout).toMatch(/^uncertain: a run ended before it saved the secret of crm: change triggers$/m);
  expect(stdout).toMatch(/^uncertain: a run ended before it saved the secret of wh-gone: change triggers$/m);
  expect(stdout).not.toContain("the last request may have been carried out");
  expect(code).toBe(2);
  const json = await status(files, "--format", "json");
  expect(JSON.parse(json.stdout)).toMatchObject({
    ok: false,
    unsavedRotations: ["crm", "wh-gone"],
    objects: [
      { name: "crm", uncertain: true, conditions: ["uncertain"] },
      { name: "billing", uncertain: false, conditions: [] },
    ],
  });
  expect((await status(files, "--format", "prometheus")).stdout).toMatch(/^voiceplane_uncertain\{.*name="crm".*\} 1$/m);
});

test("so is one that a result has reported, which the record then has", async () => {
  const { code, stdout } = await status((backend) => ({
    ".voiceplane/apply/acme.json": JSON.stringify({
      ...{ version: 2, of: of(backend), at: 0, open: "the last run failed", nextDueDate: null },
      lost: [{ id: "wh-billing", organization: "eu", rotation: "b2", since: "b1" }],
    }),
  }));
  expect(stdout).toMatch(/^webhook {2}billing .* uncertain$/m);
  expect(code).toBe(2);
});

test("one that the state has or another run has followed is not, and neither are the files of another backend", async () => {
  const known = await status((backend) =>
    journal(backend, rotation("wh-crm", "r1", "r0"), rotation("wh-billing", "b0", "b00")),
  );
  expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining("2 objects: 2 ok") as string });
  const other = await status(() => journal("https://api.pulumi.com", rotation("wh-crm", "r2", "r1")));
  expect(other).toMatchObject({ code: 0 });
});

test("a journal that cannot be read may be about any webhook", async () => {
  const { code, stdout } = await status((backend) => journal(backend, "torn"));
  expect(stdout).toMatch(/^uncertain: 1 line of the journal \//m);
  expect(code).toBe(2);
});
