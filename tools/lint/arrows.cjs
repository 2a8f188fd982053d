/**
 * A lint rule for the arrows of docs/contributing/architecture.md: a module of src may import only from itself
 * and from the modules that its arrows point to. The first diagram has all of src, and another one the parts of one module.
 */
const { readFileSync } = require("node:fs");
const path = require("node:path");

const root = path.resolve(__dirname, "../..");
const src = path.join(root, "src");

/**
 * Of each diagram, its modules by name, with the modules that each may import from: `id["a module"]` names a module, `a --> b & c` are
 * its arrows.
 *
 * @returns {Map<string, Set<string>>[]}
 */
function readArchitecture() {
  const markdown = readFileSync(path.join(root, "docs/contributing/architecture.md"), "utf8");
  return [...markdown.matchAll(/```mermaid\n([^]*?)```/g)].map(([, diagram]) => {
    const names = new Map([...diagram.matchAll(/^\s*(\w+)\["([^"]+)"\]$/gm)].map(([, id, name]) => [id, name]));
    const arrows = new Map([...names.values()].map((name) => [name, new Set()]));
    for (const [, from, targets] of diagram.matchAll(/^\s*(\w+) --> (.+)$/gm)) {
      for (const to of targets.split("&")) arrows.get(names.get(from)).add(names.get(to.trim()));
    }
    return arrows;
  });
}

/** The module of a file of src. undefined if the diagram has none for it. */
function moduleOf(file, arrows) {
  const name = path.relative(src, file).replaceAll(path.sep, "/");
  return [...arrows.keys()]
    .filter((each) => name === each || name.startsWith(`${each}/`))
    .sort((a, b) => b.length - a.length)[0];
}

module.exports = {
  readArchitecture,
  moduleOf,
  rules: {
    arrows: {
      meta: { type: "problem", schema: [] },
      create(context) {
        const diagrams = readArchitecture();
        const check = (source) => {
          if (typeof source?.value !== "string" || !source.value.startsWith(".")) return;
          const file = path.resolve(path.dirname(context.filename), source.value).replace(/\.js$/, ".ts");
          for (const [index, arrows] of diagrams.entries()) {
            const from = moduleOf(context.filename, arrows);
            const to = moduleOf(file, arrows);
            if (from === undefined ? index > 0 : from === to || arrows.get(from).has(to)) continue;
            if (index > 0 && to === undefined) continue;
            const arrow = `from ${from ?? "this file"} to ${to ?? source.value}`;
            context.report({ node: source, message: `docs/contributing/architecture.md has no arrow ${arrow}.` });
          }
        };
        return {
          "[source.type='Literal']": ({ source }) => check(source),
          "CallExpression[callee.name='require']": (call) => check(call.arguments[0]),
        };
      },
    },
  },
};
