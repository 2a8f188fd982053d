/**
 * A lint rule for the arrows of docs/architecture.md: a room of src may import only from itself and from the rooms that
 * its arrows point to.
 */
const { readFileSync } = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../..");
const src = path.join(root, "src");

/**
 * Reads the diagram: `id["a room"]` names a room, `a --> b & c` are its arrows.
 *
 * @param {string} markdown
 * @returns {Map<string, Set<string>>} rooms by name, with the rooms that each may import from
 */
function readArrows(markdown) {
  const diagram = /```mermaid\n([^]*?)```/.exec(markdown)?.[1] ?? "";
  const names = new Map([...diagram.matchAll(/^\s*(\w+)\["([^"]+)"\]$/gm)].map(([, id, name]) => [id, name]));
  const arrows = new Map([...names.values()].map((name) => [name, new Set()]));
  for (const [, from, targets] of diagram.matchAll(/^\s*(\w+) --> (.+)$/gm)) {
    for (const to of targets.split("&")) arrows.get(names.get(from)).add(names.get(to.trim()));
  }
  return arrows;
}

/** The room of a file of src. undefined if the diagram has none for it. */
function roomOf(file, arrows) {
  const name = path.relative(src, file).replaceAll(path.sep, "/");
  return [...arrows.keys()]
    .filter((room) => name === room || name.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0];
}

function readArchitecture() {
  return readArrows(readFileSync(path.join(root, "docs/architecture.md"), "utf8"));
}

module.exports = {
  readArrows,
  readArchitecture,
  roomOf,
  rules: {
    arrows: {
      meta: { type: "problem", schema: [] },
      create(context) {
        const arrows = readArchitecture();
        const from = roomOf(context.filename, arrows);
        const check = (source) => {
          if (typeof source?.value !== "string" || !source.value.startsWith(".")) return;
          const file = path.resolve(path.dirname(context.filename), source.value).replace(/\.js$/, ".ts");
          const to = roomOf(file, arrows);
          if (from !== undefined && (from === to || arrows.get(from).has(to))) return;
          const message = `docs/architecture.md has no arrow from ${from ?? "this file"} to ${to ?? source.value}.`;
          context.report({ node: source, message });
        };
        return {
          ImportDeclaration: ({ source }) => check(source),
          ExportNamedDeclaration: ({ source }) => check(source),
          ExportAllDeclaration: ({ source }) => check(source),
          ImportExpression: ({ source }) => check(source),
          TSImportType: ({ source }) => check(source),
          "CallExpression[callee.name='require']": (call) => check(call.arguments[0]),
        };
      },
    },
  },
};
