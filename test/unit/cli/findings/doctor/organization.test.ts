import { examined, project, pulumiWith, wholeProject } from "./project";

const stackProgram = { ...wholeProject, "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n' };

async function organization(files: Record<string, string>, stack?: string): Promise<string[]> {
  const folder = project({ ...stackProgram, ...files });
  const lines = await examined({ folder, ...(stack === undefined ? {} : { stack }), pulumi: pulumiWith({}) });
  return lines.filter((line) => line.split(" ")[1] === "organization");
}

test("a valid organization file is ok", async () => {
  expect(await organization({ "organization.yaml": "{}\n" })).toEqual(["ok organization organization.yaml"]);
});

test("every problem of an invalid file is reported with its place", async () => {
  expect(await organization({ "organization.yaml": "retention:\n  recordings: { days: 0 }\ntrunks: 1\n" })).toEqual([
    expect.stringMatching(/^failure organization organization\.yaml:2:23 retention\.recordings\.days: must be/),
    expect.stringMatching(/^failure organization organization\.yaml:3:9 trunks: must be/),
  ]);
});

test("a missing file is a failure", async () => {
  expect(await organization({})).toEqual(["failure organization organization.yaml cannot be read (ENOENT)"]);
});

test("the file of the selected stack is checked", async () => {
  const files = {
    "Pulumi.dev.yaml": "config: { voiceplane:organizationFile: dev.yaml }\n",
    "Pulumi.prod.yaml": "config: { voiceplane:organizationFile: prod.yaml }\n",
    "dev.yaml": "{}\n",
    "prod.yaml": "{}\n",
  };
  expect(await organization(files, "prod")).toEqual(["ok organization prod.yaml"]);
  expect(await organization(files)).toEqual(["ok organization dev.yaml", "ok organization prod.yaml"]);
});
