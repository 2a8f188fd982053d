/** What a stack without code adopts, and what a preview says of a Provider without a token and of a program that fails. */
import { ids } from "../../support/engine/organization";
import { organizationProject, project } from "../../support/engine/project";

test("an entry of the organization file adopts a webhook with the secret of the configuration, and sends nothing", async () => {
  const file = `webhooks:\n  crm: { id: ${ids.crm}, onCreate: adopt, initialSecret: crmSecret }\n`;
  const stack = await organizationProject(file);
  expect(await stack.up({ fails: true })).toContain(
    "webhooks.crm.initialSecret: the configuration has no secret of this name",
  );
  await stack.run(["config", "set", "--secret", "crmSecret", "whsec-known-to-the-receiver", "--stack", "dev"]);
  await stack.up();
  expect(stack.organization.requests()).toEqual([]);
  const crm = stack.inClear().find(({ urn }) => urn.endsWith("-crm"));
  expect(crm?.outputs).toMatchObject({ secret: "whsec-known-to-the-receiver", rotationState: "adopted" });
  expect(JSON.stringify(stack.deployment())).not.toContain("whsec-known-to-the-receiver");
});

test.each(["dynamic", "native"] as const)(
  "with the %s provider, a preview says which Provider has no token, and what a program has thrown",
  async (provider) => {
    const stack = await project();
    const said = async (text: string) => {
      stack[provider](text);
      const { code, stdout } = await stack.voiceplane(["preview", "--format", "terminal"]);
      expect(code).toBe(1);
      expect(stdout).not.toMatch(/grpc|see Pulumi's own output\)?$/m);
      return stdout;
    };
    const eu = 'const eu = new Provider("eu", { baseUrl: "http://127.0.0.1:1" });\n';
    const trunk = `new TrunkOutboundAuth("a", { trunkId: "t-1", cleared: false }, { provider: eu });\n`;
    expect(await said(eu + trunk)).toContain('no token: give the Provider "eu" a token or set VOICEPLANE_TOKEN_EU');
    expect(await said('throw new Error("the file of the carriers is missing");\n')).toContain(
      "the file of the carriers is missing",
    );
  },
);
