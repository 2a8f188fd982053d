/** Pages that are followed from the first line to the last, and commands of docs/operate/security.md. */
import { hash } from "node:crypto";
import { organization } from "../../support/engine/organization";
import { workspace, type Workspace } from "../../support/engine/workspace";
import { blocks, type followed } from "../../support/docs/documents";
import { read } from "../../support/repository";
import { follow } from "../../support/docs/walkthroughs";

const crm = "c0000000-0000-4000-8000-000000000001";

/** The pages that are followed, and the requests that they send, sorted. */
const pages: Record<(typeof followed)[number], string[]> = {
  // The first program of the README is one that sends nothing.
  "README.md": [],
  "docs/guides/quick-start.md": [
    // One from the doctor, one from the refresh.
    "GET /v1/webhooks/",
    "GET /v1/webhooks/",
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  // The page adopts what is there, which sends nothing.
  "docs/guides/adopt-an-organization.md": [],
  "docs/guides/manage-many-organizations.md": [
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  "docs/guides/rename-move-or-stop-managing.md": [
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  "docs/guides/test-your-stack.md": [
    `POST /v1/webhooks/${crm}/rotate-secret`,
    `POST /v1/webhooks/${crm}/rotate-secret`,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
};

test.each(Object.keys(pages) as (keyof typeof pages)[])(
  "%s can be followed from the first line to the last, and prints what it shows",
  async (page) => {
    const stack = await workspace();
    const other = await organization();
    await follow(page, stack, {
      "http://127.0.0.1:4010": stack.organization.url,
      "http://127.0.0.1:4011": other.url,
      "https://voice.example.com": stack.organization.url,
    });
    expect(stack.organization.requests().sort()).toEqual(pages[page]);
    const sentToOther =
      page === "docs/guides/manage-many-organizations.md"
        ? ['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}']
        : [];
    expect(other.requests()).toEqual(sentToOther);
    if (page === "docs/guides/rename-move-or-stop-managing.md") await expectSecretInUse(stack);
  },
);

/** The last stack of the page outputs the secret that the control plane signs with, after all moves and renames. */
async function expectSecretInUse(stack: Workspace): Promise<void> {
  // The page ends the session, which unsets its variables.
  const [exports = ""] =
    /^export PULUMI_BACKEND_URL.*$/m.exec(read("docs/guides/rename-move-or-stop-managing.md")) ?? [];
  const command = `. "${stack.folder}/.session"\n${exports}\npulumi stack output webhookSecrets --show-secrets`;
  const secrets = JSON.parse(await stack.must(command)) as Record<string, string>;
  const webhook = stack.organization.control.state().webhooks.find(({ id }) => id === crm);
  expect(hash("sha256", secrets["crm-hooks"] ?? "")).toBe(webhook?.signing_secret_sha256);
}

test("the token that docs/operate/security.md passes on standard input is in the configuration, encrypted and without its line end", async () => {
  const stack = await workspace();
  stack.write("Pulumi.yaml", "name: acme-voice\nruntime: nodejs\n");
  stack.write("token.txt", "vp_dev_full\n");
  const command = shellOf("docs/operate/security.md", "pulumi config set");
  await stack.must(`pulumi stack init dev --non-interactive\n${command}`);
  expect(await stack.must("pulumi config get voiceplane:token --stack dev")).toBe("vp_dev_full\n");
  expect(stack.read("Pulumi.dev.yaml")).toMatch(/voiceplane:token:\s+secure: /);
  expect(stack.read("Pulumi.dev.yaml")).not.toContain("vp_dev_full");
});

/** The page's one block of commands that contains this text. */
function shellOf(page: string, part: string): string {
  const found = blocks.filter(({ file, language, text }) => file === page && language === "sh" && text.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? "";
}
