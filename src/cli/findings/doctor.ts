/** The checks of `voiceplane doctor`: those of `validate`, and what needs this machine, the stack and the server. */
import { compact, distinctBy, messageOf } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { idKey } from "../../lifecycle/object.js";
import { plural } from "../output.js";
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
  readonly env: Environment;
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
  return [...findings, ...(await checkConnection(access, env))];
}

/** The state, the settings and the server: each check needs the one before it. @param access undefined without a stack */
async function checkConnection(access: StackAccess | undefined, env: Environment): Promise<Finding[]> {
  const { state, problem } = access ? await readState(access, env) : {};
  // The configuration could not be read for the same reason.
  if (problem) return [problem, notAsked];
  const ofState = access && state ? checkState(state, access.stack) : [];
  const { findings: ofSettings, settings } = await checkSettings(access, env);
  if (!settings) return [...ofState, ...ofSettings, notAsked];
  const declared = access ? webhooksDeclared(access.project, access.stack, env) : [];
  const inState = state ? webhooksInState(state, settings.organization) : [];
  const webhooks = distinctBy([...declared, ...inState], ({ id }) => idKey(id));
  return [...ofState, ...ofSettings, ...(await checkServer(settings, env, webhooks))];
}

const notAsked = warningFinding("server", "not-asked", "not checked: correct the problems above first");

function webhooksInState({ objects }: StackState, asked: string): NamedWebhook[] {
  return objects.flatMap(({ type, organization, name, id }) =>
    type === "WebhookSecret" && organization === asked && id !== undefined ? [{ name, id }] : [],
  );
}

const notSelected = problemFinding(
  "stack",
  "stack-unselected",
  "none is selected, or the backend cannot be read, so a preview cannot run",
  "Run `pulumi stack select NAME`, or pass --stack NAME. PULUMI_BACKEND_URL or `pulumi login` sets the backend.",
);

/** The state of a stack, or why it cannot be read. */
async function readState(
  { pulumi, stack, project: { folder } }: StackAccess,
  env: Environment,
): Promise<{ readonly state?: StackState; readonly problem?: Finding }> {
  try {
    return { state: withUncertain(await exportedState(pulumi, stack, { folder, env }), env) };
  } catch (error) {
    return { problem: problemFinding("state", "state-unreadable", messageOf(error)) };
  }
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
  if (found.length > 0) return found;
  return [ok("state", objects.length === 0 ? "no objects" : plural(objects.length, "object"))];
}

/** A state with a secret is never named for removal: it may have the only copy. */
function removalAdvice(declared: readonly ObjectState[], stack: string): string {
  const withSecret = declared.filter(({ hasSecret }) => hasSecret);
  const others = declared.filter(({ hasSecret }) => !hasSecret);
  const removals = others.map(({ urn }) => `\`pulumi state delete --stack ${stack} '${urn}'\``).join(" or ");
  if (withSecret.length === 0)
    return `Remove the one that the program does not declare, by ${removals}, which sends nothing.`;
  if (others.length === 0)
    return "Each has a secret: keep them until the receivers have the one that works, and declare only the resource that has it.";
  const names = withSecret.map(({ name }) => name).join(" and ");
  return (
    `Keep ${names}, which has the secret: declare it by this name again and run \`pulumi up\`, which sends nothing. ` +
    `Or remove the other one, by ${removals}, which sends nothing, and give the resource that replaces it the former name, with ` +
    "`formerly` in an organization's entry or an alias in a program."
  );
}
