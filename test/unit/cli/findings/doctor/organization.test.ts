import { examined, project, pulumiWith, wholeProject } from "./project";

const stackProgram = { ...wholeProject, "index.js": 'module.exports = require("pulumi-voiceplane/stack");\n' };

async function organization(files: Record<string, string>, stack?: string): Promise<string[]> {
  const folder = project({ ...stackProgram, ...files });
  const lines = await examined({ folder, ...(stack === undefined ? {} : { stack }), pulumi: pulumiWith({}) });
  return lines.filter((line) => line.split(" ")[1] === "organization");
}

test("the first problems of an invalid file are reported with their places, and the others counted", async () => {
  const entries = Array.from({ length: 60 }, (_, index) => `  w${index}: { id: 1 }\n`).join("");
  const lines = await organization({ "organization.yaml": `webhooks:\n${entries}` });
  expect(lines).toHaveLength(51);
  expect(lines[0]).toMatch(/^failure organization organization\.yaml:2:\d+ webhooks\.w0/);
  expect(lines.at(-1)).toBe("failure organization and 10 more problems");
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
