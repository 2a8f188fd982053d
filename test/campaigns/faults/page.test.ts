import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { scenarios } from "../../support/faults/page";

const root = resolve(__dirname, "../../..");
const page = readFileSync(join(root, "docs/operate/when-something-went-wrong.md"), "utf8");
// A mark stands before a block, or after code in backquotes.
const marked = /(?:`([^`\n]*)` )?<!-- shown: ([\w-]+) -->(?:\n\n```text\n([^]*?)```\n)?/g;
const shown = [...page.matchAll(marked)].map(([, code, name, block]) => ({
  name: name ?? "",
  output: block ?? code ?? "",
}));

test("docs/operate/when-something-went-wrong.md shows every tested fault once", () => {
  expect(shown.map(({ name }) => name).sort()).toEqual([...scenarios].sort());
});

test.each(shown)(
  "docs/operate/when-something-went-wrong.md shows real output for $name, without details of the machine",
  ({ output }) => {
    expect(output.trim()).not.toBe("");
    expect(output).not.toMatch(/\/tmp\/|\/root\/|127\.0\.0\.1:(?!4010)|vp_dev/);
  },
);

test.each(scenarios)("a test covers %s", (scenario) => {
  const tests = globSync("test/campaigns/faults/*.test.ts", { cwd: root }).map((file) =>
    readFileSync(join(root, file), "utf8"),
  );
  expect(tests.some((text) => text.includes(`"${scenario}"`))).toBe(true);
});

test("docs/operate/when-something-went-wrong.md says to run up again, and how to repair a lock and a truncated state", () => {
  expect(page).toContain("leave the declaration as it is, fix the cause, run `pulumi up` again");
  expect(page).toContain("`pulumi cancel`");
  expect(page).toContain("`.pulumi/backups/PROJECT/STACK/`");
});
