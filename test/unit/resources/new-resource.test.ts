/** A resource that is added to the table is everywhere that asks the table. */
import { lifecycleOf } from "../../../src/cli/report/resources.js";
import { resources, resourceTypeOf } from "../../../src/resources/index.js";
import { callLimitEntry } from "../../support/resources/call-limit.js";
import { schemaOf } from "../../support/resources/generators.js";

const table = Object.assign(resources, { CallLimit: callLimitEntry });

test.each(["pulumi-nodejs:dynamic/voiceplane:CallLimit", "voiceplane:index:CallLimit"])(
  "the type %s is known, in the report too",
  (token) => {
    expect(resourceTypeOf(token)).toBe("CallLimit");
    expect(lifecycleOf(token)).toBe(callLimitEntry.lifecycle);
  },
);

test("the package schema has it, with its inputs, its outputs and its secrets", () => {
  const { resources: all, types } = schemaOf(table);
  const { description, ...schema } = all["voiceplane:index:CallLimit"] ?? {};
  expect(description).toBe(
    [
      "How many calls the organization may have at once.",
      "- create: a request.\n- update: the same.\n- read: nothing.\n- delete: what `onDelete` says.",
      "Errors: none.",
      "{{% examples %}}\n\n## Example Usage\n\n{{% example %}}",
      '```typescript\nimport { CallLimit } from "pulumi-voiceplane/native";\n```',
      "```python\nimport pulumi_voiceplane as voiceplane\n```",
      '```go\nimport "pulumi-voiceplane/sdk/go/voiceplane"\n```',
      "```yaml\nresources: {}\n```",
      "{{% /example %}}\n\n{{% /examples %}}",
    ].join("\n\n"),
  );
  expect(schema).toMatchObject({
    inputProperties: {
      direction: {
        type: "string",
        $ref: "#/types/voiceplane:index:CallDirection",
        willReplaceOnChanges: true,
        description: "The calls that are limited.",
      },
      calls: { type: "integer", description: "How many calls at once. Must be a whole number." },
      window: { $ref: "#/types/voiceplane:index:CallWindow" },
      pin: { type: "string", secret: true },
      onDelete: { type: "string", $ref: "#/types/voiceplane:index:CallLimitOnDelete" },
    },
    requiredInputs: ["direction", "calls"],
    properties: {
      direction: { type: "string", description: "The calls that are limited." },
      calls: { type: "integer", description: "How many, as last sent." },
      ticket: { type: "string", secret: true, description: "What the server answered." },
    },
    required: ["direction", "calls", "organization"],
    aliases: [{ type: "pulumi-nodejs:dynamic/voiceplane:CallLimit" }],
  });
  expect(types["voiceplane:index:CallWindow"]).toEqual({
    type: "object",
    description: "When a limit holds.",
    properties: { hours: { type: "array", items: { type: "integer" }, description: "Hours of the day, in UTC." } },
    required: ["hours"],
  });
  expect(types["voiceplane:index:CallDirection"]).toEqual({
    type: "string",
    description: "Who calls.",
    enum: [{ value: "inbound" }, { value: "outbound" }],
  });
});

test("the addresses of the package schema follow from the repository in package.json", () => {
  const url = "git+https://github.com/acme/pulumi-voiceplane.git";
  expect(schemaOf(table, { repository: { type: "git", url } })).toMatchObject({
    repository: "https://github.com/acme/pulumi-voiceplane",
    homepage: "https://github.com/acme/pulumi-voiceplane",
    publisher: "acme",
    logoUrl: "https://raw.githubusercontent.com/acme/pulumi-voiceplane/HEAD/docs/images/logo.svg",
    pluginDownloadURL: "github://api.github.com/acme/pulumi-voiceplane",
    language: { go: { importBasePath: "github.com/acme/pulumi-voiceplane/sdk/go/voiceplane" } },
  });
  const without = schemaOf(table, { repository: undefined });
  const addresses = ["repository", "homepage", "publisher", "logoUrl", "pluginDownloadURL"];
  expect(Object.keys(without).filter((key) => addresses.includes(key))).toEqual([]);
  expect(without).toMatchObject({
    language: { go: { importBasePath: "pulumi-voiceplane/sdk/go/voiceplane" } },
  });
});
