/** The checks of `voiceplane doctor`: those of `validate`, and what needs this machine, the stack and the server. */
import { compact, distinctBy, messageOf } from "../../values/any.js";
import { idKey } from "../../lifecycle/object.js";
import { resources } from "../../resources/index.js";
import { exportedState } from "../state/export.js";
import { selectedStack, type QueryPulumi } from "../pulumi/cli.js";
import { advice, duplicatesIn, duplicateText, uncertainIn } from "../state/conditions.js";
import { runningText, withUncertain } from "../state/memory.js";
import type { ObjectState, StackState } from "../state/state.js";
import { problemFinding, isProblem, ok, warningFinding, type Finding } from "./finding.js";
import { checkEngine, checkPackages } from "./installed.js";
import { checkServer, type NamedWebhook } from "./server.js";
import { checkPassphrase, checkSettings, type StackAccess } from "./settings.js";
import { checkProject, findProject, webhooksDeclared } from "./validate.js";

/** What the checks use of the machine. Tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly pulumi: QueryPulumi;
}

/** @param named the stack; undefined for the selected one */
export async function examine(folder: string, named: string | undefined, { env, pulumi }: Machine): Promise<Finding[]> {
  const engine = await checkEngine(pulumi, folder, env);
  const { finding, project } = findProject(folder);
  const findings = [ok("node", `Node ${process.versions.node}`), engine, finding];
  if (project) findings.push(...checkPackages(project, env));
  const canRead = project !== undefined && !isProblem(engine);
  const stack = named ?? (canRead ? await selectedStack(pulumi, project.folder) : undefined);
  const access = canRead && stack !== undefined ? { pulumi, project, stack } : undefined;
  if (access) findings.push(...(await checkPassphrase(access)));
  else if (canRead) findings.push(notSelected);
  if (project) findings.push(...checkProject(project, { stack, env, cwd: project.folder }));
  const state = access && (await readState(access, env));
  // Whatever keeps the state from being read would also be reported of the configuration.
  if (typeof state === "string") return [...findings, problemFinding("state", "state-unreadable", state), notAsked];
  if (access && state) findings.push(...checkState(state, access.stack));
  const { findings: ofSettings, settings } = await checkSettings(access, env);
  findings.push(...ofSettings);
  if (!settings) return [...findings, notAsked];
  const webhooks = access ? webhooksDeclared(access.project, { stack, env, cwd: access.project.folder }) : [];
  if (state) webhooks.push(...webhooksInState(state, settings.organization));
  const distinct = distinctBy(webhooks, ({ id }) => idKey(id));
  return [...findings, ...(await checkServer(settings, env, distinct))];
}

const notAsked = warningFinding("server", "not-asked", "not checked: correct the problems above first");

/** The objects of this organization that the server's list should have. They are of the type that can be imported. */
function webhooksInState({ objects }: StackState, asked: string): NamedWebhook[] {
  return objects.flatMap(({ type, organization, name, id }) => {
    const isListed = resources[type].lifecycle.import !== undefined;
    return isListed && organization === asked && id !== undefined ? [{ name, id }] : [];
  });
}

const notSelected = problemFinding(
  "stack",
  "stack-unselected",
  "none is selected, or the backend cannot be read, so a preview cannot run",
  "Run `pulumi stack select NAME`, or pass --stack NAME. Where the state is, PULUMI_BACKEND_URL or `pulumi login` says.",
);

async function readState({ pulumi, stack, project: { folder } }: StackAccess, env: NodeJS.ProcessEnv) {
  const exported = await exportedState(pulumi, stack, { folder, env }).catch(messageOf);
  return typeof exported === "string" ? exported : withUncertain(exported, env);
}

function checkState(state: StackState, stack: string): Finding[] {
  const { objects, isRunning, memory } = state;
  const pending = [
    ...compact(isRunning === true && runningText),
    ...uncertainIn(state),
    ...objects.filter(({ outputsStale }) => outputsStale).map(({ name }) => `${name}: ${advice["outputs stale"]}`),
  ];
  const found = [
    ...pending.map((text) => warningFinding("state", "state-pending", text)),
    ...compact(memory !== undefined && warningFinding("state", "memory-unreadable", memory)),
    ...duplicatesIn(state).map((declared) =>
      problemFinding("state", "declared-twice", duplicateText(declared), removalAdvice(declared, stack)),
    ),
  ];
  const count = objects.length;
  return found.length > 0 ? found : [ok("state", `${count || "no"} ${count === 1 ? "object" : "objects"}`)];
}

/** A state with a secret is never named for removal: it may have the only copy. */
function removalAdvice(resources: readonly ObjectState[], stack: string): string {
  const withSecret = resources.filter(({ hasSecret }) => hasSecret).map(({ name }) => name);
  const removals = resources
    .filter(({ hasSecret }) => !hasSecret)
    .map(({ urn }) => `\`pulumi state delete --stack ${stack} '${urn}'\``)
    .join(" or ");
  if (withSecret.length === 0)
    return `Remove the one that the program does not declare, by ${removals}, which sends nothing.`;
  if (removals === "")
    return "Each has a secret: keep them until the receivers have the one that works, and declare only the resource that has it.";
  return (
    `Keep ${withSecret.join(" and ")}, which has the secret: declare it by this name again and run \`pulumi up\`, which sends nothing. ` +
    `Or remove the other one, by ${removals}, which sends nothing, and give the resource that replaces it the former name, with ` +
    "`formerly` in an organization's entry or an alias in a program."
  );
}
