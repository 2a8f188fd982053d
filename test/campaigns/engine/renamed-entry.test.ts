/** An entry of an organization gets another name: said by `formerly` it keeps its state, and without that nothing is lost. */
import { ids } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";
import { providers, crm, recordings, resource } from "../../support/engine/declared";

const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;

/** Of an adopted webhook: once it was rotated, the state has the only copy of its secret. */
const webhooks = (name: string, formerly?: string | string[], n = 1) => ({
  webhooks: { [name]: { id: ids.crm, onCreate: "adopt", triggers: { n }, ...(formerly && { formerly }) } },
});

const layouts = {
  "an organization file": (stack: Project, args: object) => {
    stack.declareFile(args);
  },
  "YAML over the plugin": (stack: Project, args: object) => {
    stack.declare("native", {
      resources: { org: resource("Organization", args) },
      outputs: { webhookSecrets: "${org.webhookSecrets}" },
    });
  },
} as const;

const places: Record<string, string> = {
  "an organization file": "organization.yaml:2",
  "YAML over the plugin": "Pulumi.yaml:12",
};

test.each(Object.entries(layouts))(
  "in %s: a rename that is declared sends nothing and keeps the secret; one that is not is refused by the preview, and each command says how to keep the secret",
  async (layout, declare) => {
    const stack = await project({ held: true });
    const secret = () => Object.values((stack.reveal("webhookSecrets") ?? {}) as Record<string, string>)[0];
    const run = async (...args: string[]) => {
      const { code, stdout } = await stack.voiceplane(args);
      return { code, stdout };
    };
    declare(stack, webhooks("crm-x"));
    await stack.up();
    declare(stack, webhooks("crm-x", undefined, 2));
    await stack.up();
    expect(stack.organization.requests()).toEqual([rotation]);
    const kept = secret();
    expect(kept).toMatch(/^[\w-]{43}$/);

    const words = "add `formerly: crm-x` to crm";
    declare(stack, webhooks("crm", undefined, 2));
    const preview = await run("preview");
    expect(preview.code).toBe(1);
    expect(preview.stdout).toContain(
      `crm-x: only this state has the secret of this webhook, so the update is refused: ${words} (${places[layout] ?? ""})`,
    );
    expect(await run("apply", "--yes")).toMatchObject({ code: 1 });

    // A plain up learns it too late: the stack then has two states of it, and an alias comes too late.
    expect(await stack.up({ fails: true })).toContain("[loses-secret]");
    declare(stack, webhooks("crm", "crm-x", 2));
    const late = await run("preview");
    expect(late.code).toBe(1);
    expect(late.stdout).toContain("so the update is refused: change triggers of crm, which rotates");
    await stack.up({ fails: true });

    declare(stack, webhooks("crm-x", undefined, 2));
    await stack.up();
    expect(Object.keys(stack.state()).sort()).toEqual(["org", "org-crm-x"]);
    declare(stack, webhooks("crm", "crm-x", 2));
    expect(await run("preview")).toEqual({ code: 0, stdout: "voiceplane preview: no changes\n" });
    await stack.up();
    expect([Object.keys(stack.state()).sort(), secret()]).toEqual([["org", "org-crm"], kept]);
    // It may stay or go, and a later name names both.
    declare(stack, webhooks("sales", ["crm", "crm-x"], 2));
    await stack.up();
    declare(stack, webhooks("sales", undefined, 2));
    expect(await stack.up()).toMatch(/unchanged/);
    expect([Object.keys(stack.state()).sort(), secret()]).toEqual([["org", "org-sales"], kept]);

    // It may have been a resource of that name outside the Organization.
    declare(stack, webhooks("sales", "sales", 2));
    expect(await stack.up()).toMatch(/unchanged/);
    declare(stack, {});
    const removed = "keeps using its secret, of which the only stored copy leaves the state. Nothing was sent.";
    expect((await run("preview")).stdout).toContain("sales: no longer managed, left as it is");
    expect(await stack.up()).toContain(removed);
    expect(stack.organization.requests()).toEqual([]);
  },
);

const single = (n: number) => ({
  recordings: recordings(90, { onDelete: "disable" }),
  "carrier-a": resource("TrunkOutboundAuth", { trunkId: ids.carrierA, cleared: true }),
  crm: crm({ onCreate: "adopt", triggers: { n } }),
});

const inOrganization = (isSaid: boolean) => {
  const was = (name: string) => isSaid && { formerly: name };
  return resource("Organization", {
    retention: { recordings: { days: 90, onCreate: "overwrite", onDelete: "disable", ...was("recordings") } },
    trunks: { "carrier-a": { id: ids.carrierA, outboundAuth: "cleared", ...was("carrier-a") } },
    webhooks: { crm: { id: ids.crm, onCreate: "adopt", triggers: { n: 2 }, ...was("crm") } },
  });
};

test.each(providers)(
  "resources that move into an Organization keep their states, without a request, where their entries say their names, as preview advises: %s",
  async (provider) => {
    const stack = await project({ held: true });
    for (const n of [1, 2]) {
      stack.declare(provider, { resources: single(n) });
      await stack.up();
    }
    stack.organization.forgetRequests();

    stack.declare(provider, { resources: { acme: inOrganization(false) } });
    const { code, stdout } = await stack.voiceplane(["preview"]);
    expect(code).toBe(1);
    const place = provider === "native" ? String.raw` \(Pulumi\.yaml:\d+\)` : "";
    for (const name of ["recordings", "carrier-a", "crm"]) {
      const remedy = `add \`formerly: ${name}\` to ${name}${place} to keep the state of ${name}`;
      expect(stdout).toMatch(new RegExp(`${name}: renamed to ${name}, sends nothing for the old name: ${remedy}`));
    }
    expect(stdout).not.toContain("alias");

    stack.declare(provider, { resources: { acme: inOrganization(true) } });
    const preview = await stack.voiceplane(["preview"]);
    expect(preview).toMatchObject({ code: 0, stdout: "voiceplane preview: no changes\n" });
    await stack.up();
    expect(Object.keys(stack.state()).sort()).toEqual(["acme", "acme-carrier-a", "acme-crm", "acme-recordings"]);
    expect(stack.organization.requests()).toEqual([]);
  },
);
