/** The one name of a stack, for its lock, its record and its journals. */
import type { Environment } from "../../values/environment.js";
import { backendName } from "../engine/backend.js";
import { queryPulumi } from "../engine/cli.js";
import { cloudStack, isCloud, type CloudStack } from "../engine/cloud.js";
import { recordName } from "../engine/lost-state.js";
import type { Project } from "../engine/project.js";
import type { StackName } from "./record.js";

interface NamedStack {
  readonly of: StackName;
  /** Undefined for other backends than Pulumi Cloud. */
  readonly cloud: CloudStack | undefined;
}

/** @param stack as given, which may be "organization/project/stack" */
export async function stackNameOf(
  { name, folder }: Pick<Project, "name" | "folder">,
  url = "",
  stack: string,
  env: Environment,
): Promise<NamedStack> {
  const place = { url, project: name, stack, folder, env };
  const cloud = isCloud(url) ? cloudStack(place, queryPulumi(env)) : undefined;
  const known = (await cloud?.fullName()) ?? recordName(name, stack);
  return { of: { backend: backendName(url), project: name, stack: known }, cloud };
}
