/** The organization of the root folder, which `npm start` applies, with plain `pulumi up`. */
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { exampleOrganization } from "../../support/engine/example-requests";
import { installedPackage } from "../../support/engine/installation";
import { project, type Project } from "../../support/engine/project";
import { root } from "../../support/repository";

/** A clone with its dependencies and its build: the package is the root folder, and linked into its own node_modules. */
async function clone(organizationFile: string): Promise<Project> {
  const stack = await project({
    files: {
      "Pulumi.yaml": readFileSync(join(root, "Pulumi.yaml"), "utf8"),
      "package.json": readFileSync(join(installedPackage(), "package.json"), "utf8"),
      "organization.yaml": organizationFile,
    },
  });
  await stack.run(["config", "set", "voiceplane:organization", "acme"]);
  cpSync(join(installedPackage(), "dist"), join(stack.folder, "dist"), { recursive: true });
  mkdirSync(join(stack.folder, "node_modules"));
  symlinkSync("..", join(stack.folder, "node_modules/pulumi-voiceplane"));
  return stack;
}

const heading = "the organization file is not valid, and nothing was sent:";
const stackTrace = /^at |node:internal|\.js:\d+/m;

test("the organization file of a clone: a wrong file is one message, a right file goes up, a second up changes nothing, an edit is one request", async () => {
  const stack = await clone(
    "retention:\n  recordings: { days: 0 }\n  voicemail: { days: 30 }\nnetworkPolicies:\n  office: { id: 0017, name: HQ }\n",
  );
  const refused = await stack.preview({ fails: true });
  expect(refused.split(heading)).toHaveLength(2);
  for (const message of [
    "organization.yaml:2:23 retention.recordings.days: must be a whole number of days from 1 to 3650",
    "organization.yaml:3:3 retention.voicemail: is not a property of retention; known are recordings, conversations, audit_events",
    "organization.yaml:5:17 networkPolicies.office.id: must be a string without slashes",
    "put it in quotes",
  ]) {
    expect(refused).toContain(message);
  }
  expect(refused).not.toMatch(stackTrace);
  expect(stack.organization.requests()).toEqual([]);

  const text = readFileSync(join(root, "organization.yaml"), "utf8");
  stack.write("organization.yaml", text);
  await stack.up();
  expect(stack.organization.requests().sort()).toEqual([...exampleOrganization].sort());
  // With the stack and the organization.
  expect(await stack.up()).toMatch(new RegExp(`^${exampleOrganization.length + 2} unchanged$`, "m"));

  stack.write("organization.yaml", text.replace("recordings: { days: 90 }", "recordings: { days: 180 }"));
  expect(await stack.up({ flags: ["--diff"] })).toContain("~ retentionDays: 90 => 180");
  expect(stack.organization.requests()).toEqual([
    'PUT /v1/retention-policies/recordings {"retention_days":180,"enabled":true}',
  ]);
});
