/** Parts of a page: sections and tables. */

/** Replaces what is below a heading, such as "Arguments" or "### Risks", up to the next one, or up to `<!-- By hand. -->`. */
function withSection(text, title, content) {
  const line = title.startsWith("#") ? title : `## ${title}`;
  const heading = line.replaceAll(/[[\]().*+?^$|\\]/g, String.raw`\$&`);
  const section = new RegExp(`(?<=^${heading}\\n)(.*?)(?=^<!-- By hand\\. -->$|^## |(?![^]))`, "ms");
  if (!section.test(text)) throw new Error(`a page has no section "${line}"`);
  return text.replace(section, () => `\n${content}\n\n`);
}

/** @param {Record<string, string>} sections by heading. A comment at the top of the page says where they are written from. */
function withSections(text, sections) {
  return Object.entries(sections).reduce((page, [title, content]) => withSection(page, title, content), text);
}

const table = (head, rows) => [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** As one line of a cell. */
const cell = (text) =>
  prose(text)
    .replaceAll("|", String.raw`\|`)
    .replaceAll("\n", " ");

/** Placeholders such as `<stack>` are no tags. */
const prose = (text) => text.replaceAll(/`[^`]*`|</g, (found) => (found === "<" ? String.raw`\<` : found));

const code = (text) => `\`${text}\``;

module.exports = { cell, code, prose, table, withSections };
