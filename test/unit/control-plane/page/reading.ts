import type { ControlPlane } from "../../../../src/control-plane/index";
import { send, type Received } from "../plane";

/** Headers of a browser that opens a page. */
export const browser = { Accept: "text/html,application/xhtml+xml,*/*;q=0.8", Authorization: "" };

/** The page, as a browser requests it. */
export function open(server: ControlPlane): Promise<Received> {
  return send(server, "GET", "/", undefined, browser);
}

/** The text of an element with its descendants, with single spaces. */
export function textOf(markup: string): string {
  const text = markup
    // Parts of one word.
    .replace(/<bdi class="id"[^>]*><span class="head">(.*?)<\/span><span class="tail">(.*?)<\/span><\/bdi>/g, "$1$2")
    .replace(/<wbr \/>/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));
  return text.replace(/\s+/g, " ").trim();
}

/** The text of a part of the page that contains no other parts. */
export async function partText(server: ControlPlane, id: string): Promise<string> {
  const { text } = await open(server);
  const [, , part = ""] = new RegExp(`<(div|p) id="${id}"[^>]*>(.*?)</\\1>`, "s").exec(text) ?? [];
  return textOf(part);
}

/** The rows of the journal, from the top, with "…" for the request ids. */
export async function journalText(server: ControlPlane): Promise<string[]> {
  const { text } = await open(server);
  const [, rows = ""] = /<tbody id="journal-rows"[^>]*>(.*?)<\/tbody>/s.exec(text) ?? [];
  const requestId = / request [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/;
  return rows
    .split("</tr>")
    .map((row) => textOf(row).replace(requestId, " request …"))
    .filter(Boolean);
}
