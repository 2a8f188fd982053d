/** docs/reference/configuration.md has every environment variable, and docs/reference/organization-file.md every key of the file. */
import { globSync } from "node:fs";
import { organizationJsonSchema } from "../../../src/organization-file/schema.js";
import { read, root } from "../../support/repository";

const page = read("docs/reference/configuration.md");

/** The names in the first cells of the page's tables. */
const listed = [...page.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name),
);
const variables = listed.filter((name) => !name.includes(":"));

/** Names with one of these beginnings are variables wherever they are written. Others are read as a member of `env`. */
const beginnings = /\b(?:VOICEPLANE|PULUMI|OTEL|NODE|TS_NODE)_(?:[A-Z][A-Z0-9_]*)?|\b(?:HTTPS?|NO)_PROXY\b/g;
const members = /(?<=\benv\.)[A-Z][A-Z0-9_]*\b/g;

const sources = globSync(["src/**/*.ts", "examples/policies/*.{ts,cjs}"], {
  cwd: root,
  exclude: (name) => name === "node_modules",
}).sort();

const found = sources.flatMap((file) => [beginnings, members].flatMap((names) => read(file).match(names) ?? []));

/** A name that ends in "_" is a beginning, to which the code adds a label, a signal or any other text. */
function isListed(name: string): boolean {
  if (name.endsWith("_")) return variables.some((each) => each.startsWith(name));
  return variables.some((each) => each === name || (/[<…]/.test(each) && name.startsWith(each.split(/[<…]/)[0] ?? "")));
}

test("every environment variable in the sources is in the table", () => {
  expect(found).toEqual(expect.arrayContaining(["VOICEPLANE_TOKEN", "HTTPS_PROXY", "CI"]));
  expect([...new Set(found.filter((name) => !isListed(name)))]).toEqual([]);
});

test("every variable of this project in the table is in the sources or the pipelines", () => {
  const pipelines = globSync("examples/pipelines/**/*.yml", { cwd: root });
  const text = [...sources, ...pipelines, "examples/pipelines/gitlab/.gitlab/voiceplane.yml"].map(read).join("\n");
  const own = variables.filter((name) => name.startsWith("VOICEPLANE_") && !name.includes("<"));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter((name) => !text.includes(name))).toEqual([]);
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
