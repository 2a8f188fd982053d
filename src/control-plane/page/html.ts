/** Markup that may stand in a page as it is. Made by {@link html} alone, so text never becomes markup by accident. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | readonly Html[] | string | number | undefined;

/** Markup with `parts` in it: strings are escaped, `undefined` is nothing. Attribute values must be quoted. */
export function html(markup: TemplateStringsArray, ...parts: Part[]): Html {
  return new Html(String.raw({ raw: markup }, ...parts.map(render)));
}

function render(part: Part): string {
  if (part === undefined) return "";
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(render).join("");
  return String(part).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Those of `parts` that are there. */
export function joined(parts: readonly (Html | undefined)[], separator: string): Html {
  const present = parts.filter((part) => part !== undefined);
  return html`${present.map((part, index) => html`${index === 0 ? "" : separator}${part}`)}`;
}

const longestText = 120;

/**
 * What somebody else chose, a name or an address: cut where it is long, and kept from turning its neighbours around where
 * it is written from right to left.
 */
export function given(text: string): Html {
  return html`<bdi>${text.length > longestText ? `${text.slice(0, longestText)}…` : text}</bdi>`;
}
