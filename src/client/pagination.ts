/** What an answer says, beside its data, of being one page of several. */
import { header, type Headers } from "./attempt.js";
import { isObject } from "./json.js";

/**
 * The data; where there are marks of pages beside them, `{ ...marks, data }`: members of the envelope other than its own
 * two, headers of known names, a Link to what is next, and the status of a partial answer.
 */
export function withPaginationHints(data: unknown, json: unknown, status: number, headers: Headers): unknown {
  const marks = { ...besideData(data, json), ...inHeaders(headers), ...(status === 206 && { partial: true }) };
  return Object.keys(marks).length === 0 ? data : { ...marks, data };
}

function besideData(data: unknown, json: unknown): Record<string, unknown> {
  if (data === json || !isObject(json)) return {};
  const { success, data: same, ...beside } = json;
  return beside;
}

const names = /(^|-)(next|page|pages|nextpage|cursor|more|total|count)(-|$)|^content-range$/;

function inHeaders(headers: Headers): Record<string, unknown> {
  const marks = Object.keys(headers).filter((name) => names.test(name));
  const links = [headers.link].flat().filter((link) => link !== undefined && /rel="?[^";,]*next/i.test(link));
  return {
    ...Object.fromEntries(marks.map((name) => [name, header(headers, name)])),
    ...(links.length > 0 && { next: links }),
  };
}
