/** docs/guides/rotate-webhook-secrets.md shows examples/delivery. `npm run test:delivery` runs the recipes themselves. */
import { globSync } from "node:fs";
import { blocks, read, root } from "../../support/docs/documents";

const recipes = globSync("examples/delivery/*.ts", { cwd: root })
  .map((file) => file.replace("examples/delivery/", ""))
  .filter((name) => !["secrets.ts", "receiver.ts"].includes(name))
  .sort();
const shown = blocks.filter(({ role }) => role.startsWith("examples/delivery/"));

test.each(["docs/guides/rotate-webhook-secrets.md", "examples/delivery/README.md"])("%s lists every recipe", (page) => {
  const listed = [...read(page).matchAll(/^\|.*?\[([\w-]+\.ts)\]/gm)].map((match) => match[1]);
  expect(listed.sort()).toEqual(recipes);
});

test("docs/guides/rotate-webhook-secrets.md shows the shortest recipe", () => {
  const shortest = recipes.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0];
  expect(shown.map(({ file, role }) => [file, role])).toEqual([
    ["docs/guides/rotate-webhook-secrets.md", `examples/delivery/${shortest}`],
  ]);
});

function lengthOf(recipe: string): number {
  return read(`examples/delivery/${recipe}`).length;
}

test.each(shown)("$role on the page has the text of the file", ({ role, text }) => {
  expect(text).toBe(read(role));
});

test("the README shows the steps of `npm run test:delivery`", () => {
  const steps = [...read("tools/delivery.mjs").matchAll(/await step\("([^"]+)"/g)].map(([, name]) => name);
  const lines = [...read("examples/delivery/README.md").matchAll(/^ok {6}(.+) \(\d+\.\d s\)$/gm)];
  expect(steps.length).toBeGreaterThan(2);
  expect(lines.map(([, name]) => name)).toEqual(steps);
});

test("the recipes' lock file names no registry", () => {
  expect(read("examples/delivery/package-lock.json")).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});
