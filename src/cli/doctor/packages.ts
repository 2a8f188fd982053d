/** What the program will find in its node_modules. */
import { readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { ownManifest } from "../manifest.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import type { Project } from "./project.js";
import { isInRange, majorOf } from "./versions.js";

interface Installed {
  /** With all links followed, as Node does before it looks for the package's own dependencies. */
  readonly folder: string;
  readonly version: string;
}

export function checkPackages(project: Project): Finding[] {
  const sdk = findPackage("@pulumi/pulumi", project.programFolder);
  return [checkSdk(sdk), checkTypeScript(project, sdk), checkOwnPackage(project)];
}

function checkSdk(sdk: Installed | undefined): Finding {
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
  const advice = `Run npm install; the project's package.json has to list @pulumi/pulumi (${range}).`;
  if (!sdk) return failure("sdk", "@pulumi/pulumi is not installed", advice);
  return isInRange(sdk.version, range)
    ? ok("sdk", `@pulumi/pulumi ${sdk.version}`)
    : failure("sdk", `@pulumi/pulumi ${sdk.version} does not go with this package`, advice);
}

/** TypeScript 7 has no compiler for other programs to load; the SDK loads one wherever it is not told to leave that. */
function checkTypeScript({ compiles, programFolder }: Project, sdk: Installed | undefined): Finding {
  if (!compiles) return ok("typescript", "no compiler is loaded: Pulumi.yaml says typescript: false");
  // It is the SDK that loads the compiler, so it is found from there.
  const typescript = findPackage("typescript", sdk?.folder ?? programFolder);
  if (!typescript) return ok("typescript", "none is installed: the SDK brings its own");
  return majorOf(typescript.version) < 7
    ? ok("typescript", `TypeScript ${typescript.version}`)
    : failure(
        "typescript",
        `the engine cannot use TypeScript ${typescript.version}, which has no compiler for it to load`,
        "Say `typescript: false` under `runtime: options:` in Pulumi.yaml, or run npm install typescript@6.",
      );
}

/** The provider's process looks in the node_modules of the program's folder and of those above it, and nowhere else. */
function checkOwnPackage({ programFolder }: Project): Finding {
  const { name, version } = ownManifest();
  const found = findPackage(name, programFolder);
  if (!found) {
    return failure(
      "package",
      `${name} cannot be found from ${programFolder}`,
      `Run npm install; the project's own package.json has to list ${name}, a library that depends on it is not enough.`,
    );
  }
  if (!hasProviders(found, name)) {
    return failure("package", `${name} in ${found.folder} is not whole`, "Install it again.");
  }
  if (found.version === version) return ok("package", `${name} ${version}`);
  const message = `the project has ${name} ${found.version}, and this is ${version}`;
  return warning("package", message, "Run the project's own: npx voiceplane doctor, in its folder.");
}

function hasProviders({ folder }: Installed, name: string): boolean {
  try {
    // From within the package, so that its own table of exported paths decides.
    createRequire(join(folder, "package.json")).resolve(`${name}/dynamic/retention-policy`);
    return true;
  } catch {
    return false;
  }
}

/** As Node looks for it; by hand, because a package may not export its manifest, and would find itself without being installed. */
function findPackage(name: string, from: string): Installed | undefined {
  try {
    const folder = realpathSync(join(from, "node_modules", name));
    const { version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as { version: string };
    return { folder, version };
  } catch {
    return dirname(from) === from ? undefined : findPackage(name, dirname(from));
  }
}
