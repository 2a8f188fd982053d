/** docs/reference/commands.md shows what the command prints. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { checks, format, statuses, type Finding } from "../../../../../src/cli/findings/finding";

const pages = readFileSync(join(__dirname, "../../../../../docs/reference/commands.md"), "utf8");
const [, page = ""] = /^## doctor\n.*?^<!-- By hand\. -->\n(.*?)^## /ms.exec(pages) ?? [];

test("the page's example has the command's format, with every check in order", () => {
  const example = /^```text\n(.*?)^```$/ms.exec(page)?.[1] ?? "";
  const findings = example
    .slice(0, example.indexOf("\n\n"))
    .split("\n")
    .map((line) => /^(\w+) +(\w+) +(.*)$/.exec(line) ?? [])
    .map(([, status, check, message]) => ({ status, check, message }) as Finding);
  expect(findings.map(({ check }) => check)).toEqual(checks);
  expect(new Set(findings.map(({ status }) => status))).toEqual(new Set(statuses));
  expect(format(findings, "terminal", false)).toBe(example);
});

test("the page's table lists every result that a check can have", () => {
  const documented = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, check]) => check);
  expect(documented).toEqual([...new Set(checks)]);
});

test("only the first word of a line has a color, and JSON has none", () => {
  const findings: Finding[] = [{ check: "node", status: "failure", message: "x", advice: "y\n  z" }];
  expect(format(findings, "terminal", true)).toBe("\u001b[31mfailure\u001b[39m  node          x. y z\n\n1 failure\n");
  expect(format(findings, "json", true)).not.toContain("\u001b");
  expect(format(findings, "markdown", true)).toBe("### voiceplane doctor: 1 failure\n\n- failure node: x. y z\n");
});

test("control characters are shown as escapes", () => {
  const findings: Finding[] = [
    { check: "organization", status: "failure", message: "a\r::error::x\u202e", advice: "\u001b[2J" },
  ];
  expect(format(findings, "terminal", false)).toBe(
    String.raw`failure  organization  a\u{d}::error::x\u{202e}. \u{1b}[2J` + "\n\n1 failure\n",
  );
});
