/** docs/guides/rotate-webhook-secrets.md shows examples/delivery. `npm run test:delivery` runs the recipes themselves. */
import { blocks, read } from "../../support/docs/documents";

const shown = blocks.filter(({ role }) => role.startsWith("examples/delivery/"));

test.each(shown)("$role on the page has the text of the file", ({ role, text }) => {
  expect(text).toBe(read(role));
});

test("the recipes' lock file names no registry", () => {
  expect(read("examples/delivery/package-lock.json")).not.toMatch(/"resolved"|https?:\/\/[^"]*\.tgz/);
});
