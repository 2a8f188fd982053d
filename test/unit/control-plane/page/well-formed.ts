const tag = /<(?<close>\/?)(?<name>[a-z][a-z0-9]*)(?<attributes>(?:\s+[a-zA-Z0-9-]+(?:="[^"<]*")?)*)\s*(?<self>\/?)>/g;
const empty = new Set(["meta", "link", "br", "wbr", "line", "rect", "input"]);

/** The errors in `markup`, read strictly: every tag closed in order, every attribute quoted, every id unique. */
export function markupProblems(markup: string): string[] {
  const problems: string[] = [];
  const open: string[] = [];
  const ids: string[] = [];
  const named: string[] = [];
  const text = markup.replace(/^<!doctype html>/, "").replace(tag, (...match) => {
    const { close, name, attributes, self } = match.at(-1) as Record<string, string>;
    for (const [, attribute, value] of (attributes ?? "").matchAll(/([a-zA-Z0-9-]+)="([^"]*)"/g)) {
      if (attribute === "id") ids.push(value ?? "");
      if (attribute === "aria-labelledby") named.push(value ?? "");
      if (attribute === "style" || attribute?.startsWith("on")) problems.push(`${attribute} is barred by the policy`);
    }
    if (close === "/") {
      const last = open.pop();
      if (last !== name) problems.push(`</${name}> closes <${last}>`);
    } else if (empty.has(name ?? "")) {
      if (self !== "/") problems.push(`<${name}> is not closed`);
    } else open.push(name ?? "");
    return "";
  });
  problems.push(...open.map((name) => `<${name}> is never closed`));
  if (/[<>]/.test(text)) problems.push(`not a tag: ${/[^<>]{0,20}[<>].{0,40}/.exec(text)?.[0]}`);
  if (/&(?!#\d+;)/.test(text)) problems.push("a bare ampersand");
  problems.push(...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two of #${id}`));
  problems.push(...named.filter((id) => !ids.includes(id)).map((id) => `no #${id} to name it`));
  return problems;
}
