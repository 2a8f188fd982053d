/** What the package schema says of the package itself. What it has of resources is in the repository, and compared there. */
import manifest from "../../../package.json";

// eslint-disable-next-line @typescript-eslint/no-require-imports
const { outputSpec, packageOf } = require("../../../tools/schemas/package.cjs") as {
  outputSpec: (type: object, defs?: object) => object;
  packageOf: (manifest: object) => object;
};

test("the addresses of the package schema follow from the repository in package.json", () => {
  const url = "git+https://github.com/acme/pulumi-voiceplane.git";
  expect(packageOf({ ...manifest, repository: { type: "git", url } })).toMatchObject({
    repository: "https://github.com/acme/pulumi-voiceplane",
    homepage: "https://github.com/acme/pulumi-voiceplane",
    publisher: "acme",
    logoUrl: "https://raw.githubusercontent.com/acme/pulumi-voiceplane/HEAD/docs/images/logo.svg",
    pluginDownloadURL: "github://api.github.com/acme/pulumi-voiceplane",
    language: { go: { importBasePath: "github.com/acme/pulumi-voiceplane/sdk/go/voiceplane" } },
  });
  const without = packageOf({ ...manifest, repository: undefined });
  const addresses = ["repository", "homepage", "publisher", "logoUrl", "pluginDownloadURL"];
  expect(Object.keys(without).filter((key) => addresses.includes(key))).toEqual([]);
  expect(without).toMatchObject({
    language: { go: { importBasePath: "pulumi-voiceplane/sdk/go/voiceplane" } },
  });
});

test.each([
  [{ type: "string" }, { type: "string" }],
  [{}, { $ref: "pulumi.json#/Any" }],
  [
    { type: "array", items: { $ref: "#/$defs/Kind" } },
    { type: "array", items: { type: "string" } },
  ],
  [
    { type: "object", additionalProperties: { type: "array", items: { type: "integer" } } },
    { type: "object", additionalProperties: { type: "array", items: { type: "integer" } } },
  ],
])("an output %j is written with the types of its values", (type, written) => {
  expect(outputSpec(type, { Kind: { type: "string", enum: ["a", "b"] } })).toEqual(written);
});

test("an output whose members have names of their own, or that has several types, is refused", () => {
  for (const type of [{ type: "object", properties: {} }, { anyOf: [] }])
    expect(() => outputSpec(type)).toThrow("an output is a value, or a list or a map of values");
});
