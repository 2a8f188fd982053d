/** docs/reference/configuration.md has every variable of this package, and docs/reference/organization-file.md every key of the file. */
import { globSync } from "node:fs";
import { organizationJsonSchema } from "../../../src/organization-file/schema.js";
import { read, root } from "../../support/repository";

test("the table has every variable of this package that the sources or the pipelines read, and no other", () => {
  const files = globSync(["src/**/*.ts", "examples/pipelines/**/*.yml", "examples/pipelines/gitlab/.gitlab/*.yml"], {
    cwd: root,
  });
  const found = files.flatMap((file) => read(file).match(/\bVOICEPLANE_[A-Z_]*[A-Z]\b/g) ?? []);
  const listed = [...read("docs/reference/configuration.md").matchAll(/^\| `(VOICEPLANE_\w+)` /gm)].map(
    ([, name]) => name,
  );
  expect(listed.length).toBeGreaterThan(6);
  expect([...new Set(found)].filter((name) => !/^VOICEPLANE_(BASE_URL|TOKEN)_/.test(name)).sort()).toEqual(
    listed.sort(),
  );
});

describe("docs/reference/organization-file.md", () => {
  const text = read("docs/reference/organization-file.md");
  const keysOf = (section: string): string[] => {
    const [, keys = ""] = new RegExp(`^\\| \`${section}\` +\\|[^|]*\\|([^|]*)\\|$`, "m").exec(text) ?? [];
    return [...keys.matchAll(/`(\w+)`/g)].map(([, key = ""]) => key);
  };
  interface Written {
    readonly properties: Record<string, Written>;
    readonly additionalProperties: Written | false;
    readonly $ref?: string;
    readonly $defs: Record<string, Written>;
  }
  const { properties, $defs } = organizationJsonSchema() as Written;
  const { onCreate: _, ...sections } = properties;
  const entryOf = ({ additionalProperties, properties }: Written) => {
    const entry = additionalProperties === false ? Object.values(properties)[0] : additionalProperties;
    return entry && ($defs[entry.$ref?.replace("#/$defs/", "") ?? ""] ?? entry);
  };
  const entries = Object.entries(sections).map(([name, section]) => [name, entryOf(section)] as const);

  test("has a row for each section of the file", () => {
    const rows = [...text.matchAll(/^\| `(\w+)` +\|[^|]*\|[^|]*\|$/gm)].map(([, name]) => name);
    expect(rows).toEqual(expect.arrayContaining(Object.keys(sections)));
  });

  test.each(entries)("the row of %s has every key and no other", (section, entry) => {
    expect(keysOf(section).sort()).toEqual(Object.keys(entry?.properties ?? {}).sort());
  });
});
