/** Measures text by the columns of a terminal, where a Chinese character or an emoji takes two. The build bundles the library into this file. */
import stringWidth from "string-width";

export const columnsOf = (text: string): number => stringWidth(text);

/** The text, cut to at most so many columns. */
export function fit(text: string, most: number): string {
  if (columnsOf(text) <= most) return text;
  let start = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (columnsOf(start + segment) >= most) break;
    start += segment;
  }
  return `${start}…`;
}

/** The text, filled with spaces or cut, so that it takes exactly these columns. */
export function fill(text: string, columns: number): string {
  const fitted = fit(text, columns);
  return fitted + " ".repeat(columns - columnsOf(fitted));
}
