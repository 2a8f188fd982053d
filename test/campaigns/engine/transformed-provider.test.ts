/** A transform of the stack that chooses the provider of each resource, without default settings. */
import { ids, organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const program = (url: (name: string) => string, transform: string) => `
const pulumi = require("@pulumi/pulumi");
const providers = {
  eu: new Provider("eu", { baseUrl: "${url("eu")}", token: pulumi.secret("vp_dev_full") }),
  us: new Provider("us", { baseUrl: "${url("us")}", token: pulumi.secret("vp_dev_full") }),
};
${transform}
for (const name of ["eu", "us"]) new TrunkOutboundAuth(name, { trunkId: "${ids.carrierA}", cleared: true });`;

const choosing = `
pulumi.runtime.registerStackTransform(({ type, name, props, opts }) =>
  type.endsWith(":TrunkOutboundAuth") ? { props, opts: { ...opts, provider: providers[name] } } : undefined);`;

test("each object goes to the organization of its provider; without a transform, what is missing or the same is named", async () => {
  const organizations = { eu: await organization(), us: await organization() };
  const urlOf = (name: string) => organizations[name as "eu" | "us"].url;
  const env = { VOICEPLANE_BASE_URL: "", VOICEPLANE_TOKEN: "" };
  const stack = await project({ program: program(urlOf, choosing) });
  await stack.up({ env });
  const clearing = `DELETE /v1/trunks/${ids.carrierA}/outbound-auth`;
  expect([organizations.eu.requests(), organizations.us.requests()]).toEqual([[clearing], [clearing]]);
  // The environment's address counts for none of them.
  await stack.up();

  stack.program(`${program(urlOf, choosing)}
new TrunkOutboundAuth("us2", { trunkId: "${ids.carrierA}", cleared: true }, { provider: providers.us });`);
  expect(await stack.preview({ fails: true })).toMatch(
    /TrunkOutboundAuth "us" and TrunkOutboundAuth "us2" declare the same object, "b\S+" of us: /,
  );

  stack.program(program(urlOf, ""));
  for (const each of Object.values(organizations)) each.forgetRequests();
  expect(await stack.up({ fails: true, env })).toContain("no base URL: run `pulumi config set voiceplane:baseUrl");
  expect(await stack.up({ fails: true })).toMatch(/"(us|eu)" and TrunkOutboundAuth "(us|eu)" declare the same object/);
  // The first one may have been on its way.
  expect(stack.organization.requests().length).toBeLessThanOrEqual(1);
  expect([organizations.eu.requests(), organizations.us.requests()]).toEqual([[], []]);
}, 300_000);
