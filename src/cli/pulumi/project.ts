/** Finds the project and its stacks as the CLI does. */
import { existsSync, readdirSync } from "node:fs";
import { dirname, extname, join } from "node:path";
import { isObject, textIn, tried, type Values } from "../../values/any.js";
import { given, secretsOf, type Environment } from "../../values/environment.js";
import { documentIn, fileAbove, pulumiHome } from "./files.js";

/** A project without one of its stacks. */
export interface Project {
  /** Pulumi.yaml, or the file that the CLI takes instead. */
  readonly file: string;
  readonly folder: string;
  readonly name: string;
  readonly document: Values;
  /** Such as "nodejs", "yaml" or "python". */
  readonly runtime: string;
  readonly stackFolder: string;
}

/** In the order in which the CLI looks for them. */
const fileNames = ["Pulumi.json", "Pulumi.yaml", "Pulumi.yml"];

export const projectFileAbove = (folder: string): string | undefined => fileAbove(folder, fileNames);

/** @throws Error with what is wrong with the file */
export function readProjectFile(file: string): Project {
  const document = documentIn(file);
  const name = textIn(document, "name");
  if (name === undefined) throw new Error(`${file} cannot be read as a Pulumi project`);
  const runtime = isObject(document.runtime) ? document.runtime.name : document.runtime;
  if (typeof runtime !== "string" || runtime === "") throw new Error(`${file} has no runtime, such as nodejs or yaml`);
  const stackConfigDir = textIn(document, "stackConfigDir");
  // An older Pulumi.yaml has the folder in `config`, which is a map today.
  const olderFolder = textIn(document, "config");
  if (stackConfigDir !== undefined && olderFolder !== undefined)
    throw new Error(`${file} names the folder of the stacks in config and in stackConfigDir: keep stackConfigDir`);
  const folder = dirname(file);
  const stackFolder = join(folder, stackConfigDir ?? olderFolder ?? "");
  return { file, folder, name, document, runtime, stackFolder };
}

/** The project that this folder is in; undefined if there is none, or it cannot be read. */
export function projectAbove(folder: string): Project | undefined {
  const file = projectFileAbove(folder);
  return file === undefined ? undefined : tried(() => readProjectFile(file));
}

/** The secrets that no text may contain: of the environment, of `pulumi login`, and of the backend of the project that this folder is in. */
export function secretsIn(folder: string, env: Environment): string[] {
  const backend = projectAbove(folder)?.document.backend;
  const login = documentIn(join(given(env.PULUMI_CREDENTIALS_PATH) ?? pulumiHome(env), "credentials.json"));
  return secretsOf(env, isObject(backend) ? textIn(backend, "url") : undefined, textIn(login, "current"));
}

/** The last part of "organization/project/stack". */
export const shortName = (stack: string): string => stack.split("/").at(-1) ?? "";

export function stackNamesIn({ file, stackFolder }: Project): string[] {
  // The folder that Pulumi.yaml names may not exist before the first stack is configured.
  const files = existsSync(stackFolder) ? readdirSync(stackFolder).sort() : [];
  const ofStacks = files.filter((each) => /^Pulumi\..+\./.test(each) && each.endsWith(extname(file)));
  return ofStacks.map((each) => each.slice("Pulumi.".length, -extname(file).length));
}
