/** The files that `init` writes: from `templates/`, and the pipelines of the examples as they are. */
import * as fs from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { stringify } from "yaml";
import { defaultOrganizationFile } from "../../../organization-file/content.js";
import type { Webhook } from "../../../resources/webhook-secret/list.js";
import { version } from "../../../values/version.js";
import { ownManifest, packageFolder } from "../../commander.js";

/** Contents by path, relative to the folder. */
export type Files = Readonly<Record<string, string>>;

export const runtimes = ["nodejs", "yaml"] as const;
export type Runtime = (typeof runtimes)[number];

export const services = ["github", "gitlab", "none"] as const;
export type Service = (typeof services)[number];

const textOf = (...path: string[]): string => fs.readFileSync(join(packageFolder, ...path), "utf8");

export const nextText = (service: Service): string => textOf("templates", `next.${service}.txt`);

/** @param hasCli whether the machine has Pulumi's CLI, so that the project does not need npm's package for it */
export function projectFiles(name: string, runtime: Runtime, webhooks: readonly Webhook[], hasCli: boolean): Files {
  const { engines, peerDependencies } = ownManifest();
  const organizationFile = organizationFileWith(webhooks);
  const values: Readonly<Record<string, string>> = {
    NAME: stringify(name).trim(),
    VERSION: version,
    NODE: engines.node,
    PULUMI: peerDependencies["@pulumi/pulumi"],
    PROPERTIES: asProperties(organizationFile),
  };
  const filled = (file: string) =>
    textOf("templates", file).replaceAll(/__([A-Z]+)__/g, (_, key: string) => values[key] ?? "");
  const { devDependencies, ...rest } = JSON.parse(filled("package.json")) as { devDependencies: object };
  // It has no name, because npm refuses to install a package below another one of the same name.
  const manifest = `${JSON.stringify({ ...rest, ...(!hasCli && { devDependencies }) }, null, 2)}\n`;
  if (runtime === "yaml") return { "Pulumi.yaml": filled("program.yaml"), "package.json": manifest };
  return {
    "Pulumi.yaml": filled("Pulumi.yaml"),
    [defaultOrganizationFile]: organizationFile,
    "package.json": manifest,
    "index.js": filled("index.js"),
  };
}

/** The template, with an entry for each of the server's webhooks, whose id is its name. */
function organizationFileWith(webhooks: readonly Webhook[]): string {
  const template = textOf("templates", defaultOrganizationFile);
  // Any other id, such as one with "${", would mean something in a program in YAML.
  const ids = webhooks.map(({ id }) => id).filter((id) => /^[\w.-]+$/.test(id));
  if (ids.length === 0) return template;
  const entries = ids.map((id) => `  ${JSON.stringify(id)}: { id: ${JSON.stringify(id)}, onCreate: adopt }\n`);
  const leftOut = webhooks.length - ids.length;
  if (leftOut > 0) entries.push(`  # ${leftOut} more, whose ids cannot be names: add them by hand.\n`);
  return template.replace("webhooks: {}\n", () => `webhooks:\n${entries.join("")}`);
}

/** An organization file as the properties of an `Organization` in Pulumi YAML, without its first paragraph, which is about the file. */
const asProperties = (organizationFile: string): string =>
  organizationFile
    .slice(organizationFile.indexOf("\n\n"))
    .trim()
    .replaceAll(/^(?=.)/gm, "      ");

/** The files of each service: by the path in the folder of its example, the path in a repository. */
const pipelines: Readonly<Record<Service, Files>> = {
  github: {
    "voiceplane.yml": ".github/workflows/voiceplane.yml",
    "voiceplane-stack.yml": ".github/workflows/voiceplane-stack.yml",
    "actions/voiceplane/action.yml": ".github/actions/voiceplane/action.yml",
  },
  gitlab: { ".gitlab-ci.yml": ".gitlab-ci.yml", ".gitlab/voiceplane.yml": ".gitlab/voiceplane.yml" },
  none: {},
};

/** By their paths from the project's folder. A service reads them at the root of the repository. */
export function pipelineFiles(service: Service, folder: string): Files {
  const root = repositoryRootOf(resolve(folder));
  const entries = Object.entries(pipelines[service]).map(([from, to]) => [
    relative(resolve(folder), join(root, to)),
    textOf("examples/pipelines", service, from),
  ]);
  return Object.fromEntries(entries) as Files;
}

/** The root of the Git repository that the folder is in, or is to be in; without one, the folder itself. */
function repositoryRootOf(folder: string): string {
  for (let root = folder; dirname(root) !== root; root = dirname(root))
    if (fs.existsSync(join(root, ".git"))) return root;
  return folder;
}

/** Writes the files that are not there, and adds the missing lines of `.gitignore`. @returns the paths of the files that are written */
export function writeMissing(folder: string, files: Files): string[] {
  const written: string[] = [];
  for (const [path, text] of Object.entries(files)) {
    const file = join(folder, path);
    if (fs.lstatSync(file, { throwIfNoEntry: false })) continue;
    fs.mkdirSync(dirname(file), { recursive: true });
    fs.writeFileSync(file, text, { flag: "wx" });
    written.push(path);
  }
  const ignored = join(folder, ".gitignore");
  const before = fs.existsSync(ignored) ? fs.readFileSync(ignored, "utf8") : "";
  // The files with the configuration of stacks are not ignored: their secrets are encrypted.
  const lines = textOf("templates/gitignore").trimEnd().split("\n");
  const missing = lines.filter((line) => !before.split(/\r?\n/).includes(line));
  if (missing.length === 0) return written;
  fs.appendFileSync(ignored, `${before === "" || before.endsWith("\n") ? "" : "\n"}${missing.join("\n")}\n`);
  return [...written, ".gitignore"];
}
