/**
 * The diagram of docs/architecture.md matches the sources: the linter refuses imports without an arrow, and these tests
 * find arrows without an import.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { Linter, type ESLint } from "eslint";

type Rooms = ReadonlyMap<string, ReadonlySet<string>>;

interface Arrows extends ESLint.Plugin {
  readonly readArrows: (markdown: string) => Rooms;
  readonly readArchitecture: () => Rooms;
  readonly roomOf: (file: string, arrows: Rooms) => string | undefined;
}

// eslint-disable-next-line @typescript-eslint/no-require-imports
const architecture = require("../../../tools/lint/arrows.cjs") as Arrows;
const { readArchitecture, readArrows, roomOf } = architecture;

const root = resolve(__dirname, "../../..");
const arrows = readArchitecture();

test("every file of src is in a room of the diagram, and every room has files", () => {
  const files = globSync("src/**/*.ts", { cwd: root });
  const rooms = files.map((file) => roomOf(join(root, file), arrows));
  expect(files.filter((_file, index) => rooms[index] === undefined)).toEqual([]);
  expect([...arrows.keys()].filter((room) => !rooms.includes(room))).toEqual([]);
});

test("every arrow of the diagram is an import of the sources", () => {
  const used = globSync("src/**/*.ts", { cwd: root }).flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const targets = [...text.matchAll(/(?:from |import |import\()"(\.[^"]+)\.js"/g)].map(([, name = ""]) => name);
    const from = roomOf(join(root, file), arrows);
    return targets.map(
      (name) => `${String(from)} --> ${String(roomOf(join(root, dirname(file), `${name}.ts`), arrows))}`,
    );
  });
  const shown = [...arrows].flatMap(([from, targets]) => [...targets].map((to) => `${from} --> ${to}`));
  expect(shown.length).toBeGreaterThan(20);
  expect(shown.filter((arrow) => !used.includes(arrow))).toEqual([]);
});

test("no room imports, directly or through others, a room that imports it", () => {
  const reached = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of arrows.get(room) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  expect([...arrows.keys()].filter((room) => reached(room).has(room))).toEqual([]);
});

test.each([
  ["src/resources/x.ts", 'import { x } from "../provider/settings.js";', "resources to provider"],
  ["src/control-plane/page/x.ts", 'export * from "../../client/client.js";', "control-plane to client"],
  ["src/client/x.ts", 'export const x = import("../cli/index.js");', "client to cli"],
  ["src/x.ts", 'import { x } from "./contract/index.js";', "this file to contract"],
])("the linter refuses an import that has no arrow: %s, %s", (file, text, arrow) => {
  const rules = { "architecture/arrows": "error" } as const;
  const config: Linter.Config = { files: ["**/*.ts"], plugins: { architecture }, rules };
  const messages = new Linter({ cwd: root }).verify(text, [config], { filename: join(root, file) });
  expect(messages.map(({ message }) => message)).toEqual([`docs/architecture.md has no arrow from ${arrow}.`]);
});

test("arrows are read only from the diagram", () => {
  const markdown = 'a --> b\n```mermaid\nflowchart TD\n  a["one"]\n  b["two/three.ts"]\n  a --> b\n```\nb --> a';
  expect(readArrows(markdown)).toEqual(new Map([["one", new Set(["two/three.ts"])], ["two/three.ts", new Set()]])); // prettier-ignore
});
