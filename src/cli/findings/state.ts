/** What is wrong with the state of a stack. */
import { messageOf } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { backendUrl, fileBackend, formatWanted } from "../engine/backend.js";
import type { QueryPulumi } from "../engine/answer.js";
import { exportedState } from "../engine/cli.js";
import { cloudStack, isCloud } from "../engine/cloud.js";
import { duplicatesIn, duplicateText } from "../engine/conditions.js";
import { shortName } from "../engine/lost-state.js";
import { lockedReason } from "../engine/locks.js";
import { notCompared, staleText } from "../engine/outputs.js";
import { stackNamesIn, stateFaults, type Project } from "../engine/project.js";
import { failure, ok, warning, type Finding } from "./finding.js";

/**
 * The file of a state in a file backend. Others show nothing without the CLI.
 *
 * @param stack undefined for all stacks that have a file
 */
export function checkStateFile(project: Project, stack: string | undefined, env: Environment): Finding[] {
  const url = backendUrl(project.document, env);
  const names = stack === undefined ? stackNamesIn(project) : [shortName(stack)];
  const files = names.flatMap((name) => fileBackend(url, project.name, name, project.folder, env)?.file() ?? []);
  return [
    ...stateFaults(project, stack, env).map((fault) => failure("state", fault)),
    ...files.flatMap((file) => checkFormat(file, env)),
  ];
}

const formats = { "": "plain JSON", ".gz": "gzip", ".zst": "zstd" } as const;

const variables = { ".gz": "PULUMI_DIY_BACKEND_GZIP", ".zst": "PULUMI_DIY_BACKEND_ZSTD" } as const;

function checkFormat(file: string, env: Environment): Finding[] {
  const stored = /\.gz$|\.zst$|$/.exec(file)?.[0] as keyof typeof formats;
  const wanted = formatWanted(env);
  if (stored === wanted) return [];
  const message =
    `${file} is ${formats[stored]}, and the environment asks for ${formats[wanted]}: the next update deletes it before it ` +
    "writes the other one, so a full disk or a kill leaves only its backup";
  const change = stored === "" ? `Unset ${wanted && variables[wanted]}` : `Set ${variables[stored]}=1`;
  return [warning("state", message, `${change}, or keep a copy of the file until that update has ended.`)];
}

/** The update that has the stack, if there is one. It may have died. */
export async function checkHolder(
  pulumi: QueryPulumi,
  stack: string,
  project: Project,
  env: Environment,
): Promise<Finding[]> {
  const { document, folder, name } = project;
  const url = backendUrl(document, env);
  const isLeased = url !== undefined && isCloud(url);
  const lock = isLeased
    ? await cloudStack({ url, project: name, stack, folder, env }, pulumi).holder()
    : fileBackend(url, name, shortName(stack), folder, env)?.locks()[0];
  return lock ? [warning("state", lockedReason(lock, stack, isLeased))] : [];
}

/** Whether an update, or a reader of the stack's outputs, would take the wrong secret. */
export async function checkStateContent(
  pulumi: QueryPulumi,
  stack: string,
  place: { readonly folder: string; readonly env: Environment },
): Promise<Finding[]> {
  const state = await exportedState(pulumi, stack, place).catch(messageOf);
  if (typeof state === "string") return [failure("state", state)];
  const { objects, pendingOperations, staleOutputs } = state;
  const found = [
    ...pendingOperations.map(({ type, name }) =>
      warning("state", `an update ended while ${type} ${name}, or still runs`, "If it has ended, run `pulumi up`."),
    ),
    ...duplicatesIn(state).map((resources) => {
      const commands = resources.map(({ urn }) => `\`pulumi state delete --stack ${stack} '${urn}'\``).join(" or ");
      return failure(
        "state",
        duplicateText(resources),
        `Remove the one that the program does not declare, by ${commands}, which sends nothing.`,
      );
    }),
    ...(staleOutputs ?? []).map((each) =>
      failure(
        "state",
        staleText(each),
        "Run `pulumi up`, which registers the outputs, and read them again wherever they are used.",
      ),
    ),
  ];
  if (found.length > 0) return found;
  const count = `${objects.length || "no"} ${objects.length === 1 ? "object" : "objects"}`;
  if (staleOutputs !== undefined) return [ok("state", count)];
  return [
    warning(
      "state",
      `${count}; ${notCompared}`,
      "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.",
    ),
  ];
}
