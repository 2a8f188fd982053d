/** Measures text by the columns of a terminal, where a Chinese character or an emoji takes two. The build bundles the library into this file. */
import stringWidth from "string-width";

export const columnsOf = (text: string): number => stringWidth(text);

/** The text, filled with spaces to these columns. */
export const fill = (text: string, columns: number): string => text + " ".repeat(columns - columnsOf(text));
