/** What a stack without code adopts. */
import { ids } from "../../support/engine/organization";
import { organizationProject } from "../../support/engine/project";

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
