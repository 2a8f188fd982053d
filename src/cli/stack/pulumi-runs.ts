/** Runs Pulumi on a stack for `preview` and `apply`, and reads what it prints. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { InvalidArgumentError, say } from "../commander.js";
import { inTemporaryFolder } from "../../machine.js";
import { tried } from "../../values/any.js";
import { isProblem, findingLine } from "../findings/finding.js";
import { checkProject } from "../findings/validate.js";
import { exportedState } from "../state/export.js";
import { firstError, queryPulumi, runPulumi, type Finished } from "../pulumi/cli.js";
import type { Pending } from "../state/memory.js";
import type { StackState } from "../state/state.js";
import { OutputError } from "../pulumi/events.js";
import { readPreview, readUpdate, type PreviewOrUpdate } from "../pulumi/preview-or-update.js";
import { planVariable } from "../../provider/plan.js";
import { writeRequests, type Plan } from "./plan.js";
import { withInterrupts, type Interrupts } from "./interrupts.js";
import { askPassphrase } from "./passphrase.js";
import type { ReportOptions } from "./report-options.js";
import { projectAbove, projectFileAbove } from "../pulumi/project.js";

export interface Stack extends Pick<ReportOptions, "io" | "folder" | "policyPack" | "policyPackConfig"> {
  /** Undefined for the selected stack. */
  readonly name: string | undefined;
  readonly interrupts: Interrupts;
}

/** Asks for the passphrase of a stack, and runs the action on it. @param name undefined for the selected stack */
export async function onStack<T>(
  options: ReportOptions,
  name: string | undefined,
  action: (stack: Stack) => Promise<T>,
): Promise<T> {
  await askPassphrase(options.io, options.folder, name);
  return withInterrupts(options.io, (interrupts) => action({ ...options, name, interrupts }));
}

export function requireProject(folder: string): void {
  if (projectFileAbove(folder) === undefined)
    throw new InvalidArgumentError(`there is no Pulumi.yaml in ${folder} or above it`);
}

type Variables = Pending & { readonly VOICEPLANE_NOW?: string };

export const exported = ({ io: { env }, name, folder }: Stack): Promise<StackState> =>
  exportedState(queryPulumi(env), name, { folder, env });

export async function preview(stack: Stack, variables: Variables, destroy = false): Promise<PreviewOrUpdate> {
  const command = destroy ? ["destroy", "--preview-only"] : ["preview"];
  const events = eventsOf(await runForStack([...command, "--json"], stack, variables), "preview");
  return events.complete ? events : { ...events, errors: [...unreportedProblems(stack, events), ...events.errors] };
}

/** The problems that `voiceplane validate` finds, with their lines, and that the engine does not report. None if the files cannot be read. */
function unreportedProblems({ io, folder, name }: Stack, { errors }: PreviewOrUpdate): PreviewOrUpdate["errors"] {
  const isReported = (text: string) => errors.some(({ message }) => message.includes(text));
  const findings = tried(() => {
    const project = projectAbove(folder);
    return project && checkProject(project, { stack: name, env: io.env, cwd: folder });
  });
  return (findings ?? [])
    .filter((finding) => isProblem(finding) && !isReported(finding.text))
    .map((finding) => ({ urn: "", message: findingLine(finding) }));
}

/** Updates the stack without a preview of the CLI: `apply` has shown its own, with its policies. The providers send only what the plan has. */
export async function update(stack: Stack, variables: Variables, plan: Pick<Plan, "requests">) {
  const finished = await runForStack(["up", "--yes", "--skip-preview", "--json"], stack, variables, plan);
  return { events: eventsOf(finished, "update"), stderr: finished.stderr };
}

/** Refreshes these resources: the provider writes into their states that they are uncertain, and sends no request. */
export function refresh(stack: Stack, urns: readonly string[], pending: Pending): Promise<Finished> {
  const args = ["refresh", "--yes", "--skip-preview", ...urns.flatMap((urn) => ["--target", urn])];
  return runForStack(args, { ...stack, policyPack: [], policyPackConfig: [] }, pending);
}

async function runForStack(
  args: readonly string[],
  stack: Stack,
  variables: Variables,
  plan?: Pick<Plan, "requests">,
): Promise<Finished> {
  const { io, name, folder, policyPack = [], policyPackConfig = [], interrupts } = stack;
  const files = inTemporaryFolder(() => mkdtempSync(join(tmpdir(), "voiceplane-run-")));
  const allArgs = [
    ...args,
    ...(name === undefined ? [] : ["--stack", name]),
    // The CLI runs in the project's folder, which may not be the current one.
    ...policyPack.flatMap((pack) => ["--policy-pack", resolve(pack)]),
    ...policyPackConfig.flatMap((file) => ["--policy-pack-config", resolve(file)]),
  ];
  const planFile = join(files, "plan.json");
  const env = {
    PULUMI_SKIP_UPDATE_CHECK: "1",
    ...io.env,
    ...variables,
    // With it, a preview prints events, which have the violated policies and every resource.
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1",
    ...(plan && { [planVariable]: planFile }),
  };
  try {
    if (plan) writeRequests(planFile, plan);
    say(io, `running pulumi ${args[0] ?? ""}`);
    return await runPulumi(allArgs, { folder, env, files, signals: [interrupts.first, interrupts.second] });
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

/** What a command printed. If it failed and its events do not have the reason, the first error of the CLI is added. */
function eventsOf({ code, stdout, stderr }: Finished, phase: PreviewOrUpdate["phase"]): PreviewOrUpdate {
  const isDone = code === 0;
  if (isDone && stdout === "")
    throw new Error(`pulumi printed nothing: check that the temporary folder ${tmpdir()} has room`);
  const events = phase === "update" ? readUpdate(stdout, isDone) : previewIn(stdout, isDone);
  const isExplained = events.complete || events.errors.length + events.violations.length > 0;
  const error = firstError(stderr);
  return isExplained || error === "" ? events : { ...events, errors: [{ urn: "", message: error }] };
}

function previewIn(stdout: string, isDone: boolean): PreviewOrUpdate {
  try {
    const read = readPreview(stdout);
    return isDone ? read : { ...read, complete: false };
  } catch (error) {
    if (isDone || !(error instanceof OutputError)) throw error;
    const nothing = { steps: [], errors: [], warnings: [], violations: [] };
    return { phase: "preview", ...nothing, complete: false, organizationFile: undefined };
  }
}
