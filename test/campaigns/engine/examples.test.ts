import { existsSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { organization } from "../../support/engine/organization";
import { project } from "../../support/engine/project";

const examples = resolve(__dirname, "../../../examples");
const names = readdirSync(examples).filter((name) => existsSync(join(examples, name, "Pulumi.yaml")));

function filesOf(name: string): Record<string, string> {
  const files = readdirSync(join(examples, name), { withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(files.map((file) => [file.name, readFileSync(join(examples, name, file.name), "utf8")]));
}

test.each(names)("the example %s goes up, a second up changes nothing, and it goes down", async (name) => {
  const eu = await organization();
  const stack = await project({ files: filesOf(name), env: { VOICEPLANE_TOKEN_EU: "vp_dev_second_full" } });
  // `npm install` in a copy of the example would make it; the path in Pulumi.yaml does not look above its folder.
  symlinkSync("../node_modules", join(stack.folder, "node_modules"));
  const euBaseUrl = ["-c", `${/^name: (.+)$/m.exec(stack.read("Pulumi.yaml"))?.[1] ?? ""}:euBaseUrl=${eu.url}`];

  await stack.up({ flags: euBaseUrl });
  expect(stack.organization.requests()).not.toEqual([]);
  expect(eu.requests().length > 0).toBe(name === "two-organizations");

  expect(await stack.up({ flags: euBaseUrl })).not.toMatch(/created|updated|deleted|replaced/);
  const reads = (request: string): boolean => request.startsWith("GET ");
  expect([...stack.organization.requests(), ...eu.requests()].filter((request) => !reads(request))).toEqual([]);

  await stack.destroy();
  expect(stack.state()).toEqual({});
});
