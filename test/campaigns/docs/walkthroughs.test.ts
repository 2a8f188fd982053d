import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tokens } from "../../../src/control-plane/access";
import { installedPackage } from "../../support/engine/installation";
import { organization } from "../../support/engine/organization";
import type { Workspace } from "../../support/pipelines/workspace";
import { blocks, read, root } from "../../guards/docs/documents";
import { follow, workspace } from "./walkthroughs";

const crm = "c0000000-0000-4000-8000-000000000001";
const office = "a0000000-0000-4000-8000-000000000001";

/** The pages that are followed, and the requests that they send, sorted. */
const pages: Record<string, string[]> = {
  "docs/quick-start.md": [
    // One from the doctor, one from the refresh.
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
  "docs/control-plane.md": [
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
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
    if (page === "docs/moves.md") await expectSecretInUse(stack);
  },
);

/**
 * The last stack of docs/moves.md outputs the secret that the control plane signs with, after all moves and renames.
 */
async function expectSecretInUse(stack: Workspace): Promise<void> {
  const command = `. "${stack.folder}/.session"\npulumi stack output secret --show-secrets --cwd sales`;
  const sha256 = createHash("sha256")
    .update((await stack.must(command)).trim())
    .digest("hex");
  const webhook = stack.organization.control.state().webhooks.find(({ id }) => id === crm);
  expect(sha256).toBe(webhook?.signing_secret_sha256);
}

test("docs/control-plane.md lists every route and every token", async () => {
  const { url } = await organization();
  const { routes } = (await (await fetch(`${url}/_control/`)).json()) as { routes: string[] };
  const documented = [...read("docs/control-plane.md").matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]);
  const complete = routes.map((route) => route.replace(" ", " /_control/"));
  expect(documented).toEqual([...Object.values(tokens), ...complete]);
});

test("the token that docs/security.md passes on standard input is in the configuration, encrypted and without its line end", async () => {
  const stack = await workspace();
  stack.write("Pulumi.yaml", "name: acme-voice\nruntime: nodejs\n");
  stack.write("token.txt", "vp_dev_full\n");
  const command = shellOf("docs/security.md", "pulumi config set");
  await stack.must(`pulumi stack init dev --non-interactive\n${command}`);
  expect(await stack.must("pulumi config get voiceplane:token --stack dev")).toBe("vp_dev_full\n");
  expect(stack.read("Pulumi.dev.yaml")).toMatch(/voiceplane:token:\s+secure: /);
  expect(stack.read("Pulumi.dev.yaml")).not.toContain("vp_dev_full");
});

test("the bill of materials in docs/security.md lists the three dependencies and nothing else", async () => {
  const stack = await workspace();
  stack.standIn("npm", 'PATH="${PATH#*:}" exec npm "$@"');
  // The lock file replaces the registry: npm uses the locked packages, and drops unneeded ones.
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, object> };
  const { "": _root, "node_modules/pulumi-voiceplane": _itself, ...known } = packages;
  stack.write("sbom/package-lock.json", JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...known } }));

  await stack.must(`cd "${installedPackage()}"\nnpm pack --silent --pack-destination "${stack.folder}/sbom"`);
  const output = await stack.must(`cd sbom\n${shellOf("docs/security.md", "npm sbom")}`);
  const names = [...output.matchAll(/"bom-ref": "(.+)@/g)].map((match) => match[1]);
  expect(names).toEqual(["sbom", "pulumi-voiceplane", "undici", "yaml", "zod"]);
});

/** The page's one block of commands that contains this text. */
function shellOf(page: string, part: string): string {
  const found = blocks.filter(({ file, language, text }) => file === page && language === "sh" && text.includes(part));
  expect(found).toHaveLength(1);
  return found[0]?.text ?? "";
}

/** Commands on pages that are not followed, and the file that runs each of them. */
const elsewhere: Record<string, Record<string, string>> = {
  "README.md": {
    "npm start": "test/campaigns/engine/start.test.ts",
    "npm test": "tools/test.mjs",
    "npm install pulumi-voiceplane @pulumi/pulumi": "test/support/engine/installation.ts",
    "npm pkg set type=module": "test/check/doctor/packages.test.ts",
  },
  "docs/apply.md": {
    "npx voiceplane apply --stack acme": "test/real/apply/apply.test.ts",
    "voiceplane apply --stack acme --state-version \\": "test/cli/apply.test.ts",
    [`"psql -Atc \\"select key, updated_at from pulumi_state where key like '%/.pulumi/stacks/fleet/acme.json%' order by key\\""`]:
      "test/campaigns/fleet/trial.test.ts",
  },
  "docs/scale.md": {
    "npm run test:fleet -- --organizations 100 --kills 3": "test/campaigns/fleet/nights.test.ts",
    "npm run bench -- scale": "bench/scale.mjs",
  },
  "docs/status.md": {
    "metrics=/var/lib/node_exporter/acme-prod": "test/cli/status/command.test.ts",
    "voiceplane status --stack prod --format prometheus > $metrics.new || [ $? = 2 ] && mv $metrics.new $metrics.prom":
      "test/cli/status/command.test.ts",
  },
  "docs/native.md": {
    "npm install pulumi-voiceplane": "test/support/engine/installation.ts",
    "pulumi plugin install resource voiceplane 0.1.0 --file pulumi-resource-voiceplane-v0.1.0-linux-amd64.tar.gz":
      "test/support/native/release.ts",
    "pulumi package add voiceplane": "test/guards/package/release.test.ts",
    "pulumi import voiceplane:index:WebhookSecret crm c0000000-0000-4000-8000-000000000001":
      "test/guards/package/release.test.ts",
  },
  "docs/report.md": {
    "pulumi preview --json --show-sames > preview.json": "tools/record-previews.mjs",
    "npx voiceplane report preview.json": "test/report/command.test.ts",
    "pulumi preview --json --show-sames | npx voiceplane report --format terminal": "test/report/command.test.ts",
  },
  "docs/operations.md": {
    "pulumi refresh --yes --skip-preview --clear-pending-creates": "test/campaigns/faults/interruptions.test.ts",
  },
  "docs/security.md": {
    "pulumi config set --secret voiceplane:token < token.txt": "test/campaigns/docs/walkthroughs.test.ts",
    "npm init --yes": "test/campaigns/docs/walkthroughs.test.ts",
    "npm install --package-lock-only --legacy-peer-deps ./pulumi-voiceplane-*.tgz":
      "test/campaigns/docs/walkthroughs.test.ts",
    "npm sbom --package-lock-only --legacy-peer-deps --sbom-format cyclonedx":
      "test/campaigns/docs/walkthroughs.test.ts",
  },
  "docs/testing.md": {
    "node --test": "test/real/examples/mocks.test.ts",
    "export VOICEPLANE_BASE_URL=http://127.0.0.1:4010": "test/campaigns/docs/walkthroughs.test.ts",
    "export VOICEPLANE_TOKEN=vp_dev_full": "test/campaigns/docs/walkthroughs.test.ts",
    "pulumi preview": "test/campaigns/docs/walkthroughs.test.ts",
    "pulumi up": "test/campaigns/docs/walkthroughs.test.ts",
  },
  "examples/fleet/README.md": {
    "npm run fleet": "test/campaigns/fleet/trial.test.ts",
    "psql -f setup.sql": "test/support/fleet/database.ts",
    "export PGHOST=… PGUSER=fleet PGPASSWORD=… PGDATABASE=fleet PGSSLMODE=verify-full":
      "test/support/fleet/database.ts",
    "export PULUMI_CONFIG_PASSPHRASE_FILE=/etc/fleet/passphrase": "test/support/fleet/fleet.ts",
    "npm run setup": "test/support/fleet/fleet.ts",
    "npm run adopt -- acme --base-url https://voice.example.com": "test/support/fleet/fleet.ts",
  },
  "examples/testing/go/README.md": {
    "npm install pulumi-voiceplane @pulumi/pulumi": "test/support/engine/installation.ts",
    "go test": "test/campaigns/engine/testing-example.test.ts",
  },
  "examples/testing/python/README.md": {
    "npm install pulumi-voiceplane @pulumi/pulumi": "test/support/engine/installation.ts",
    "python3 -m unittest": "test/campaigns/engine/testing-example.test.ts",
  },
};

test("every command on a page is run by a test", () => {
  const shown = blocks
    .filter(({ file, language, role }) => language === "sh" && role !== "elsewhere" && !Object.hasOwn(pages, file))
    .flatMap(({ file, text }) => commandsIn(text).map((command) => `${file}: ${command}`));
  const known = Object.entries(elsewhere).flatMap(([file, commands]) =>
    Object.keys(commands).map((command) => `${file}: ${command}`),
  );
  expect(shown.sort()).toEqual(known.sort());
  const tests = Object.values(elsewhere).flatMap((commands) => Object.values(commands));
  expect(tests.filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** The commands line by line, without comments. */
function commandsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => line.replace(/(^| +)#.*$/, "").trim() || []);
}

test("every block has a language that a test checks", () => {
  // architecture.test.ts checks the diagram, and code.test.ts the Python.
  const known = ["python", "ts", "js", "json", "yaml", "sh", "text", "markdown", "mermaid"];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
});

test("commands for another terminal are those that this test replaces", () => {
  const commands = blocks.filter(({ role }) => role === "elsewhere").map(({ text }) => text.trim());
  expect(new Set(commands)).toEqual(
    new Set(["npx voiceplane serve", "npx voiceplane serve --port 4011", "npx pulumi-voiceplane serve"]),
  );
});
