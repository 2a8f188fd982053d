/**
 * Pages that are followed from the first line to the last, as one script. The fence of a block says what the block is:
 *
 *   ```yaml organization.yaml   a file, written into the current folder, in any language
 *   ```sh                       commands, which must succeed
 *   ```sh fails                 commands, of which the last one must fail
 *   ```sh elsewhere             commands for another terminal, which the test replaces
 *   ```sh clone                 commands for a clone of the repository, which other tests run
 *   ```text                     what the commands before it print, lines in order; "…" stands for anything
 */
import { hash } from "node:crypto";
import { blocks, compare, type Block } from "../../support/docs/documents";
import { cli } from "../../support/engine/installation";
import { ids, organization } from "../../support/engine/organization";
import { project, type Project } from "../../support/engine/project";

const rotation = `POST /v1/webhooks/${ids.crm}/rotate-secret`;
const renames = "docs/guides/rename-move-or-stop-managing.md";

/** The pages that are followed, and the requests that they send, sorted. */
const pages: Record<string, string[]> = {
  // The first program of the README is one that sends nothing.
  "README.md": [],
  "docs/guides/quick-start.md": [
    // One from the doctor, one from the refresh.
    "GET /v1/webhooks/",
    "GET /v1/webhooks/",
    rotation,
    'PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  // The page adopts what is there, which sends nothing.
  "docs/guides/adopt-an-organization.md": [],
  "docs/guides/manage-many-organizations.md": [
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  [renames]: [
    rotation,
    'PUT /v1/retention-policies/audit_events {"retention_days":365,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
  "docs/guides/test-your-stack.md": [
    rotation,
    rotation,
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
    'PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}',
  ],
};

/** What a page's commands start beside this package: a person's answers are options, and what needs a registry is installed already. */
const standIns: Record<string, string> = {
  pulumi: `set -- "$@" --non-interactive --color never
case "$1" in
  up | refresh | destroy) set -- "$@" --yes --skip-preview ;;
  state) set -- "$@" --yes ;;
esac
PATH="\${PATH#*:}" exec pulumi "$@"`,
  // A preview as on a terminal, where a person reads on after the exit code of changes. `npx pulumi-voiceplane` stays the real npx.
  npx: `[ "$1" = voiceplane ] || PATH="\${PATH#*:}" exec npx "$@"
shift
[ "$1" = preview ] || exec node "${cli}" "$@"
node "${cli}" "$@" --format terminal || [ $? -ge 2 ]`,
  npm: `case "$1" in
  init | pkg) PATH="\${PATH#*:}" exec npm "$@" ;;
  install) mkdir -p node_modules/.bin && ln -sf "${cli}" node_modules/.bin/voiceplane ;;
esac`,
};

/** A page's commands in an empty folder. `read` is its question for the token. */
const start = `exec 2>&1
rm Pulumi.yaml Pulumi.dev.yaml package.json
read() { VOICEPLANE_TOKEN=vp_dev_full; }`;

function scriptOf({ file, line, language, role, text }: Block): string[] {
  const at = `echo "# ${file}:${line}"`;
  if (language === "sh") {
    if (role === "elsewhere" || role === "clone") return [];
    return [at, role === "fails" ? `! {\n${text}}` : text];
  }
  if (role === "" || language === "text") return [];
  return [at, `mkdir -p "$(dirname ${role})"`, `cat > ${role} <<'END OF FILE'\n${text}END OF FILE`];
}

/** In one pass: a port such as 40117, put in for one address, begins like the other one. */
function replaceEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  const by = new Map(replacements);
  return text.replaceAll(new RegExp([...by.keys()].join("|"), "g"), (found) => by.get(found) ?? found);
}

async function inEmptyFolder(): Promise<Project> {
  const unset = { VOICEPLANE_BASE_URL: undefined, VOICEPLANE_TOKEN: undefined };
  // If npx does not find a program here, it must not search elsewhere.
  const npm = { NPM_CONFIG_UPDATE_NOTIFIER: "false", NPM_CONFIG_OFFLINE: "true" };
  const stack = await project({ env: { ...unset, ...npm } });
  for (const [name, script] of Object.entries(standIns)) stack.standIn(name, script);
  return stack;
}

test.each(Object.keys(pages))(
  "%s can be followed from the first line to the last, and prints what it shows",
  async (page) => {
    const stack = await inEmptyFolder();
    const other = await organization();
    const addresses = [
      ["http://127.0.0.1:4010", stack.organization.url],
      ["http://127.0.0.1:4011", other.url],
      ["https://voice.example.com", stack.organization.url],
    ] as const;
    const own = blocks.filter(({ file }) => file === page);
    // The page ends the session, which unsets its variables.
    const backend = own.map(({ text }) => /^export PULUMI_BACKEND_URL.*$/m.exec(text)?.[0] ?? "").find(Boolean);
    const secrets = `${backend ?? ""}\npulumi stack output webhookSecrets --show-secrets --json > "${stack.folder}/secrets.json"`;
    const script = [start, ...own.flatMap(scriptOf), ...(page === renames ? [secrets] : [])].join("\n");
    const { code, output } = await stack.shell(replaceEach(script, addresses));
    const printed = replaceEach(
      output,
      addresses.map(([written, real]) => [real, written]),
    );
    if (code !== 0) throw new Error(`${page} ended with exit code ${String(code)}:\n${printed}`);
    // The pages explain the provider's warnings. The engine's own would be new to a reader, save that it runs the tests' programs.
    expect(printed.split("\n").filter((line) => /warning: (?!using pulumi-|voiceplane: )/.test(line))).toEqual([]);
    for (const [index, block] of own.entries()) {
      if (block.language !== "text" || block.role !== "") continue;
      // From the commands before it on.
      const { file, line } =
        own.slice(0, index).findLast((each) => scriptOf(each).length > 0 && each.language === "sh") ?? block;
      compare(block, printed.slice(printed.indexOf(`# ${file}:${line}\n`)));
    }

    expect(stack.organization.requests().sort()).toEqual(pages[page]);
    const sentToOther = ['PUT /v1/retention-policies/recordings {"retention_days":30,"enabled":true}'];
    expect(other.requests()).toEqual(page === "docs/guides/manage-many-organizations.md" ? sentToOther : []);
    if (page !== renames) return;
    // The last stack of the page outputs the secret that the control plane signs with, after all moves and renames.
    const webhook = stack.organization.control.state().webhooks.find(({ id }) => id === ids.crm);
    const { "crm-hooks": secret = "" } = JSON.parse(stack.read("secrets.json")) as Record<string, string>;
    expect(hash("sha256", secret)).toBe(webhook?.signing_secret_sha256);
  },
);

test("the token that docs/operate/security.md passes on standard input is in the configuration, encrypted and without its line end", async () => {
  const stack = await project();
  stack.write("token.txt", "vp_dev_full\n");
  const [command] = blocks.filter(
    ({ file, text }) => file === "docs/operate/security.md" && text.includes("token.txt"),
  );
  expect((await stack.shell(command?.text ?? "false")).code).toBe(0);
  expect((await stack.shell("pulumi config get voiceplane:token")).output).toBe("vp_dev_full\n");
  expect(stack.read("Pulumi.dev.yaml")).toMatch(/voiceplane:token:\s+secure: /);
  expect(stack.read("Pulumi.dev.yaml")).not.toContain("vp_dev_full");
});
