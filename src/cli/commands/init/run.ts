/** Writes the files of a new project. */
import { basename, resolve } from "node:path";
import { diagnosticText } from "../../../values/diagnostic.js";
import type { Environment } from "../../../values/environment.js";
import { Client } from "../../../client/client.js";
import { ConfigError } from "../../../client/errors.js";
import { listWebhooks } from "../../../client/operations.js";
import { printable } from "../../../values/text.js";
import { addressOf } from "../../../client/settings.js";
import { readSettings } from "../../../provider/settings.js";
import { readWebhookList, type WebhookList } from "../../../resources/webhook-secret/list.js";
import type { Io } from "../../commander.js";
import { organizationFileOf } from "./organization-file.js";
import { pipelineAdvice, pipelineFiles, repositoryOf, type Repository, type Service } from "./pipelines.js";
import { ignoredFiles, projectFiles, type Runtime } from "./templates.js";
import { requireFree, writeFiles } from "./write.js";

export interface InitOptions {
  readonly io: Io;
  /** It may not exist yet. */
  readonly folder: string;
  /** Of the project. Default: that of the folder. */
  readonly name?: string | undefined;
  readonly runtime: Runtime;
  /** The service whose pipeline is written. */
  readonly ci: Service;
  readonly fromServer?: boolean | undefined;
}

/** Writes all files or none. */
export async function initRun(options: InitOptions): Promise<void> {
  const { io, folder, name = defaultName(folder), ci, runtime, fromServer } = options;
  const repository = repositoryOf(folder);
  const pipeline = pipelineFiles(ci, repository, runtime);
  const filesWith = (organization: string) => ({ ...projectFiles(name, runtime, organization), ...pipeline });
  requireFree(folder, Object.keys(filesWith("")));
  const listed = fromServer === true ? await webhooksOfServer(io.env) : undefined;
  const { webhooks = [], partial } = listed?.list ?? {};
  const written = filesWith(organizationFileOf(webhooks, partial));
  writeFiles(folder, written, ignoredFiles());
  const files = [...Object.keys(written), ".gitignore"];
  io.stdout.write(closing({ folder, ci, name, repository, files, listed }));
}

/** The folder's name as a valid project name that does not start with a dash. */
function defaultName(folder: string): string {
  const name = basename(resolve(folder))
    .replaceAll(/[^\w.-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 100);
  return name === "" ? "voiceplane" : name;
}

interface Listed {
  readonly list: WebhookList;
  readonly address: string;
}

/** Sends `GET /v1/webhooks/` with the settings of the environment: the project has no stack yet. */
async function webhooksOfServer(env: Environment): Promise<Listed> {
  const { client: settings, problems } = readSettings(() => undefined, env);
  if (problems.length > 0) {
    const needs = "--from-server needs VOICEPLANE_BASE_URL and VOICEPLANE_TOKEN in the environment";
    throw new ConfigError([`${needs}: ${problems.map(diagnosticText).join("; ")}`]);
  }
  const client = new Client(settings, { env });
  try {
    const list = readWebhookList(await listWebhooks(client));
    const address = addressOf(settings.baseUrl);
    if (list) return { list, address };
    throw new Error(
      `no list of webhooks is found in the answer of ${address}; run "voiceplane doctor" to find the reason`,
    );
  } finally {
    await client.close();
  }
}

interface Written extends Pick<InitOptions, "folder" | "ci"> {
  readonly name: string;
  readonly repository: Repository;
  readonly files: readonly string[];
  readonly listed: Listed | undefined;
}

/** What was written, and what to do next. */
const closing = ({ folder, ci, name, repository, files, listed }: Written): string =>
  `Wrote to ${printable(folder)}:
${files.map((file) => `  ${file}`).join("\n")}
${listed?.list.partial === undefined ? "" : `\nNot all webhooks of the server may be in it: ${listed.list.partial}.\n`}
Next:
${isHere(folder) ? "" : `  cd ${shellWord(folder)}\n`}  npm install
  npx pulumi stack init dev
  npx pulumi config set voiceplane:organization ${name}
  npx pulumi config set voiceplane:baseUrl ${listed?.address ?? "https://…"}
  ${ci === "none" ? "npx pulumi config set --secret voiceplane:token" : exportToken}
  npx voiceplane doctor
  npx voiceplane preview

${pipelineAdvice(ci, repository)}`;

/** With a pipeline, the token is not in the configuration, where the preview of any pull request could decrypt it. */
const exportToken = "read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN";

const isHere = (folder: string): boolean => resolve(folder) === process.cwd();

function shellWord(path: string): string {
  // A path that starts with a dash would be taken for an option.
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
