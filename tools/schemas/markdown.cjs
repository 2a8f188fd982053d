/** Parts of a page: sections and tables. */

/** Replaces what is below a heading, up to the next one of its level, or up to `<!-- By hand. -->`. */
function withSection(text, title, content) {
  const heading = `## ${title}`.replaceAll(/[[\]().*+?^$|\\]/g, String.raw`\$&`);
  const section = new RegExp(`(?<=^${heading}\\n)(.*?)(?=^<!-- By hand\\. -->$|^## |(?![^]))`, "ms");
  if (!section.test(text)) throw new Error(`a page has no section "## ${title}"`);
  return text.replace(section, () => `\n${content}\n\n`);
}

/** Each section is marked with the file that it is written from. */
function withSections(text, sections) {
  return sections.reduce((page, [title, source, content]) => withSection(page, title, `${noteOf(source)}\n\n${content}`), text);
}

const noteOf = (source) => `<!-- Written from ${source} by \`npm run schema\`: change it there. -->`;

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** As one line of a cell. */
const cell = (text) => prose(text).replaceAll("|", String.raw`\|`).replaceAll("\n", " ");

/** Placeholders such as `<stack>` are no tags. */
const prose = (text) => text.replaceAll(/`[^`]*`|</g, (found) => (found === "<" ? String.raw`\<` : found));

const code = (text) => `\`${text}\``;

module.exports = { cell, code, prose, table, withSections };
