/** What must hold after every fault: a valid state, no processes left, and only the expected locks. */
import { hash } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { tried } from "../../../src/values/any";
import type { Project } from "../engine/project";
import { hasProc, ofEachProcess } from "../machine";

interface Process {
  readonly pid: number;
  readonly command: string;
}

/** The processes of a project's commands, found by the home folder in their environment (Linux only). */
export function processesOf({ folder }: Project): Process[] {
  const own = [...ofEachProcess("environ")].filter(([, text]) => text.split("\0").includes(`HOME=${folder}`));
  const commands = ofEachProcess("cmdline");
  return own.map(([pid]) => ({ pid, command: (commands.get(pid) ?? "").replaceAll("\0", " ").trim() }));
}

const commands = { provider: /pulumi-resource-voiceplane|cmd\/dynamic-provider/, program: /\/cmd\/run\/index\.js/ };

/** The process id of the program or a provider of a running command. undefined if there is none. */
export function processOf(stack: Project, kind: keyof typeof commands): number | undefined {
  return processesOf(stack).find(({ command }) => commands[kind].test(command))?.pid;
}

/** With SIGKILL. Some of them may have ended with those before them. */
export function killEach(processes: readonly Process[]): void {
  for (const { pid } of processes) tried(() => process.kill(pid, "SIGKILL"));
}

/**
 * Resolves once they are gone: a killed process is alive until it has returned its memory.
 *
 * @returns false if there was none
 */
export async function killAll(stack: Project, kind: keyof typeof commands): Promise<boolean> {
  const found = processesOf(stack).filter(({ command }) => commands[kind].test(command));
  killEach(found);
  await stack.until(() => !processesOf(stack).some(({ pid }) => found.some((each) => each.pid === pid)));
  return found.length > 0;
}

/** The locks of a stack. */
export function locksOf({ folder }: Project): string[] {
  const locks = join(folder, ".state/.pulumi/locks");
  const names = existsSync(locks) ? readdirSync(locks, { recursive: true, encoding: "utf8" }) : [];
  return names.filter((name) => name.endsWith(".json"));
}

export interface Aftermath {
  /** Locks that stay behind. Default: 0. */
  readonly locks?: number;
  /** Operations whose end the engine did not record. Default: 0. */
  readonly pending?: number;
}

/** All processes of the stack end by themselves, and the state can be read and has these pending operations. */
export async function expectSound(stack: Project, { locks = 0, pending = 0 }: Aftermath = {}): Promise<void> {
  if (hasProc) await stack.until(() => processesOf(stack).length === 0);
  expect(locksOf(stack)).toHaveLength(locks);
  const { resources, pending_operations = [] } = stack.deployment();
  expect(resources).not.toHaveLength(0);
  expect(pending_operations).toHaveLength(pending);
}

/** How often the server rotated each webhook's secret, by the webhook's id. */
export function rotationsOf({ organization }: Project): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { operation, committed, path } of organization.control.journal()) {
    const [, , , id = ""] = path.split("/");
    if (operation === "rotateWebhookSecret" && committed) counts[id] = (counts[id] ?? 0) + 1;
  }
  return counts;
}

/** The state has the secret that the server signs the webhook with now. */
export function expectCurrentSecret(stack: Project, resource: string): void {
  const { webhooks } = stack.organization.control.state();
  const { outputs } = stack.inClear().find(({ urn }) => urn.endsWith(`::${resource}`)) ?? {};
  const webhook = webhooks.find(({ id }) => id === outputs?.webhookId);
  expect(webhook?.signing_secret_sha256).toMatch(/^[0-9a-f]{64}$/);
  expect(hash("sha256", String(outputs?.secret))).toBe(webhook?.signing_secret_sha256);
}
