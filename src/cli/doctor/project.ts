/** The Pulumi project in a folder, found and read as the engine does. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { isObject } from "../../client/answer.js";
import { failure, ok, type Finding } from "./finding.js";

export interface Project {
  /** Path of Pulumi.yaml. */
  readonly file: string;
  /** The folder of Pulumi.yaml. */
  readonly folder: string;
  /** Where the program and its dynamic providers run. */
  readonly programFolder: string;
  /** Whether the engine loads a TypeScript compiler: it does without `typescript: false`. */
  readonly compiles: boolean;
  /** Where the stacks' configuration files are. */
  readonly stackFolder: string;
  /** Whether the program is this package's, which reads an organization file. */
  readonly runsOrganizationFile: boolean;
}

const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Searches the folder and those above it. */
export function findProject(start: string): { finding: Finding; file?: string; project?: Project } {
  const file = findUpwards(resolve(start));
  if (file === undefined) {
    const advice =
      "Run this in the project's folder, or name it: voiceplane doctor DIR. A new project: voiceplane init DIR.";
    return { finding: failure("project", `there is no Pulumi.yaml in ${resolve(start)} or above it`, advice) };
  }
  const text = contentsOf(file);
  if (!isObject(text)) return { file, finding: failure("project", `${file} cannot be read as a Pulumi project`) };
  const runtime = isObject(text.runtime) ? text.runtime : { name: text.runtime };
  if (runtime.name !== "nodejs") {
    const advice = "Resources of this package need a program that Node runs: `runtime: nodejs`.";
    return { file, finding: failure("project", `${file} has another runtime than nodejs`, advice) };
  }
  const options = isObject(runtime.options) ? runtime.options : {};
  const folder = dirname(file);
  const project = {
    file,
    folder,
    programFolder: programFolder(folder, text.main),
    compiles: options.typescript !== false,
    stackFolder: typeof text.stackConfigDir === "string" ? resolve(folder, text.stackConfigDir) : folder,
    runsOrganizationFile: entryOf(folder, text.main).includes("pulumi-voiceplane/stack"),
  };
  return { file, finding: ok("project", file), project };
}

function findUpwards(folder: string): string | undefined {
  const found = names.map((name) => join(folder, name)).find((file) => statSync(file, quiet)?.isFile());
  if (found !== undefined) return found;
  return dirname(folder) === folder ? undefined : findUpwards(dirname(folder));
}

const quiet = { throwIfNoEntry: false } as const;

function contentsOf(file: string): unknown {
  try {
    return parse(readFileSync(file, "utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/** `main` may be a file or a folder. */
function programFolder(folder: string, main: unknown): string {
  if (typeof main !== "string" || main === "") return folder;
  const target = resolve(folder, main);
  return statSync(target, quiet)?.isDirectory() ? target : dirname(target);
}

/** The text of the program's entry file; empty if there is none. */
function entryOf(folder: string, main: unknown): string {
  const program = programFolder(folder, main);
  const manifest = contentsOf(join(program, "package.json"));
  const named = [typeof main === "string" && resolve(folder, main), isObject(manifest) && manifest.main];
  const files = [...named.filter((name) => typeof name === "string"), "index.js", "index.ts", "index.mjs", "index.cjs"];
  const entry = files.map((name) => resolve(program, name)).find((file) => statSync(file, quiet)?.isFile());
  return entry === undefined ? "" : readFileSync(entry, "utf8");
}
