/** Two resources for one object in one state, with the real engine. The unit tests of status, doctor and conditions have the words. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const rotation = (id: string) => `POST /v1/webhooks/${id}/rotate-secret`;
const program = (name: string, id: string) =>
  `new WebhookSecret("${name}", { webhookId: "${id}", onCreate: "rotate" });`;
const upperCase = ids.crm.toUpperCase();

test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane:WebhookSecret"],
  ["native", "voiceplane:index:WebhookSecret"],
] as const)(
  "%s: an update of a new name alone leaves both, doctor names none of them for removal, and one can be removed without a request",
  async (provider, type) => {
    const stack = await project();
    stack[provider](program("crm", ids.crm));
    await stack.up();
    stack[provider](program("renamed", upperCase));
    await stack.up({ flags: ["--target", `urn:pulumi:dev::test::${type}::renamed`] });
    expect(stack.organization.requests()).toEqual([rotation(ids.crm), rotation(upperCase)]);

    const status = async () => (await stack.voiceplane(["status"])).stdout;
    expect(await status()).toContain("\n2 objects: 0 ok, 2 duplicate\n");
    const { stdout } = await stack.voiceplane(["doctor"]);
    const urn = stack.state().crm?.urn ?? "";
    // Each rotated, and only the receivers know which secret works.
    expect(stdout).toContain("Each has a secret: keep them until the receivers have the one that works");
    expect(stdout).not.toContain("pulumi state delete");

    stack.organization.forgetRequests();
    await stack.run(["state", "delete", "--stack", "dev", urn, "--yes"]);
    expect(await stack.up()).not.toMatch(/created|updated|deleted/);
    expect(stack.organization.requests()).toEqual([]);
    expect(await status()).toMatch(/\n1 object: 1 ok\n$/);
  },
);
