import { existsSync } from "node:fs";
import { join } from "node:path";
import { organization } from "../engine/support/organization";
import { follow, workspace } from "./walkthroughs";
import { blocks, root } from "./documents";

const crm = "c0000000-0000-4000-8000-000000000001";
const office = "a0000000-0000-4000-8000-000000000001";

/** The pages that are followed, and the requests that whoever follows them sends, in the order of the alphabet. */
const pages: Record<string, string[]> = {
  "docs/quick-start.md": [
    // The doctor's, and the refresh's.
    "GET /v1/webhooks/",
    "GET /v1/webhooks/",
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  "docs/adopting.md": [
    `PATCH /v1/network-policies/${office} {"name":"Office","source_cidr":"203.0.113.0/24"}`,
    'PUT /v1/retention-policies/recordings {"retention_days":365,"enabled":true}',
  ],
  "docs/organizations.md": ['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}'],
  "docs/moves.md": [
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
};

test.each(Object.keys(pages))(
  "%s can be followed from the first line to the last, and prints what it shows",
  async (page) => {
    const stack = await workspace();
    const other = await organization();
    await follow(page, stack, {
      "http://127.0.0.1:4010": stack.organization.url,
      "http://127.0.0.1:4011": other.url,
    });
    expect(stack.organization.requests().sort()).toEqual(pages[page]);
    const sentToOther =
      page === "docs/organizations.md"
        ? ['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}']
        : [];
    expect(other.requests()).toEqual(sentToOther);
  },
);

test("the token that docs/security.md gives by standard input is in the configuration, encrypted and without its line end", async () => {
  const stack = await workspace();
  stack.write("Pulumi.yaml", "name: acme-voice\nruntime: nodejs\n");
  stack.write("token.txt", "vp_dev_full\n");
  const command =
    blocks.find(({ file, language }) => file === "docs/security.md" && language === "sh")?.text ?? "false";
  await stack.must(`pulumi stack init dev --non-interactive\n${command}`);
  expect(await stack.must("pulumi config get voiceplane:token --stack dev")).toBe("vp_dev_full\n");
  expect(stack.read("Pulumi.dev.yaml")).toMatch(/voiceplane:token:\s+secure: /);
  expect(stack.read("Pulumi.dev.yaml")).not.toContain("vp_dev_full");
});

/** Commands of the other pages, and the tests that run them. */
const elsewhere: Record<string, string> = {
  "AGENTS.md": "test/docs/documents.test.ts",
  "README.md": "test/tools/start.test.ts",
  "docs/report.md": "test/cli/report/command.test.ts",
  "docs/security.md": "test/docs/walkthroughs.test.ts",
};

test("no page shows commands that no test runs", () => {
  const files = blocks
    .filter(({ language, role }) => language === "sh" && role !== "elsewhere")
    .map(({ file }) => file);
  const known = [...Object.keys(pages), ...Object.keys(elsewhere)];
  expect(files.filter((file) => !known.includes(file))).toEqual([]);
  expect(Object.values(elsewhere).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

test("no block is of a language that no test looks at", () => {
  const known = ["ts", "js", "json", "yaml", "sh", "text", "markdown"];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
});

test("commands for another terminal are those that this test stands in for", () => {
  const commands = blocks.filter(({ role }) => role === "elsewhere").map(({ text }) => text.trim());
  expect(new Set(commands)).toEqual(new Set(["npx voiceplane serve", "npx voiceplane serve --port 4011"]));
});
