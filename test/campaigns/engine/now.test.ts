/** A due date tried by naming another date for a run, with the real engine. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

const program = {
  resources: {
    crm: {
      type: "voiceplane:WebhookSecret",
      properties: { webhookId: ids.crm, onCreate: "adopt", rotateAfter: "90d" },
    },
  },
};

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a rotation that VOICEPLANE_NOW makes due is shown, and sent once",
  async (provider) => {
    const stack = await project();
    stack.declare(provider, program);
    await stack.up();
    expect(await stack.preview()).not.toContain("rotateOn");

    const later = { env: { VOICEPLANE_NOW: "2099-01-01" } };
    const said = "VOICEPLANE_NOW is set: this run takes 2099-01-01T00:00:00.000Z for the present";
    const preview = await stack.preview(later);
    expect(preview).toContain(said);
    expect(preview).toMatch(/~ rotateOn: +"?\d{4}-\d\d-\d\d"? => "?2099-\d\d-\d\d"?/);
    expect(stack.organization.requests()).toEqual([]);

    await stack.up(later);
    expect(stack.organization.requests()).toEqual([rotation]);
    expect(await stack.up(later)).toContain("2 unchanged");
    expect(stack.organization.requests()).toEqual([]);
  },
);
