/** The files of a pipeline that are the same in every repository. They are copied from the examples, which are tested. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { basename, join, relative } from "node:path";
import { ownManifest, packageFolder } from "../manifest.js";
import { printable } from "../../values/text.js";
import { tried } from "../../values/any.js";
import { writeFiles, type Files } from "./write.js";

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

export const workflows = ".github/workflows";
export const gitlabJobs = ".gitlab/voiceplane.yml";

const paths: Readonly<Record<Service, readonly string[]>> = {
  github: [`${workflows}/voiceplane-apply.yml`, `${workflows}/voiceplane-pipeline.yml`],
  gitlab: [gitlabJobs],
  none: [],
};

/** @param path of a file in a repository */
export const example = (service: Service, path: string): string =>
  readFileSync(
    join(packageFolder, "examples/pipelines", service, service === "github" ? basename(path) : path),
    "utf8",
  );

/** By their paths from the repository's root. */
const sharedFiles = (service: Service): Files =>
  Object.fromEntries(paths[service].map((path) => [path, withDigest(example(service, path))]));

/** Those that no other project in the repository has. */
export const missingFiles = (root: string, service: Service): Files =>
  Object.fromEntries(Object.entries(sharedFiles(service)).filter(([path]) => !uneditedAt(join(root, path))));

/** The digest shows an update whether the file was edited. */
const withDigest = (text: string): string =>
  `# pulumi-voiceplane ${ownManifest().version}, sha256 ${digestOf(text)}: \`voiceplane init --update-pipeline\` replaces this file unless it was edited.\n${text}`;

const digestOf = (text: string): string => createHash("sha256").update(text).digest("hex");

/** The version and the digest of an unedited file. Git may have changed its line ends. */
function writtenAs(text: string): { version: string; digest: string } | undefined {
  const [, version = "", digest = "", rest = ""] =
    /^# pulumi-voiceplane (\S+), sha256 ([0-9a-f]+):.*\n([^]*)$/.exec(text.replaceAll("\r\n", "\n")) ?? [];
  return digest === digestOf(rest) ? { version, digest } : undefined;
}

const uneditedAt = (file: string) => tried(() => writtenAs(readFileSync(file, "utf8")));

/**
 * Replaces the shared files in a repository that have changed since, and writes missing ones: all or none.
 *
 * @param service undefined for that of the files in the repository
 * @returns what it did
 * @throws Error if a file was edited
 */
export function updatePipeline(root: string, service: Service | undefined): string {
  const folder = relative("", root) || ".";
  const shown = printable(folder);
  const there = services.filter((each) => paths[each].some((path) => existsSync(join(folder, path))));
  const files = Object.assign({}, ...(service ? [service] : there).map(sharedFiles)) as Files;
  if (Object.keys(files).length === 0) {
    throw new Error(
      `${shown} has no shared file of a pipeline: add --ci github or --ci gitlab to write them, or update those of the repository that its own file names`,
    );
  }
  const present = Object.keys(files).filter((path) => existsSync(join(folder, path)));
  const before = new Map(present.map((path) => [path, uneditedAt(join(folder, path))]));
  const edited = present.filter((path) => before.get(path) === undefined);
  if (edited.length > 0) {
    throw new Error(
      `nothing was written, because shared files of the pipeline in ${shown} were edited or cannot be read: ${edited.join(", ")}; delete them, run this again, and make the edits again`,
    );
  }
  const changed = Object.entries(files).filter(([path, text]) => before.get(path)?.digest !== writtenAs(text)?.digest);
  const { old = [], missing = [] } = Object.groupBy(changed, ([path]) => (before.has(path) ? "old" : "missing"));
  writeFiles(folder, Object.fromEntries(missing), {}, Object.fromEntries(old));
  const { version } = ownManifest();
  if (changed.length === 0) return `The pipeline in ${shown} is that of version ${version}.\n`;
  const lines = changed.map(([path]) => `  ${path} (${before.get(path)?.version ?? "new"})`);
  return `Updated the pipeline in ${shown} to version ${version}:
${lines.join("\n")}
Commit these files. A repository that calls them by a commit needs the new one in its own file.
`;
}
