/** A secret of which the state has the only copy, with plain `pulumi up`. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { providers } from "../../support/engine/declared";

const crmRotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const adopted = (quarter: string, more = "") => `
  const crm = new WebhookSecret("crm", {
    webhookId: "${ids.crm}", onCreate: "adopt", triggers: { quarter: "${quarter}" }, ${more}
  });
  exports.secrets = require("@pulumi/pulumi").jsonStringify([crm.secret, crm.previousSecret]);`;

test.each(providers)(
  "with the %s provider, an adopted webhook that was rotated later keeps its only secret, whoever asks for its replacement: it is refused",
  async (provider) => {
    const stack = await project();
    const secrets = () => JSON.parse(stack.reveal("secrets") ?? "[]") as (string | null)[];
    stack.declare(provider, adopted("2026-Q3"));
    await stack.up();
    stack.declare(provider, adopted("2026-Q4"));
    await stack.up();
    const [secret] = secrets();
    expect(stack.organization.requests()).toEqual([crmRotation]);

    const urn = stack.state().crm?.urn ?? "";
    expect(await stack.up({ fails: true, flags: ["--replace", urn] })).toContain(
      `WebhookSecret "${ids.crm}" of acme: the program declares this object again, without the secret of this webhook that is in this state`,
    );
    // The old state stays, for as many updates as it takes.
    expect(stack.deployment().resources).toContainEqual(expect.objectContaining({ delete: true }));
    stack.declare(provider, adopted("2026-Q4", `initialSecret: "${String(secret)}"`));
    expect(await stack.up()).toContain("still declared by this program, so deleting it here sent nothing.");
    expect(secrets()).toEqual([secret, null]);
    // initialSecret may go, as its name says.
    stack.declare(provider, adopted("2026-Q4"));
    await stack.up();
    expect(secrets()).toEqual([secret, null]);
    expect(stack.organization.requests()).toEqual([]);
  },
);
