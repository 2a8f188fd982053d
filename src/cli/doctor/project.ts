/** The Pulumi project that the doctor looks at, found and read as the engine does it. */
import { readFileSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { parse } from "yaml";
import { failure, ok, type Finding } from "./finding.js";

export interface Project {
  /** Pulumi.yaml, as a path. */
  readonly file: string;
  /** Where Pulumi.yaml is. */
  readonly folder: string;
  /** Where the program and its dynamic providers run, and look for packages. */
  readonly programFolder: string;
  /** Whether the Node host is to load a TypeScript compiler; it does unless `typescript: false` says otherwise. */
  readonly compiles: boolean;
  /** Where the files of the stacks' configurations are. */
  readonly stackFolder: string;
  /** Whether the program is this package's own, which reads an organization file. */
  readonly runsOrganizationFile: boolean;
}

const names = ["Pulumi.yaml", "Pulumi.yml", "Pulumi.json"];

/** Looks in the folder and above it. */
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

/** `main` may be a file or a folder; the engine goes to the folder. */
function programFolder(folder: string, main: unknown): string {
  if (typeof main !== "string" || main === "") return folder;
  const target = resolve(folder, main);
  return statSync(target, quiet)?.isDirectory() ? target : dirname(target);
}

/** The text of the program's first file, empty where none is found. */
function entryOf(folder: string, main: unknown): string {
  const program = programFolder(folder, main);
  const manifest = contentsOf(join(program, "package.json"));
  const named = [typeof main === "string" && resolve(folder, main), isObject(manifest) && manifest.main];
  const files = [...named.filter((name) => typeof name === "string"), "index.js", "index.ts", "index.mjs", "index.cjs"];
  const entry = files.map((name) => resolve(program, name)).find((file) => statSync(file, quiet)?.isFile());
  return entry === undefined ? "" : readFileSync(entry, "utf8");
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
