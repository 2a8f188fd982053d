/** What docs/operate/when-something-went-wrong.md shows of the engine's output, compared with what these tests see. */
import { read } from "../repository";

/** Without what differs between runs, and in one line. */
const comparable = (text: string): string =>
  text
    .replaceAll(/127\.0\.0\.1:\d{4,5}/g, "127.0.0.1:…")
    .replaceAll(/request id [\w-]+…?/g, "request id …")
    .replaceAll(/\([\d.]+s\)/g, "(…s)")
    // The engine's order decides which webhook the fault hits.
    .replaceAll(/crm-\d/g, "crm")
    .replaceAll(/\s+/g, " ");

const page = comparable(read("docs/operate/when-something-went-wrong.md"));

/** The page shows this line, or of a resource's diagnostics what follows the request. */
export function expectOnPage(output: string): void {
  const forms = [/ \/v1\/\S+ (.+)/, /error: (.+)/, /warning: (.+)/, /(.+)/];
  const [message = ""] = forms.flatMap((form) => form.exec(output)?.[1] ?? []);
  expect(message).not.toBe("");
  const shown = comparable(message).trim();
  expect(page.includes(shown) ? [] : [shown]).toEqual([]);
}

/** The last line with this text. */
export function lineOf(output: string, text: string): string {
  const line = output.split("\n").findLast((each) => each.includes(text));
  if (line === undefined) throw new Error(`no line with "${text}" in:\n${output}`);
  return line;
}

/** The diagnostics that the engine prints below a resource's name. */
export function diagnosticsOf(output: string, name: string): string {
  const lines = output.slice(output.indexOf("Diagnostics:")).split("\n");
  const start = lines.findIndex((line) => /^ {2}(pulumi|voiceplane)/.test(line) && line.endsWith(`(${name}):`));
  if (start < 0) throw new Error(`no diagnostics of ${name} in:\n${output}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line !== "" && !line.startsWith("    "));
  return [lines[start], ...rest.slice(0, end < 0 ? undefined : end)].join("\n").trimEnd();
}
