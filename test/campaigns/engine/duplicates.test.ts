/** Two resources for one object in one state, with the real engine. */
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { voiceplane } from "../../support/engine/voiceplane";

const rotation = (id: string) => `POST /v1/webhooks/${id}/rotate-secret`;
const program = (name: string, id: string = ids.crm) =>
  `new WebhookSecret("${name}", { webhookId: "${id}", onCreate: "rotate" });`;
const upperCase = ids.crm.toUpperCase();

/** The lines of one of doctor's checks, with single spaces. */
async function doctor(stack: Project, check: string): Promise<string[]> {
  const { stdout } = await voiceplane(stack, ["doctor", "--stack", "dev"]);
  const lines = stdout.split("\n").map((line) => line.replaceAll(/ +/g, " "));
  return lines.filter((line) => line.split(" ")[1] === check);
}

/** Expects that both names are shown with what to do, does that, and expects that all is well without a request. */
async function removeOne(stack: Project, { kept, removed }: { kept: string; removed: string }): Promise<void> {
  const both = new RegExp(
    `duplicate: (${kept} and ${removed}|${removed} and ${kept}) are one object: WebhookSecret c0`,
    "i",
  );
  const status = await voiceplane(stack, ["status", "--stack", "dev"]);
  expect(status).toMatchObject({ code: 0, stdout: expect.stringMatching(both) as string });
  expect(status.stdout).toContain("\n2 objects: 0 ok, 1 uncertain, 2 duplicate\n");

  // What rotated the secret of the row that is removed is not in that row.
  const [uncertain, line = "", ...others] = await doctor(stack, "state");
  expect([uncertain, ...others]).toEqual([
    expect.stringMatching(new RegExp(`^warning state ${removed} is uncertain: the last request may have`)),
  ]);
  expect(line).toMatch(/^failure state .* are one object: .* which sends nothing\./);
  const { urn } = stack.state()[removed] ?? {};
  const command = `pulumi state delete --stack dev '${urn ?? ""}'`;
  expect(line).toContain(`\`${command}\``);

  stack.organization.forgetRequests();
  await stack.run(["state", "delete", "--stack", "dev", urn ?? "", "--yes"]);
  expect(await stack.up()).not.toMatch(/created|updated|deleted/);
  expect(stack.organization.requests()).toEqual([]);
  expect(await voiceplane(stack, ["status", "--stack", "dev"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/\n1 object: 1 ok\n$/) as string,
  });
  expect(await doctor(stack, "state")).toEqual(["ok state 1 object"]);
}

test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane:WebhookSecret"],
  ["native", "voiceplane:index:WebhookSecret"],
] as const)("%s: an update of a new name alone leaves both, and status and doctor say so", async (provider, type) => {
  const stack = await project();
  stack[provider](program("crm"));
  await stack.up();
  stack[provider](program("renamed", upperCase));
  await stack.up({ flags: ["--target", `urn:pulumi:dev::test::${type}::renamed`] });
  expect(stack.organization.requests()).toEqual([rotation(ids.crm), rotation(upperCase)]);
  await removeOne(stack, { kept: "renamed", removed: "crm" });
});
