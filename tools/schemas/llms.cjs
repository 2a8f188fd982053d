/** Writes llms.txt: each page with its title and what it answers, for programs that read the documentation (https://llmstxt.org). */

const folders = { "docs/guides": "Guides", "docs/operate": "Operate", "docs/reference": "Reference", docs: "Package" };

/**
 * @param {{ description: string }} manifest package.json
 * @param {string[]} pages paths of the pages for users
 * @param {(file: string) => string} read gives a page as it is
 */
function llmsText({ description }, pages, read) {
  const sections = Object.entries(folders).map(([folder, title]) => {
    const own = pages.filter((page) => page.slice(0, page.lastIndexOf("/")) === folder);
    return [`## ${title}`, "", ...own.map((page) => entry(page, read(page)))].join("\n");
  });
  return ["# voiceplane", `> ${description}`, ...sections].join("\n\n") + "\n";
}

/** The title, and the first sentence below it. Pages of the registry have the title above them. */
function entry(page, text) {
  const title = /^(?:# |title: )(.*)$/m.exec(text)?.[1];
  const paragraphs = text
    .replace(/^---\n.*?^---\n/ms, "")
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim());
  const start = paragraphs.find((paragraph) => /^[A-Z`]/.test(paragraph) && !paragraph.startsWith("```")) ?? "";
  const plain = start.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll(/\s+/g, " ");
  return `- [${title}](${page}): ${plain.replace(/(?<=[.?:]) .*$/, "").replace(/:$/, ".")}`;
}

module.exports = { llmsText };
