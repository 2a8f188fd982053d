/** Checks the settings that the next run of a stack reads, with decryption, and its passphrase. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { z } from "zod";
import { addressOf } from "../../client/settings.js";
import { inTemporaryFolder } from "../../machine.js";
import {
  plainTokenProblem,
  problemsWithoutStack,
  readSettings,
  tokenKey,
  type ProviderSettings,
  type SettingsKey,
} from "../../provider/settings.js";
import { compact, parseJson } from "../../values/any.js";
import type { Diagnostic } from "../../values/diagnostic.js";
import type { Environment } from "../../values/environment.js";
import type { QueryPulumi } from "../pulumi/cli.js";
import { hasPassphrase, shortName, stackFileOf, type Project } from "../pulumi/project.js";
import { problemFinding, findingOf, ok, warningFinding, type Finding } from "./finding.js";

const namespace = "voiceplane:";

export interface StackReader {
  readonly pulumi: QueryPulumi;
  readonly project: Project;
  readonly stack: string;
}

interface CheckedSettings {
  readonly findings: readonly Finding[];
  readonly settings?: ProviderSettings;
}

/** Checks what the next run of a provider reads. @param reader undefined without a stack */
export async function checkSettings(reader: StackReader | undefined, env: Environment): Promise<CheckedSettings> {
  const used = keysUsed(env);
  const values = reader ? await stackConfiguration(reader, used) : new Map<string, StackValue>();
  if (!(values instanceof Map)) return { findings: [values] };
  const settings = readSettings((key) => values.get(namespace + key)?.value, env, {
    names: [...values.keys()],
    ...(reader && { project: reader.project.name }),
  });
  const warnings = settings.warnings.map((each) => findingOf("settings", each));
  const isPlain = values.get(tokenKey)?.secret === false;
  const found = reader ? settings.problems : problemsWithoutStack(settings);
  const problems = compact(isPlain && { ...plainTokenProblem, path: [tokenKey] }, ...found);
  if (problems.length > 0) {
    const advice = reader ? undefined : "No stack is read: if a stack's configuration has it, add --stack NAME.";
    const isMissing = ({ code }: Diagnostic) => code === "base-url-missing" || code === "token-missing";
    const findings = problems.map((each) => findingOf("settings", isMissing(each) ? { ...each, advice } : each));
    return { findings: [...findings, ...warnings] };
  }
  const source = (key: SettingsKey): string =>
    used.has(key) && reader ? `the configuration of ${reader.stack}` : "the environment";
  const message = `${addressOf(settings.client.baseUrl)} from ${source("baseUrl")}, a token from ${source("token")}`;
  // Whoever can change the stack's file decides where the next run sends its token.
  const isPinned = !used.has("baseUrl") || ["", "0", "false"].includes(env.CI ?? "");
  const pin = "Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment.";
  const findings = [
    isPinned
      ? ok("settings", message)
      : warningFinding("settings", "address-unpinned", `${message}; a pull request can change the address`, pin),
    ...warnings,
  ];
  return { findings, settings };
}

/** The keys that no variable of the environment overrides. */
function keysUsed(env: Environment): Set<SettingsKey> {
  const keys = new Set<SettingsKey>();
  readSettings((key) => void keys.add(key), env);
  return keys;
}

const stackValue = z.object({ secret: z.boolean(), value: z.string().optional() });
type StackValue = z.infer<typeof stackValue>;
const decryptedValue = z.object({ value: z.string() });

/** The configuration of a stack, by `pulumi config`. Secrets are decrypted only if a run uses them. */
async function stackConfiguration(
  { pulumi, stack, project: { folder } }: StackReader,
  used: ReadonlySet<SettingsKey>,
): Promise<Map<string, StackValue> | Finding> {
  const ask = async (...args: string[]): Promise<unknown> => {
    const answer = await pulumi(["config", ...args, "--json", `--stack=${stack}`], folder);
    return answer.kind === "done" ? parseJson(answer.stdout || "{}") : undefined;
  };
  const listed = z.record(z.string(), stackValue).safeParse(await ask());
  if (!listed.success) {
    const advice = `Run \`pulumi config --stack ${stack}\` in the project's folder to see what is wrong.`;
    return problemFinding(
      "settings",
      "configuration-unreadable",
      `the configuration of ${stack} cannot be read`,
      advice,
    );
  }
  const values = new Map(Object.entries(listed.data));
  for (const name of [...used].map((key) => namespace + key).filter((each) => values.get(each)?.secret)) {
    const decrypted = decryptedValue.safeParse(await ask("get", name));
    if (!decrypted.success) {
      const advice =
        "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.";
      return problemFinding("settings", "configuration-unreadable", `${name} of ${stack} cannot be decrypted`, advice);
    }
    values.set(name, { secret: true, value: decrypted.data.value });
  }
  return values;
}

/** Encrypts a probe into a copy of the stack's file, because the engine checks the passphrase before it encrypts. */
export async function checkPassphrase({ pulumi, project, stack }: StackReader): Promise<Finding[]> {
  if (!hasPassphrase(project, stack)) return [];
  const file = stackFileOf(project, shortName(stack));
  const folder = inTemporaryFolder(() => mkdtempSync(join(tmpdir(), "voiceplane-passphrase-")));
  try {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    const probe = ["config", "set", "--secret", "voiceplane:probe", "probe"];
    const answer = await pulumi([...probe, `--config-file=${copy}`, `--stack=${stack}`], project.folder);
    if (answer.kind !== "failed" || !/passphrase/i.test(answer.error ?? "")) return [];
    const message = `the passphrase of ${stack} is missing or wrong, so a preview cannot run`;
    const advice = "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.";
    return [problemFinding("stack", "passphrase", message, advice)];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
