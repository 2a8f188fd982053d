import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { operations } from "../../../src/contract/index";
import { defaultLimits } from "../../../src/client/settings";
import { faultSchema } from "../../../src/control-plane/faults";
import { documents, prose } from "../../support/docs/documents";
import { read, root } from "../../support/repository";

const relativeLinks = documents.flatMap((file) => {
  const links = [...prose(file).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, link = ""]) => link);
  return [...new Set(links)].map((link) => ({ file, link }));
});

/**
 * The anchors that GitHub makes from headings, with a number for repeated ones, and the anchors that a page sets
 * itself.
 */
function anchorsOf(file: string): string[] {
  const text = prose(file);
  const named = [...text.matchAll(/^#+ (.+)$/gm)].map((match) =>
    (match[1] ?? "")
      .toLowerCase()
      .replace(/[^\w\- ]/g, "")
      .replaceAll(" ", "-"),
  );
  const numbered = named.map((name, index) => {
    const before = named.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
  return [...numbered, ...[...text.matchAll(/<a id="([^"]+)">/g)].map((match) => match[1] ?? "")];
}

const { engines, peerDependencies, version } = JSON.parse(read("package.json")) as {
  engines: { node: string };
  peerDependencies: Record<string, string>;
  version: string;
};
const sdk = peerDependencies["@pulumi/pulumi"] ?? "";
const [node, pulumi] = [engines.node.replace(">=", ""), sdk.replace("^", "")];

// Text blocks show what a machine of an example has, and lock files what is installed.
const pages = documents
  .filter((file) => !file.startsWith("CHANGELOG") && !file.startsWith("docs/contributing/"))
  .map((file) => ({ file, text: read(file).replace(/^```text\n.*?^```$/gms, "") }));
const manifests = [...documents, ...globSync("examples/*/package{,-lock}.json", { cwd: root })].map((file) => ({
  file,
  text: read(file).split('"node_modules/')[0] ?? "",
}));

test.each([
  ["the range of Pulumi's SDK", sdk, manifests, /"@pulumi\/pulumi": "([^"]+)"/g],
  ["the oldest Node", node, pages, /(?:Node(?:\.js)?,? |older than )(\d+\.\d+)/g],
  [
    "this package's version",
    version,
    pages,
    /(?:pulumi-voiceplane-|-voiceplane-v|resource voiceplane |^Version |^ +version: )(\d+\.\d+\.\d+)\b/gm,
  ],
])("wherever a page or an example names %s, it is that of package.json", (_what, expected, files, pattern) => {
  const found = files.flatMap(({ file, text }) => [...text.matchAll(pattern)].map(([, named]) => ({ file, named })));
  expect(found.length).toBeGreaterThan(5);
  expect(found.filter(({ named }) => named !== expected)).toEqual([]);
});

test("the smallest versions on the pages are those of the package, and the tested engine is that of the tests", () => {
  const versions = read("tools/engine/versions.mjs");
  expect(versions).toContain(`OLDEST_ENGINE = "${pulumi}"`);
  const engine = /TESTED_ENGINE = "(.*)"/.exec(versions)?.[1] ?? "";
  expect(read("README.md")).toContain(`Node ${node} or newer, Pulumi ${pulumi} or newer`);
  expect(read("README.md")).toContain(`and Pulumi ${engine}`);
  const rows = /^\| (Pulumi CLI|`@pulumi\/pulumi`|Node) +\| (\S+) +\| (\S+) /gm;
  const cells = [...read("docs/operate/upgrade.md").matchAll(rows)];
  expect(cells.map(([, what, smallest]) => [what, smallest])).toEqual([
    ["Pulumi CLI", pulumi],
    ["`@pulumi/pulumi`", pulumi],
    ["Node", node],
  ]);
  expect(cells[0]?.[3]).toBe(engine);
  expect(read(".github/workflows/test.yml")).toContain(`node@${node}.0 @pulumi/pulumi@${pulumi}`);
});

test.each(relativeLinks)("$file: the link to $link has a target", ({ file, link }) => {
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? file : join(dirname(file), path);
  expect(existsSync(join(root, target))).toBe(true);
  if (anchor !== undefined) expect(anchorsOf(target)).toContain(anchor);
});

test("every script, folder and file that AGENTS.md names in a command exists", () => {
  const text = read("AGENTS.md");
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named = [...text.matchAll(/npm (?:run )?(test|start|(?<=run )\w+)/g)].map((match) => match[1] ?? "");
  expect(named).toContain("build");
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const paths = [...text.matchAll(/(?:npx jest|node|npx eslint) ((?:[\w./-]+ ?)+)/g)].flatMap((match) =>
    (match[1] ?? "").trim().split(" "),
  );
  expect(paths).toContain("test/repository/docs");
  // A pattern of jest is the beginning of a file's name.
  const isThere = (path: string) => globSync(`${path.replace("MODULE", "values")}*`, { cwd: root }).length > 0;
  expect(paths.filter((path) => !isThere(path))).toEqual([]);
});

test("the pages say how often a request is repeated, and for how long", () => {
  const rows = [
    ...read("docs/operate/when-something-went-wrong.md").matchAll(/repeated, up to (\d+) times in (\d+) s/g),
  ].map(([, times, seconds]) => [Number(times) + 1, Number(seconds)]);
  const [attempt, request] = [defaultLimits.attemptTimeoutMs / 1000, defaultLimits.deadlineMs / 1000];
  expect(rows).toEqual(Array(2).fill([defaultLimits.maxAttempts, request]));
  expect(read("docs/reference/interface.md")).toContain(`A request may take ${request} s, an attempt ${attempt} s`);
});

test("docs/guides/test-your-stack.md has every field of a fault and every operation", () => {
  const guide = read("docs/guides/test-your-stack.md");
  const fields = [...guide.matchAll(/^\| `(\w+)` /gm)].map(([, field]) => field);
  expect(fields).toEqual(Object.keys(faultSchema.shape));
  expect(Object.keys(operations).filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
});

const examples = globSync("examples/*/README.md", { cwd: root }).map(dirname);
const clearing = examples.filter((folder) =>
  globSync("**/*.{ts,yaml,py}", { cwd: join(root, folder) }).some((file) =>
    /cleared: true|"?outboundAuth"?: "?cleared/.test(read(join(folder, file))),
  ),
);

test.each(clearing)("the README of %s warns that nothing can restore what its `up` clears", (folder) => {
  expect(read(`${folder}/README.md`)).toMatch(/clears [^.]*outbound credentials[^]*nothing can restore\s+them/i);
});
