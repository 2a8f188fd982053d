/** An Organization that depends on another resource, which is replaced with its delete first: nothing of the organization was edited. */
import { ids } from "../../support/engine/organization";
import { project } from "../../support/engine/project";
import { resource, type YamlProgram } from "../../support/engine/declared";

const policy = (networkPolicyId: string) =>
  resource("NetworkPolicy", { networkPolicyId, onCreate: "overwrite", name: "HQ" }, { deleteBeforeReplace: true });

const entries = (trigger: string) => ({
  onCreate: "overwrite",
  retention: { recordings: { days: 90 } },
  trunks: { carrier: { id: ids.carrierA, outboundAuth: "cleared" } },
  webhooks: {
    crm: { id: ids.crm, onCreate: "rotate" },
    billing: { id: ids.billing, onCreate: "rotate", triggers: { policy: trigger } },
  },
});

const ways: Record<string, (networkPolicyId: string) => YamlProgram> = {
  "by dependsOn": (networkPolicyId) => ({
    resources: {
      policy: policy(networkPolicyId),
      org: resource("Organization", entries("none"), { dependsOn: ["${policy}"] }),
    },
  }),
  "by an output that one entry reads": (networkPolicyId) => ({
    resources: { policy: policy(networkPolicyId), org: resource("Organization", entries("${policy.name}")) },
  }),
};

describe.each(["dynamic", "native"] as const)("over the %s provider", (provider) => {
  test.each(Object.keys(ways))("%s", async (way) => {
    const program = ways[way];
    if (program === undefined) throw new Error(way);
    const stack = await project();
    stack.declare(provider, program(ids.office));
    await stack.up();
    stack.organization.forgetRequests();
    stack.declare(provider, program(ids.runners));
    await stack.up();
    expect(stack.organization.requests()).toEqual([`PATCH /v1/network-policies/${ids.runners} {"name":"HQ"}`]);
  });
});
