/**
 * Approved texts: what a test compares with is a readable file next to it. `npx jest -i -u FILE` writes the files, and a
 * person judges the difference.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const isApproving = process.argv.includes("-u");

export function expectApproved(file: string, text: string): void {
  if (isApproving) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  expect(text).toBe(existsSync(file) ? readFileSync(file, "utf8") : "");
}

/** A test for each case, whose text is below its name in the file, and one that the file has no other. */
export function testApproved(file: string, cases: Readonly<Record<string, () => Promise<string>>>): void {
  const approved = existsSync(file) ? readFileSync(file, "utf8") : "";
  const sections: string[] = [];

  test.each(Object.entries(cases))("%s", async (name, text) => {
    const section = `## ${name}\n\n${await text()}\n`;
    sections.push(section);
    if (!isApproving) expect(`${approved}\n`).toContain(`${section}\n`);
  });

  test("the file has these cases, in this order", () => {
    // Unless only some tests of the file run.
    if (sections.length === Object.keys(cases).length) expectApproved(file, sections.join("\n"));
  });
}
