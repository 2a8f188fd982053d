/** Every command and every block of the pages has a test. test/campaigns/docs/walkthroughs.test.ts follows whole pages. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { tokens } from "../../../src/control-plane/access";
import { faultSchema } from "../../../src/control-plane/faults";
import { organization } from "../../support/engine/organization";
import { blocks, followed as pages, read, root } from "../../support/docs/documents";

// The first suite of a run packs and installs the package.
jest.setTimeout(300_000);

const followed: readonly string[] = pages;

test("docs/guides/test-your-stack.md lists every field of a fault, every token and every route", async () => {
  const { url } = await organization();
  const guide = await (await fetch(url)).text();
  const routes = [...guide.matchAll(/^ {2}(\S+ \/_control\/\w+)$/gm)].map((match) => match[1]);
  const documented = [...read("docs/guides/test-your-stack.md").matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1]);
  expect(documented).toEqual([...Object.keys(faultSchema.shape), ...Object.values(tokens), ...routes]);
});

/** Commands on pages that are not followed, and the file that runs each of them. */
const elsewhere: Readonly<Record<string, string>> = {
  "npx voiceplane apply --yes --fail-on deletes-data,cuts-a-trunk": "test/engine/everyday/apply.test.ts",
  "npx voiceplane preview --stack dev --out plan.json": "test/engine/everyday/apply.test.ts",
  "npx voiceplane apply --stack dev --plan plan.json": "test/engine/everyday/apply.test.ts",
  "npx voiceplane apply --stack dev": "test/engine/everyday/passphrase.test.ts",
  "npx voiceplane preview --from events.json --format markdown": "test/campaigns/pipelines/pull-request.test.ts",
  "npm start -- --keep": "test/campaigns/engine/start.test.ts",
  "npm test": "tools/test.mjs",
  "npx pulumi-voiceplane init acme-voice": "test/campaigns/docs/walkthroughs.test.ts",
  "npx pulumi-voiceplane init acme-voice --ci github": "test/campaigns/pipelines/pull-request.test.ts",
  "npx pulumi-voiceplane init acme-voice --ci gitlab --from-server": "test/unit/cli/init/command.test.ts",
  "npx voiceplane validate": "test/unit/cli/findings/validate/command.test.ts",
  "npx voiceplane validate --stack dev": "test/unit/cli/findings/validate/command.test.ts",
  "npx voiceplane doctor": "test/engine/everyday/passphrase.test.ts",
  "npx voiceplane doctor --stack dev": "test/support/engine/voiceplane.ts",
  "npx voiceplane preview --stack dev": "test/engine/everyday/preview.test.ts",
  "npx voiceplane preview --destroy": "test/engine/everyday/preview.test.ts",
  "npx voiceplane preview --fail-on deletes-data,cuts-a-trunk": "test/unit/cli/preview.test.ts",
  "npx voiceplane status --stack prod": "test/unit/cli/status/command.test.ts",
  "pulumi stack export | npx voiceplane status -": "test/unit/cli/status/command.test.ts",
  "npx voiceplane serve": "test/campaigns/docs/walkthroughs.test.ts",
  "npx voiceplane serve --file organization.json": "test/unit/cli/serve.test.ts",
  "npx voiceplane serve --port 0 --format json": "test/unit/cli/serve.test.ts",
  "pulumi config set voiceplane:organization acme": "test/campaigns/docs/walkthroughs.test.ts",
  "pulumi config set voiceplane:baseUrl https://voice.example.com": "test/campaigns/docs/walkthroughs.test.ts",
  "pulumi config set --secret voiceplane:token": "test/campaigns/docs/walkthroughs.test.ts",
  "git checkout main": "test/campaigns/pipelines/strangers.test.ts",
  "npm ci --ignore-scripts": "test/campaigns/pipelines/strangers.test.ts",
  "git fetch origin pull/12/head": "test/campaigns/pipelines/strangers.test.ts",
  "git checkout FETCH_HEAD -- organization.yaml Pulumi.dev.yaml": "test/campaigns/pipelines/strangers.test.ts",
  "node node_modules/pulumi-voiceplane/dist/cli/index.js validate": "test/campaigns/pipelines/strangers.test.ts",
  "npm run build": "tools/build.mjs",
  "npm run bench -- client": "test/campaigns/tools/bench.test.ts",
  "npm run bench -- up": "test/campaigns/tools/bench.test.ts",
  "npm run bench -- backends": "test/campaigns/tools/bench.test.ts",
  "pulumi stack output webhookSecrets --show-secrets": "test/campaigns/docs/walkthroughs.test.ts",
  "voiceplane status --stack prod": "test/unit/cli/status/command.test.ts",
  "npx pulumi-voiceplane init --runtime yaml": "test/campaigns/engine/examples.test.ts",
  "node --inspect node_modules/pulumi-voiceplane/dist/pulumi-resource-voiceplane.js":
    "test/campaigns/engine/attached.test.ts",
  "PULUMI_DEBUG_PROVIDERS=voiceplane:PORT pulumi up": "test/campaigns/engine/attached.test.ts",
  "npm install pulumi-voiceplane": "test/support/engine/installation.ts",
  "pulumi plugin install resource voiceplane 0.1.0 --file pulumi-resource-voiceplane-v0.1.0-linux-amd64.tar.gz":
    "test/support/native/release.ts",
  "pulumi package add voiceplane": "test/repository/package/release.test.ts",
  "pulumi import voiceplane:index:WebhookSecret crm c0000000-0000-4000-8000-000000000001":
    "test/repository/package/release.test.ts",
  "pulumi import --file import.json --protect=false": "test/campaigns/engine/import.test.ts",
  "pulumi do voiceplane:WebhookSecret list": "test/campaigns/engine/do.test.ts",
  "pulumi do voiceplane:RetentionPolicy create recordings --input-file policy.yaml": "test/campaigns/engine/do.test.ts",
  "npm ci && npm run build && npm pack": "test/support/engine/installation.ts",
  "npm run release:plugin": "test/support/native/release.ts",
  "pulumi config set voiceplane:baseUrl https://api.example.com": "test/campaigns/docs/walkthroughs.test.ts",
  "export VOICEPLANE_BASE_URL=https://api.example.com": "test/campaigns/docs/walkthroughs.test.ts",
  "export VOICEPLANE_TOKEN=vp_1234567890": "test/campaigns/docs/walkthroughs.test.ts",
  "pulumi refresh --yes --skip-preview --clear-pending-creates": "test/campaigns/faults/interruptions.test.ts",
  "pulumi state delete 'urn:pulumi:dev::acme::voiceplane:index:WebhookSecret::old-name'":
    "test/campaigns/engine/duplicates.test.ts",
  "npm install pulumi-voiceplane@latest": "test/support/engine/installation.ts",
  "pulumi preview": "test/campaigns/engine/state/upgrade.test.ts",
  "pulumi up": "test/campaigns/engine/state/upgrade.test.ts",
  "pulumi config set --secret voiceplane:token < token.txt": "test/campaigns/docs/walkthroughs.test.ts",
  "npm init --yes": "test/campaigns/docs/walkthroughs.test.ts",
  "npm install --package-lock-only --legacy-peer-deps ./pulumi-voiceplane-*.tgz":
    "test/campaigns/docs/walkthroughs.test.ts",
  "npm sbom --package-lock-only --legacy-peer-deps --sbom-format cyclonedx": "test/campaigns/docs/walkthroughs.test.ts",
  "npm install pulumi-voiceplane @pulumi/pulumi": "test/support/engine/installation.ts",
  "go test": "test/campaigns/engine/testing-example.test.ts",
  "npm install": "test/support/engine/installation.ts",
  "node --test": "test/campaigns/engine/testing-typescript.test.ts",
  "python3 -m unittest": "test/campaigns/engine/testing-example.test.ts",
};

test("every command on a page is run by a test", () => {
  const shown = blocks
    .filter(({ language }) => language === "sh")
    .filter(({ file, role }) => role === "clone" || (role !== "elsewhere" && !followed.includes(file)))
    .flatMap(({ file, text }) => commandsIn(text).map((command) => ({ file, command })));
  expect(shown.filter(({ command }) => !Object.hasOwn(elsewhere, command))).toEqual([]);
  const commands = new Set(shown.map(({ command }) => command));
  expect(Object.keys(elsewhere).filter((command) => !commands.has(command))).toEqual([]);
  expect(Object.values(elsewhere).filter((file) => !existsSync(join(root, file)))).toEqual([]);
});

/** The commands line by line, without comments. */
function commandsIn(text: string): string[] {
  return text.split("\n").flatMap((line) => line.replace(/(^| +)#.*$/, "").trim() || []);
}

test("every block has a language that a test checks", () => {
  // architecture.test.ts checks the diagram, code.test.ts the Python, and sdks.test.ts the Go.
  const known = ["python", "go", "typescript", "ts", "js", "json", "yaml", "sh", "text", "markdown", "mermaid"];
  expect(blocks.filter(({ language }) => !known.includes(language))).toEqual([]);
});

test("commands for another terminal are those that this test replaces", () => {
  const commands = blocks.filter(({ role }) => role === "elsewhere").map(({ text }) => text.trim());
  expect(new Set(commands)).toEqual(new Set(["npx voiceplane serve", "npx voiceplane serve --port 4011"]));
});
