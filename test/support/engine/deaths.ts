/** Updates that end while their requests have no answer, and what is left of them (Linux only). */
import { hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { OperationName } from "../../../src/contract/index";
import { tried } from "../../../src/values/any";
import { afterTest } from "../after-test";
import { ofEachProcess } from "../machine";
import { until, type Finished, type Running } from "../processes";
import type { Project } from "./project";

/** Ctrl-C, or what is killed: the engine alone, all providers, or all processes of the stack. */
export type Death = "SIGINT" | "SIGKILL" | "provider" | "machine";

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** The processes of a project's commands, found by the home folder in their environment. */
function processesOf({ folder }: Project): Process[] {
  const own = [...ofEachProcess("environ")].filter(([, text]) => text.split("\0").includes(`HOME=${folder}`));
  const commands = ofEachProcess("cmdline");
  return own.map(([pid]) => ({ pid, command: (commands.get(pid) ?? "").replaceAll("\0", " ").trim() }));
}

const program = /\/cmd\/run\/index\.js/;
const provider = /pulumi-resource-voiceplane|cmd\/dynamic-provider/;
const engine = /^pulumi up\b/;

const found = (stack: Project, ...kinds: readonly RegExp[]): Process[] =>
  processesOf(stack).filter(({ command }) => kinds.some((kind) => kind.test(command)));

function killEach(processes: readonly Process[]): void {
  // Some of them may have ended with those before them.
  for (const { pid } of processes) tried(() => process.kill(pid, "SIGKILL"));
}

/** Resolves once the engine has handled the signal: then it ends the program, which has to be in JavaScript. */
export async function interrupt(stack: Project, running: Running, signal: NodeJS.Signals): Promise<void> {
  running.kill(signal);
  await until(() => found(stack, program).length === 0);
}

function locksOf({ folder }: Project): string[] {
  const locks = join(folder, ".state/.pulumi/locks");
  const names = existsSync(locks) ? readdirSync(locks, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => name.endsWith(".json"));
}

/** An `up` sends these requests, which are carried out, and ends before it has an answer. What is left of it ends by itself, but for its lock. */
export async function die(
  stack: Project,
  how: Death,
  operations: readonly OperationName[] = ["rotateWebhookSecret"],
): Promise<Finished> {
  afterTest(() => {
    killEach(processesOf(stack));
  });
  const { control } = stack.organization;
  const unanswered = how === "SIGINT" ? ({ hold: "before" } as const) : ({ connection: "hang", commit: true } as const);
  control.setFaults(operations.map((operation) => ({ operation, count: 1, ...unanswered })));
  const up = stack.startUp();
  await until(() => control.faults().length === 0);
  if (how === "SIGINT") {
    await interrupt(stack, up, "SIGINT");
    control.release();
  } else if (how === "SIGKILL") up.kill("SIGKILL");
  else killEach(how === "provider" ? found(stack, provider) : processesOf(stack));
  const finished = await up.finished;
  expect(finished.code).not.toBe(0);
  // The engine's host for YAML outlives a killed engine.
  await until(() => found(stack, provider, engine).length === 0);
  const isLocked = how === "SIGKILL" || how === "machine";
  expect(locksOf(stack)).toHaveLength(isLocked ? 1 : 0);
  if (isLocked) await stack.run(["cancel", "--yes", "--stack", "dev"]);
  return finished;
}

/** The state has the secret that the server signs the webhook with now. */
export function expectCurrentSecret(stack: Project, resource: string): void {
  const { webhooks } = stack.organization.control.state();
  const { outputs } = stack.inClear().find(({ urn }) => urn.endsWith(`::${resource}`)) ?? {};
  const webhook = webhooks.find(({ id }) => id === outputs?.webhookId);
  expect(webhook?.signing_secret_sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(hash("sha256", String(outputs?.secret))).toBe(webhook?.signing_secret_sha256);
}
