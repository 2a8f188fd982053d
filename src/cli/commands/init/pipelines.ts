/** The files of a new project's pipeline, and the repository that they are for. */
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { parse } from "yaml";
import { compact, tried } from "../../../values/any.js";
import { given } from "../../../values/environment.js";
import { packageFolder } from "../../manifest.js";
import { git } from "../../stack/git.js";
import type { Runtime } from "./templates.js";
import type { Files } from "./write.js";

/** Where the pipeline runs. */
export interface Repository {
  readonly root: string;
  /** The project's folder, from the root; empty for the root, and without a repository. */
  readonly folder: string;
  readonly defaultBranch: string;
}

/** The Git repository of a folder, which may not exist yet. Without a repository, the folder is the root. */
export function repositoryOf(folder: string): Repository {
  const start = resolve(folder);
  for (let root = start; ; root = dirname(root)) {
    if (existsSync(join(root, ".git"))) {
      return { root, folder: relative(root, start).replaceAll(sep, "/"), defaultBranch: defaultBranchOf(root) };
    }
    if (dirname(root) === root) return { root: start, folder: "", defaultBranch: "main" };
  }
}

/** The remote's default branch; without a remote, main or master; without those, the current branch. */
function defaultBranchOf(root: string): string {
  const remote = gitText(root, "symbolic-ref", "--short", "refs/remotes/origin/HEAD")?.replace(/^origin\//, "");
  const usual = ["main", "master"].find((name) =>
    gitText(root, "rev-parse", "--verify", "--quiet", `refs/heads/${name}`),
  );
  return remote ?? usual ?? gitText(root, "symbolic-ref", "--short", "HEAD") ?? "main";
}

const gitText = (root: string, ...args: string[]): string | undefined => given(tried(() => git(root, ...args))?.trim());

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

/** The files of each service: by the path in the folder of its example, the path in a repository. */
const targets: Readonly<Record<Service, Readonly<Record<string, string>>>> = {
  github: {
    "voiceplane.yml": ".github/workflows/voiceplane.yml",
    "voiceplane-stack.yml": ".github/workflows/voiceplane-stack.yml",
    "actions/voiceplane/action.yml": ".github/actions/voiceplane/action.yml",
  },
  gitlab: { ".gitlab-ci.yml": ".gitlab-ci.yml", ".gitlab/voiceplane.yml": ".gitlab/voiceplane.yml" },
  none: {},
};

/** The files to write, by their paths from the project's folder. */
export function pipelineFiles(service: Service, repository: Repository, runtime: Runtime): Files {
  const files: Record<string, string> = {};
  const { root, folder } = repository;
  for (const [from, to] of Object.entries(targets[service])) {
    const text = readFileSync(join(packageFolder, "examples/pipelines", service, from), "utf8");
    const atRoot = relative(join(root, folder), join(root, to));
    switch (from) {
      case "voiceplane.yml":
        files[atRoot] = githubText(text, repository);
        break;
      case ".gitlab-ci.yml":
        // The repository may have such a file at its root, so this one is written into the project's folder.
        files[to] = gitlabText(text, repository, runtime);
        break;
      default: {
        // The projects of a repository share this file. If another one has written it, it stays; a different one is refused like any file.
        const isWritten = tried(() => readFileSync(join(root, to), "utf8")) === text;
        if (!isWritten) files[atRoot] = text;
      }
    }
  }
  return files;
}

/** In GitHub's workflows, no expression gives the default branch or the project's folder, so both are written. */
function githubText(text: string, { folder, defaultBranch }: Repository): string {
  // Functions, because `$` means something in a text that replaces.
  return text
    .replaceAll("branches: [main]", () => `branches: [${scalar(defaultBranch)}]`)
    .replace('directory: "."', (line) => (folder === "" ? line : `directory: ${scalar(folder)}`));
}

function gitlabText(text: string, { folder }: Repository, runtime: Runtime): string {
  const jobs = readFileSync(join(packageFolder, "examples/pipelines/gitlab/.gitlab/voiceplane.yml"), "utf8");
  const [, image = ""] = /# for YAML: (\S+)/.exec(jobs) ?? [];
  // The image for Node.js has no host for YAML.
  const inputs = compact(folder !== "" && `directory: ${scalar(folder)}`, runtime === "yaml" && `image: ${image}`);
  return text + inputs.map((line) => `      ${line}\n`).join("");
}

/** The text in YAML, also within a list. */
const scalar = (text: string): string =>
  /^[\w./-]+$/.test(text) && parse(text) === text ? text : JSON.stringify(text);
