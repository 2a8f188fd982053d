/** What a rename, a replacement and a date that has come do: one request for each object, or none. */
import { ids } from "../../support/engine/organization";
import { project, type Project, type Run } from "../../support/engine/project";

const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
const clearing = "DELETE /v1/trunks/b0000000-0000-4000-8000-000000000001/outbound-auth";
const put = 'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}';

const webhook = (properties: object) => ({ type: "voiceplane:WebhookSecret", properties });
/** A policy and a trunk that destroy would change. */
const settings = (suffix: string, reassert: object = {}) => ({
  [`recordings${suffix}`]: {
    type: "voiceplane:RetentionPolicy",
    properties: { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable", ...reassert },
  },
  [`carrier${suffix}`]: {
    type: "voiceplane:TrunkOutboundAuth",
    properties: { trunkId: ids.carrierA, cleared: true, onDelete: "clear" },
  },
});

/** A run at a time on which this machine and the server agree. */
function at(stack: Project, time: string): Run {
  stack.organization.control.setClock(time);
  return { at: time };
}

test.each([
  ["dynamic", "pulumi-nodejs:dynamic/voiceplane"],
  ["native", "voiceplane:index"],
] as const)(
  "%s: a rename and --replace set what is declared again and undo nothing; a date that has come is one request for each resource, and no preview sends it",
  async (over, type) => {
    const stack = await project();
    stack.declare(over, { resources: settings("") });
    const requests = () => stack.organization.requests().sort();
    await stack.up();
    expect(requests()).toEqual([clearing, put]);

    stack.declare(over, { resources: settings("-renamed") });
    const renamed = await stack.up();
    expect(requests()).toEqual([clearing, put]);
    expect(renamed).toContain("+ 2 created\n- 2 deleted");
    for (const object of ['RetentionPolicy "recordings"', `TrunkOutboundAuth "${ids.carrierA}"`]) {
      expect(renamed).toContain(
        `${object} of ${stack.organization.url}: still declared by this program, so deleting it here sent nothing.`,
      );
    }
    const urn = `urn:pulumi:dev::test::${type}:TrunkOutboundAuth::carrier-renamed`;
    const rotateAfter = { crm: webhook({ webhookId: ids.crm, onCreate: "rotate", rotateAfter: "90d" }) };
    stack.declare(over, { resources: { ...settings("-renamed", { reassertAfter: "90d" }), ...rotateAfter } });
    const replaced = await stack.up({ ...at(stack, "2026-11-20T12:00:00Z"), flags: ["--replace", urn] });
    expect(replaced).toContain("+-1 replaced");
    expect(requests()).toEqual([clearing, rotation]);
    expect(stack.state().crm?.inputs?.rotateOn).toBe("2027-02-18");

    // A refresh on that day shows nothing.
    const due = at(stack, "2027-02-18T00:00:05Z");
    expect(await stack.refresh(due)).toContain("4 unchanged");
    expect(requests()).toEqual(["GET /v1/webhooks/"]);
    const preview = await stack.preview(due);
    expect(preview).toContain('~ rotateOn: "2027-02-18" => "2027-05-19"');
    expect(preview).toContain('~ reassertOn: "2027-02-18" => "2027-05-19"');
    expect(preview).toContain("~ 2 to update");
    expect(requests()).toEqual([]);
    expect(await stack.up(due)).toContain("~ 2 updated");
    expect(requests()).toEqual([rotation, put]);
    expect(stack.state().crm?.outputs).toMatchObject({ rotationCount: 2, __due: "2027-02-18" });

    // Nothing more is sent before the next date.
    expect(await stack.up(at(stack, "2027-05-18T12:00:00Z"))).toContain("4 unchanged");
    expect(requests()).toEqual([]);
  },
);
