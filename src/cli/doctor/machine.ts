/** What is installed on this machine, whatever the project. */
import { ownManifest } from "../manifest.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import type { RunPulumi } from "./pulumi.js";
import { isInRange } from "./versions.js";

/** @param version such as "24.21.0" */
export function checkNode(version: string): Finding {
  const range = ownManifest().engines.node;
  return isInRange(version, range)
    ? ok("node", `Node ${version}`)
    : failure("node", `Node ${version} is too old`, `Install Node ${range.replace(">=", "")} or newer.`);
}

const install = "Install it: https://www.pulumi.com/docs/iac/download-install/";

export async function checkEngine(pulumi: RunPulumi, folder: string): Promise<Finding> {
  const answer = await pulumi(["version"], folder);
  if (answer.kind === "missing") return failure("engine", "there is no pulumi on PATH", install);
  if (answer.kind === "failed") return failure("engine", `"pulumi version" fails (${answer.why})`, install);
  const version = /^v?(\d+\.\d+\.\d+[\w.+-]*)\s*$/.exec(answer.stdout)?.[1];
  if (version === undefined) return failure("engine", "the pulumi on PATH says no version", install);
  // The CLI and the SDK are released together: the oldest SDK that will do names the oldest CLI.
  const range = ownManifest().peerDependencies["@pulumi/pulumi"];
  return isInRange(version, range)
    ? ok("engine", `Pulumi ${version}`)
    : warning(
        "engine",
        `Pulumi ${version} is not one that this package was made for`,
        `Install ${range.replace("^", "")} or newer.`,
      );
}
