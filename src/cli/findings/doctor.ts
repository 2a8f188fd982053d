/** The checks of `voiceplane doctor`: those of `validate`, and what needs this machine, the stack and the server. */
import { compact, messageOf } from "../../values/any.js";
import { resources } from "../../resources/index.js";
import { exportedState } from "../state/export.js";
import { selectedStack, type QueryPulumi } from "../pulumi/cli.js";
import { duplicatesIn, duplicateText, uncertainIn } from "../state/conditions.js";
import { runningText, withUncertain } from "../state/memory.js";
import type { ObjectState, StackState } from "../state/state.js";
import { problemFinding, isProblem, ok, warningFinding, type Finding } from "./finding.js";
import { checkEngine, checkPackages } from "./installed.js";
import { checkServer, type NamedWebhook } from "./server.js";
import { checkPassphrase, checkSettings, type StackReader } from "./settings.js";
import { checkProject, findProject, webhooksDeclared } from "./validate.js";

/** What the checks use of the machine. Tests replace it. */
export interface Machine {
  readonly env: NodeJS.ProcessEnv;
  readonly pulumi: QueryPulumi;
}

/** @param named the stack; undefined for the selected one */
export async function examine(folder: string, named: string | undefined, machine: Machine): Promise<Finding[]> {
  const { env, pulumi } = machine;
  const engine = await checkEngine(pulumi, folder, env);
  const { finding, project } = findProject(folder);
  const installed = [
    ok("node", `Node ${process.versions.node}`),
    engine,
    finding,
    ...(project ? checkPackages(project, env) : []),
  ];
  const canRead = project !== undefined && !isProblem(engine);
  const stack = named ?? (canRead ? await selectedStack(pulumi, project.folder) : undefined);
  const ofFiles = project ? checkProject(project, { stack, env, cwd: project.folder }) : [];
  const reader = canRead && stack !== undefined ? { pulumi, project, stack } : undefined;
  const state = reader && (await readState(reader, env));
  const findings = [
    ...installed,
    ...compact(canRead && !reader && notSelected),
    ...(reader ? await checkPassphrase(reader) : []),
    ...ofFiles,
    ...(reader && state !== undefined ? checkState(state, reader.stack) : []),
  ];
  const ofRun = typeof state === "string" ? { findings: [] } : await checkSettings(reader, env);
  findings.push(...ofRun.findings);
  const { settings } = ofRun;
  if (!settings) return [...findings, warningFinding("server", "not-asked", "not checked: correct the settings first")];
  const declaredHere = project && reader ? webhooksDeclared(project, { stack, env, cwd: project.folder }) : [];
  const webhooks = [
    ...declaredHere,
    ...(typeof state === "object" ? webhooksInState(state, settings.organization) : []),
  ];
  const distinct = webhooks.filter(({ id }, index) => webhooks.findIndex((each) => each.id === id) === index);
  return [...findings, ...(await checkServer(settings.client, env, distinct))];
}

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

async function readState({ pulumi, stack, project: { folder } }: StackReader, env: NodeJS.ProcessEnv) {
  const exported = await exportedState(pulumi, stack, { folder, env }).catch(messageOf);
  return typeof exported === "string" ? exported : withUncertain(exported, env);
}

function checkState(state: StackState | string, stack: string): Finding[] {
  if (typeof state === "string") return [problemFinding("state", "state-unreadable", state)];
  const problems = [
    ...compact(state.isRunning === true && warningFinding("state", "state-pending", runningText)),
    ...uncertainIn(state).map((line) => warningFinding("state", "state-pending", line)),
    ...state.objects
      .filter(({ outputsStale }) => outputsStale)
      .map(({ name }) =>
        warningFinding("state", "state-pending", `${name}: the outputs have an earlier secret`, staleAdvice),
      ),
    ...compact(state.memory !== undefined && warningFinding("state", "memory-unreadable", state.memory)),
    ...duplicatesIn(state).map((resources) => {
      return problemFinding("state", "declared-twice", duplicateText(resources), removalAdvice(resources, stack));
    }),
  ];
  const count = state.objects.length;
  return problems.length > 0 ? problems : [ok("state", `${count || "no"} ${count === 1 ? "object" : "objects"}`)];
}

const staleAdvice =
  "The last update stopped before it wrote them. Run `voiceplane apply` or `pulumi up`, which sends nothing for it.";

/** A state with a secret is never named for removal: it may have the only copy. */
function removalAdvice(resources: readonly ObjectState[], stack: string): string {
  const names = resources.filter(({ hasSecret }) => hasSecret).map(({ name }) => name);
  const removals = resources
    .filter(({ hasSecret }) => !hasSecret)
    .map(({ urn }) => `\`pulumi state delete --stack ${stack} '${urn}'\``)
    .join(" or ");
  if (names.length === 0)
    return `Remove the one that the program does not declare, by ${removals}, which sends nothing.`;
  if (removals === "")
    return "Each has a secret: keep them until the receivers have the one that works, and declare only the resource that has it.";
  return (
    `Keep ${names.join(" and ")}, which has the secret: declare it by this name again and run \`pulumi up\`, which sends nothing. ` +
    `Or remove the other one, by ${removals}, which sends nothing, and give the resource that replaces it the former name, with ` +
    "`formerly` in an organization's entry or an alias in a program."
  );
}
