import { join } from "node:path";
import { testApproved } from "../../../support/approved";
import { changeLines, reportOf, type Digest } from "../../../support/recorded";

/** What a report says in short: its summary, the edits that need an approval, the addresses, and a line for each change. */
async function outline(input: Digest | string): Promise<string> {
  const report = await reportOf(input);
  const { summary, editCount, addresses } = report;
  const lines = changeLines(report).map((line) => `- ${line}`);
  const facts = [summary, `edits: ${editCount}`, ...addresses.map((address) => `requests go to: ${address}`)];
  return [...facts, ...(lines.length > 0 ? ["", ...lines] : [])].join("\n");
}

/** A test for each edited recording. approved/cases has the outlines of their reports. */
export function testOutlines(name: string, cases: Readonly<Record<string, () => Digest | string>>): void {
  const file = join(__dirname, "approved/cases", `${name}.md`);
  testApproved(
    file,
    Object.fromEntries(Object.entries(cases).map(([title, preview]) => [title, () => outline(preview())])),
  );
}
