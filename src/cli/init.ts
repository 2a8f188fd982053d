import { basename, resolve } from "node:path";
import { parsedArgs } from "./arguments.js";
import { UsageError } from "./errors.js";
import { webhooksOfServer, type Listed } from "./init/from-server.js";
import { emptyOrganizationFile, organizationFileName, organizationFileOf } from "./init/organization-file.js";
import { gitignore, indexJs, packageJson, pulumiYaml } from "./init/templates.js";
import { workflows } from "./init/workflows.js";
import { requireEmpty, writeFiles } from "./init/write.js";

export const usage = `Usage: voiceplane init [options] DIR

Writes a project that keeps one organization's settings in one file: organization.yaml, and beside it all that
\`pulumi preview\` needs, and the workflows of a pipeline on GitHub. DIR must not exist, or be empty.

Options:
  --name NAME          name of the project (default: that of the folder)
  --from-server        fill in the organization's webhooks as they are, by one GET /v1/webhooks/ to VOICEPLANE_BASE_URL
                       with VOICEPLANE_TOKEN; they are taken over without rotating
  -h, --help           show this
`;

interface Options {
  readonly folder: string;
  readonly name: string;
  readonly fromServer: boolean;
}

/** Writes all of it or nothing; rejects with one line where it cannot. */
export async function run(args: string[]): Promise<void> {
  const options = parse(args);
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const { folder, name, fromServer } = options;
  requireEmpty(folder);
  const listed = fromServer ? await webhooksOfServer(process.env) : undefined;
  const files = {
    "Pulumi.yaml": pulumiYaml(name),
    [organizationFileName]: listed ? organizationFileOf(listed.list, listed.address) : emptyOrganizationFile,
    "package.json": packageJson(),
    "index.js": indexJs,
    ".gitignore": gitignore,
    ...workflows(),
  };
  writeFiles(folder, files);
  process.stdout.write(closing(options, Object.keys(files), listed));
}

function closing({ folder, name }: Options, files: readonly string[], listed: Listed | undefined): string {
  const partial = listed?.list.complete === false ? "The server's list may be only a part of its webhooks.\n" : "";
  return `Wrote to ${folder}:
${files.map((file) => `  ${file}`).join("\n")}
${partial}
Next:
${isHere(folder) ? "" : `  cd ${quoted(folder)}\n`}  npm install
  pulumi stack init dev
  pulumi config set voiceplane:account ${name}
  pulumi config set voiceplane:baseUrl ${listed?.address ?? "https://…"}
  read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN
  npx voiceplane doctor --stack dev
  pulumi preview
\`read\` waits for the token and does not show it.

${pipelineAdvice}`;
}

const isHere = (folder: string): boolean => resolve(folder) === process.cwd();

/** For a shell. */
function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** The token is asked for above, and kept out of the configuration, because previews of pull requests could decrypt it. */
const pipelineAdvice = `Then commit everything, package-lock.json and Pulumi.dev.yaml too: the workflows run \`npm ci\`, and read the stack's
configuration. In the repository's settings, make the environments from which they take their secrets:
  voiceplane-preview  PULUMI_ACCESS_TOKEN                    for preview, rotation, up
  voiceplane          PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for rotation, up: give it reviewers
  voiceplane-nightly  PULUMI_ACCESS_TOKEN, VOICEPLANE_TOKEN  for nightly
Limit the last two to the branch main: what any branch may use, the workflow of any branch can read.
Each also needs the variable PULUMI_STACK. Nightly and rotation run by the clock: delete what you do not want.
`;

function parse(args: string[]): Options | "help" {
  const { values, positionals } = parsedArgs(args, { name: { type: "string" }, "from-server": { type: "boolean" } });
  if (values.help === true) return "help";
  const [folder] = positionals;
  if (folder === undefined || folder === "") throw new UsageError("the folder to write to is missing");
  if (positionals.length > 1) throw new UsageError("more than one folder");
  const name = values.name ?? defaultName(folder);
  if (!/^[\w.-]{1,100}$/.test(name)) {
    throw new UsageError('--name takes up to 100 letters, digits, "-", "_" and "."');
  }
  return { folder, name, fromServer: values["from-server"] === true };
}

/** The folder's own name as the engine takes it for a project's. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}
