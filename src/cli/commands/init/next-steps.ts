/** What `init` prints: what was written, and what to do next. */
import { resolve } from "node:path";
import type { WebhookList } from "../../../resources/webhook-secret/list.js";
import { compact } from "../../../values/any.js";
import { printable } from "../../../values/text.js";
import type { Repository, Service } from "./pipelines.js";
import { filledTemplate } from "./templates.js";

export interface ListedWebhooks {
  readonly list: WebhookList;
  readonly address: string;
}

interface Written {
  readonly folder: string;
  /** The written files, from the folder. */
  readonly paths: readonly string[];
  readonly name: string;
  readonly ci: Service;
  readonly repository: Repository;
  readonly listed: ListedWebhooks | undefined;
}

export function nextSteps({ folder, paths, name, ci, repository, listed }: Written): string {
  const partial = listed?.list.partial;
  const mustBeMoved = ci === "gitlab" && repository.folder !== "";
  const commands = compact(
    !isHere(folder) && `cd ${shellWord(folder)}`,
    "npm install",
    "npx pulumi stack init dev",
    // A project usually has the name of its organization.
    `npx pulumi config set voiceplane:organization ${name}`,
    `npx pulumi config set voiceplane:baseUrl ${listed?.address ?? "https://…"}`,
    ci === "none" ? "npx pulumi config set --secret voiceplane:token" : exportToken,
    "npx voiceplane doctor",
    "npx voiceplane preview",
  );
  const paragraphs = compact(
    section(`Wrote to ${printable(folder)}:`, paths),
    partial !== undefined && `Some of the server's webhooks may be missing: ${partial}.\n`,
    section("Next:", commands),
    filledTemplate(`next.${ci}.txt`, { BRANCH: repository.defaultBranch }) + (mustBeMoved ? gitlabPlace : ""),
  );
  return paragraphs.join("\n");
}

const section = (heading: string, lines: readonly string[]): string =>
  `${heading}\n${lines.map((line) => `  ${line}\n`).join("")}`;

const gitlabPlace =
  "GitLab reads .gitlab-ci.yml at the root of a repository: move it there, or add its `include` to the one there.\n";

/** With a pipeline, the token is not in the configuration, where the preview of any pull request could decrypt it. */
const exportToken = "read -rs VOICEPLANE_TOKEN && export VOICEPLANE_TOKEN";

const isHere = (folder: string): boolean => resolve(folder) === process.cwd();

function shellWord(path: string): string {
  // A path that starts with a dash would be taken for an option.
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
