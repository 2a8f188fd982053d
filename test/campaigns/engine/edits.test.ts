/** Edits that the engine passes on in an unusual way. None may be lost, and none may bypass a check. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { providers } from "../../support/engine/declared";

describe.each(providers)("with the %s provider", (provider) => {
  test("ignoreChanges of what a check computes has no effect, and of everything refuses nothing", async () => {
    const ignored = { date: '["rotateOn"]', everything: '["*"]' };
    const webhooks = (ignores: boolean) =>
      Object.entries(ignored)
        .map(
          ([
            name,
            keys,
          ]) => `new WebhookSecret("${name}", { webhookId: "${name}", rotateAfter: "90d", onCreate: "adopt" },
          { ignoreChanges: ${ignores ? keys : "[]"} });`,
        )
        .join("\n");
    const stack = await project();
    stack.declare(provider, webhooks(false));
    await stack.up({ at: "2026-11-20T12:00:00Z" });
    stack.declare(provider, webhooks(true));
    const preview = await stack.preview({ at: "2027-11-20T12:00:00Z" });
    expect(preview.match(/~ rotateOn: "2027-02-18" => "2028-02-18"/g)).toHaveLength(2);
    expect(stack.organization.requests()).toEqual([]);
  });

  test("a transform that means fewer days is refused", async () => {
    const stack = await project();
    stack.declare(
      provider,
      `new RetentionPolicy("recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 365 }, {
        transforms: [({ props, opts }) => ({ props: { ...props, onDelete: { retentionDays: 30, enabled: true } }, opts })],
      });`,
    );
    expect(await stack.preview({ fails: true })).toContain(
      "onDelete.retentionDays: 365 => 30 deletes recordings older than 30 days for good. " +
        "If this is intended, add `allowShortening: { from: 365, to: 30 }` [retention-shortened]",
    );
    expect(stack.organization.requests()).toEqual([]);
  });

  test("a duplicate that is found late is refused before it is sent", async () => {
    const policy = (name: string, id: string) =>
      `new NetworkPolicy("${name}", { networkPolicyId: ${id}, onCreate: "overwrite", name: "${name}" });`;
    const late = (id: string) => `trunk.urn.apply(() => "${id}")`;
    const stack = await project();
    stack.declare(
      provider,
      `const trunk = new TrunkOutboundAuth("carrier-a", { trunkId: "${ids.carrierA}", cleared: true });
      ${policy("one", late(ids.office))}
      ${policy("two", late(ids.office))}`,
    );
    expect(await stack.up({ fails: true })).toMatch(/declares the same object as NetworkPolicy "(one|two)"/);
    expect(stack.organization.requests().filter((request) => request.startsWith("PATCH")).length).toBeLessThan(2);
  });
});
