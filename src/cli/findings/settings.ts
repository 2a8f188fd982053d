/** Checks the settings that the next run of a stack reads, with decryption, and its passphrase. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { inTemporaryFolder } from "../../machine.js";
import {
  plainTokenProblem,
  problemsWithoutStack,
  readSettings,
  tokenKey,
  type ProviderSettings,
  type SettingsKey,
} from "../../provider/settings.js";
import { parseJson } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import type { QueryPulumi } from "../pulumi/cli.js";
import { hasPassphrase, stackFileOf, type Project } from "../pulumi/project.js";
import { problemFinding, findingOf, ok, warningFinding, type Finding } from "./finding.js";

const namespace = "voiceplane:";

/** How to read the configuration and the state of a stack. */
export interface StackAccess {
  readonly pulumi: QueryPulumi;
  readonly project: Project;
  readonly stack: string;
}

interface CheckedSettings {
  readonly findings: readonly Finding[];
  /** Undefined if there is a problem. */
  readonly settings?: ProviderSettings;
}

/** @param access undefined without a stack: then only the environment has settings */
export async function checkSettings(access: StackAccess | undefined, env: Environment): Promise<CheckedSettings> {
  const keys = configuredKeys(env);
  const configuration = access ? await stackConfiguration(access, keys) : { values: new Map<string, StackValue>() };
  if ("problem" in configuration) return { findings: [configuration.problem] };
  const { values } = configuration;
  const settings = readSettings((key) => values.get(namespace + key)?.value, env);
  const problems = problemFindings(settings, access !== undefined);
  // It is a problem even if a variable overrides it.
  if (values.get(tokenKey)?.secret === false)
    problems.unshift(findingOf("settings", { ...plainTokenProblem, path: [tokenKey] }));
  if (problems.length > 0) return { findings: problems };
  const source = (key: SettingsKey): string =>
    access && keys.has(key) ? `the configuration of ${access.stack}` : "the environment";
  const text = `${settings.address} from ${source("baseUrl")}, a token from ${source("token")}`;
  const isPipeline = !["", "0", "false"].includes(env.CI ?? "");
  // Whoever can change the stack's file decides where the next run sends its token.
  const isUnpinned = isPipeline && keys.has("baseUrl");
  const advice = "Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment.";
  const found = isUnpinned
    ? warningFinding("settings", "address-unpinned", `${text}; a pull request can change the address`, advice)
    : ok("settings", text);
  return { findings: [found], settings };
}

function problemFindings(settings: ProviderSettings, hasStack: boolean): Finding[] {
  if (hasStack) return settings.problems.map((each) => findingOf("settings", each));
  const advice = "No stack is read: if a stack's configuration has it, add --stack NAME.";
  return problemsWithoutStack(settings).map((each) => {
    const isMissing = each.code === "base-url-missing" || each.code === "token-missing";
    return findingOf("settings", isMissing ? { ...each, advice } : each);
  });
}

/** The keys that a run reads from the configuration, because no variable of the environment overrides them. The reader itself names them. */
function configuredKeys(env: Environment): Set<SettingsKey> {
  const keys = new Set<SettingsKey>();
  readSettings((key) => void keys.add(key), env);
  return keys;
}

const stackValue = z.object({ secret: z.boolean(), value: z.string().optional() });
type StackValue = z.infer<typeof stackValue>;
const decryptedValue = z.object({ value: z.string() });

/** The configuration of a stack, by `pulumi config`, or why it cannot be read. Only the secrets among these keys are decrypted. */
async function stackConfiguration(
  { pulumi, stack, project: { folder } }: StackAccess,
  keys: ReadonlySet<SettingsKey>,
): Promise<{ readonly values: ReadonlyMap<string, StackValue> } | { readonly problem: Finding }> {
  const ask = async (...args: string[]): Promise<unknown> => {
    const answer = await pulumi(["config", ...args, "--json", `--stack=${stack}`], folder);
    return answer.kind === "done" ? parseJson(answer.stdout || "{}") : undefined;
  };
  const unreadable = (text: string, advice: string) => ({
    problem: problemFinding("settings", "configuration-unreadable", text, advice),
  });
  const listed = z.record(z.string(), stackValue).safeParse(await ask());
  if (!listed.success) {
    const advice = `Run \`pulumi config --stack ${stack}\` in the project's folder to see what is wrong.`;
    return unreadable(`the configuration of ${stack} cannot be read`, advice);
  }
  const values = new Map(Object.entries(listed.data));
  for (const key of keys) {
    const name = namespace + key;
    if (!values.get(name)?.secret) continue;
    const decrypted = decryptedValue.safeParse(await ask("get", name));
    if (!decrypted.success) {
      const advice =
        "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.";
      return unreadable(`${name} of ${stack} cannot be decrypted`, advice);
    }
    values.set(name, { secret: true, value: decrypted.data.value });
  }
  return { values };
}

/** Encrypts a probe into a copy of the stack's file, because the engine checks the passphrase before it encrypts. */
export async function checkPassphrase({ pulumi, project, stack }: StackAccess): Promise<Finding[]> {
  if (!hasPassphrase(project, stack)) return [];
  const file = stackFileOf(project, stack);
  const folder = inTemporaryFolder(() => mkdtempSync(join(tmpdir(), "voiceplane-passphrase-")));
  try {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    const probe = ["config", "set", "--secret", "voiceplane:probe", "probe"];
    const answer = await pulumi([...probe, `--config-file=${copy}`, `--stack=${stack}`], project.folder);
    const isRefused = answer.kind === "failed" && /passphrase/i.test(answer.error ?? "");
    if (!isRefused) return [];
    const message = `the passphrase of ${stack} is missing or wrong, so a preview cannot run`;
    const advice = "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.";
    return [problemFinding("stack", "passphrase", message, advice)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
