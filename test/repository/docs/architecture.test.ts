/**
 * The diagrams of docs/contributing/architecture.md match the sources: the linter refuses imports without an arrow,
 * and these tests find arrows without an import.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Linter, type ESLint } from "eslint";
import { root } from "../../support/repository";

type Modules = ReadonlyMap<string, ReadonlySet<string>>;

interface Arrows extends ESLint.Plugin {
  readonly readArchitecture: () => readonly Modules[];
  readonly moduleOf: (file: string, arrows: Modules) => string | undefined;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const architecture = require("../../../tools/lint/arrows.cjs") as Arrows;
const { readArchitecture, moduleOf } = architecture;

const diagrams = readArchitecture();
const [house = new Map<string, ReadonlySet<string>>()] = diagrams;
const named = diagrams.map((arrows): [string, Modules] => [[...arrows.keys()].join(", "), arrows]);

test("every file of src is in a module of the first diagram", () => {
  const files = globSync("src/**/*.ts", { cwd: root });
  expect(files.filter((file) => moduleOf(join(root, file), house) === undefined)).toEqual([]);
});

test.each(named)("every module has files, and every arrow is an import of the sources: %s", (_modules, arrows) => {
  const files = globSync("src/**/*.ts", { cwd: root });
  const modules = files.map((file) => moduleOf(join(root, file), arrows));
  expect([...arrows.keys()].filter((module) => !modules.includes(module))).toEqual([]);
  const used = files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const targets = [...text.matchAll(/(?:from |import |import\()"(\.[^"]+)\.js"/g)].map(([, name = ""]) => name);
    const from = moduleOf(join(root, file), arrows);
    return targets.map(
      (name) => `${String(from)} --> ${String(moduleOf(join(root, dirname(file), `${name}.ts`), arrows))}`,
    );
  });
  const shown = [...arrows].flatMap(([from, targets]) => [...targets].map((to) => `${from} --> ${to}`));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((arrow) => !used.includes(arrow))).toEqual([]);
});

test.each(named)("no module imports, directly or through others, a module that imports it: %s", (_modules, arrows) => {
  const reached = (module: string, seen = new Set<string>()): Set<string> => {
    for (const next of arrows.get(module) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  expect([...arrows.keys()].filter((module) => reached(module).has(module))).toEqual([]);
});

test("no file of src imports, directly or through others, a file that imports it", () => {
  const imports = new Map(
    globSync("src/**/*.ts", { cwd: root }).map((file) => {
      const names = [...readFileSync(join(root, file), "utf8").matchAll(/from "(\.[^"]+)\.js"/g)];
      return [file, names.map(([, name = ""]) => join(dirname(file), `${name}.ts`))] as const;
    }),
  );
  const circles: string[] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" > "));
    else if (!done.has(file)) for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of imports.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test.each([
  ["src/resources/x.ts", 'import { x } from "../provider/settings.js";', "resources to provider"],
  ["src/client/x.ts", 'export const x = import("../cli/index.js");', "client to cli"],
  ["src/cli/pulumi/x.ts", 'import { x } from "../report/x.js";', "cli/pulumi to cli/report"],
])("the linter refuses an import that has no arrow: %s, %s", (file, text, arrow) => {
  const rules = { "architecture/arrows": "error" } as const;
  const config: Linter.Config = { files: ["**/*.ts"], plugins: { architecture }, rules };
  const messages = new Linter({ cwd: root }).verify(text, [config], { filename: join(root, file) });
  const expected = `docs/contributing/architecture.md has no arrow from ${arrow}.`;
  expect(messages.map(({ message }) => message)).toEqual([expected]);
});
