import { existsSync } from "node:fs";
import { basename, dirname, join, relative, resolve } from "node:path";
import { parsedArgs } from "./arguments.js";
import { UsageError } from "./errors.js";
import { webhooksOfServer, type Listed } from "./init/from-server.js";
import { emptyOrganizationFile, organizationFileName, organizationFileOf } from "./init/organization-file.js";
import { pipelineAdvice, pipelineFiles, placeAdvice, services, type Service } from "./init/pipelines.js";
import { gitignore, indexJs, packageJson, pulumiYaml } from "./init/templates.js";
import { requireFree, writeFiles, type Files } from "./init/write.js";

export const usage = `Usage: voiceplane init [options] DIR

Writes a project that keeps one organization's settings in one file: organization.yaml, and beside it all that
\`pulumi preview\` needs, and the pipeline that previews pull requests and applies what is merged. DIR may be a
repository that exists: nothing is overwritten, and .gitignore gets the lines that it lacks.

Options:
  --name NAME          name of the project (default: that of the folder)
  --ci SERVICE         whose pipeline to write: github (default), gitlab, or none
  --from-server        fill in the organization's webhooks as they are, by one GET /v1/webhooks/ to VOICEPLANE_BASE_URL
                       with VOICEPLANE_TOKEN; they are taken over without rotating
  -h, --help           show this
`;

interface Options {
  readonly folder: string;
  readonly name: string;
  readonly service: Service;
  readonly fromServer: boolean;
}

/** Writes all of it or nothing; rejects with one line where it cannot. */
export async function run(args: string[]): Promise<void> {
  const options = parse(args);
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const { folder, name, service, fromServer } = options;
  const filesWith = (organizationFile: string): Files => ({
    "Pulumi.yaml": pulumiYaml(name),
    [organizationFileName]: organizationFile,
    "package.json": packageJson(),
    "index.js": indexJs,
    ...pipelineFiles(service),
  });
  requireFree(folder, Object.keys(filesWith(emptyOrganizationFile)));
  const listed = fromServer ? await webhooksOfServer(process.env) : undefined;
  const files = filesWith(listed ? organizationFileOf(listed.list, listed.address) : emptyOrganizationFile);
  writeFiles(folder, files, { ".gitignore": gitignore });
  process.stdout.write(closing(options, [...Object.keys(files), ".gitignore"], listed));
}

function closing({ folder, name, service }: Options, files: readonly string[], listed: Listed | undefined): string {
  const partial = listed?.list.complete === false ? "The server's list may be only a part of its webhooks.\n" : "";
  const below = placeInRepository(folder);
  return `Wrote to ${folder}:
${files.map((file) => `  ${file}`).join("\n")}
${partial}
Next:
${isHere(folder) ? "" : `  cd ${quoted(folder)}\n`}  npm install
  pulumi stack init dev
  pulumi config set voiceplane:account ${name}
  pulumi config set voiceplane:baseUrl ${listed?.address ?? "https://…"}
  read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN
  npx voiceplane doctor
  pulumi preview
\`read\` waits for the token and does not show it.

${pipelineAdvice[service]}${below === "" ? "" : placeAdvice(service, below)}`;
}

/** The folder's path from the root of the repository that it is in; empty for the root itself, and for no repository. */
function placeInRepository(folder: string): string {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) return relative(root, start);
    if (dirname(root) === root) return "";
  }
}

const isHere = (folder: string): boolean => resolve(folder) === process.cwd();

/** For a shell, and for commands that take what begins with a dash for an option. */
function quoted(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}

function parse(args: string[]): Options | "help" {
  const { values, positionals } = parsedArgs(args, {
    name: { type: "string" },
    ci: { type: "string" },
    "from-server": { type: "boolean" },
  });
  if (values.help === true) return "help";
  const [folder] = positionals;
  if (folder === undefined || folder === "") throw new UsageError("the folder to write to is missing");
  if (positionals.length > 1) throw new UsageError("more than one folder");
  const name = values.name ?? defaultName(folder);
  if (!/^\w[\w.-]{0,99}$/.test(name)) {
    throw new UsageError('--name takes up to 100 letters, digits, "-", "_" and ".", the first no "-" and no "."');
  }
  const service = services.find((each) => each === (values.ci ?? "github"));
  if (service === undefined) throw new UsageError(`--ci must be ${services.join(" or ")}`);
  return { folder, name, service, fromServer: values["from-server"] === true };
}

/** The folder's own name as the engine takes it for a project's, and no command line for an option. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}
