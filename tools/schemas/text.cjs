/** Comments of what is written. */

/** Longest line of a comment, columns. */
const width = 120;

const header = (path) => `// Written from ${path} by \`npm run schema\`: change it there.`;

function comment(text, { category, links, indent = 0, example }) {
  const space = " ".repeat(indent);
  const linked = text.replaceAll(/`([A-Z]\w+)`/g, (whole, name) => (links.has(name) ? `{@link ${name}}` : whole));
  const tag = category === undefined ? "" : ` @category ${category}`;
  const line = `${space}/** ${linked}${tag} */`;
  if (line.length <= width && !line.includes("\n") && example === undefined) return line;
  const lines = linked.split("\n").flatMap((each) => wrap(each, width - indent - 3));
  const rest = [
    ...(example === undefined ? [] : ["", "@example", "", ...example.split("\n")]),
    ...(tag && ["", tag.trim()]),
  ];
  const body = [...lines, ...rest].map((each) => `${space} *${each === "" ? "" : " "}${each}`);
  return [`${space}/**`, ...body, `${space} */`].join("\n");
}

/** The later lines of a list's item are indented. */
function wrap(text, columns) {
  const indent = text.startsWith("- ") ? "  " : "";
  return text.split(" ").reduce((lines, word) => {
    const line = `${lines.at(-1) ?? ""} ${word}`;
    return lines.length > 0 && line.length <= columns
      ? [...lines.slice(0, -1), line]
      : [...lines, lines.length === 0 ? word : `${indent}${word}`];
  }, []);
}

module.exports = { comment, header };
