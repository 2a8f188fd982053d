/** The settings of one stack, as the next run reads them. The findings never have the token. */
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { inTemporaryFolder } from "../../machine.js";
import { messageOf, parseJson } from "../../values/any.js";
import { z } from "zod";
import { addressOf, settingsProblems } from "../../client/settings.js";
import { namespace, type Setting } from "../pulumi/configuration.js";
import type { QueryPulumi } from "../pulumi/answer.js";
import { exportedState, stackProblemText } from "../pulumi/cli.js";
import { hasPassphrase, shortName, stackFileOf, type Project } from "../pulumi/project.js";
import { readSettings, type ProviderSettings, type SettingsKey } from "../../provider/settings.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import { checkValue } from "./stack-settings.js";

interface StackReader {
  readonly pulumi: QueryPulumi;
  readonly project: Project;
  readonly stack: string;
}

/** What the configuration of a stack has. */
export interface StackValues {
  /** By key, without "voiceplane:". */
  readonly values: ReadonlyMap<string, Setting>;
  /** Of the whole configuration, with their namespaces. */
  readonly names: readonly string[];
}

interface SettingsResult {
  readonly findings: readonly Finding[];
  /** Undefined if the settings are not right, so that nothing can be sent. */
  readonly settings?: ProviderSettings;
}

/**
 * @param reader undefined if no stack is selected
 * @param reported what is known to be wrong with files and the environment, which is not repeated
 */
export function checkSettings(
  { values, names }: StackValues,
  env: NodeJS.ProcessEnv,
  reader: StackReader | undefined,
  reported: readonly Finding[],
): SettingsResult {
  const insecure = values.get("allowInsecureHttp")?.text === "true";
  const ofValues = [...values]
    .flatMap(([key, value]) => checkValue(key, value, insecure))
    .filter(({ message }) => !reported.some((each) => each.message === message));
  const wrong = [...reported, ...ofValues].filter(({ check, status }) => check === "settings" && status === "failure");
  const settings = readSettings((key) => values.get(key)?.text, env, {
    names: names.filter((name) => !wrong.some(({ message }) => message.startsWith(`${name}: `))),
    ...(reader && { project: reader.project.name }),
  });
  // The problems of single values were reported with their files and variables.
  const found = new Set([...settingsProblems(settings.client), ...wrong.map(({ message }) => message)]);
  const missing = settings.problems
    .filter((problem) => !found.has(problem))
    .map((problem) => failure("settings", problem, hint(problem, reader)));
  if (wrong.length + missing.length > 0) return { findings: [...ofValues, ...missing] };

  const used = keysUsed(env);
  const source = (key: SettingsKey): string =>
    used.has(key) && reader ? `the configuration of ${reader.stack}` : "the environment";
  const message = `${addressOf(settings.client.baseUrl)} from ${source("baseUrl")}, a token from ${source("token")}`;
  const address = used.has("baseUrl") && reader ? configuredAddress(source("baseUrl"), env) : pinnedAddress;
  return { findings: [ok("settings", message), address, ...(reader ? checkName(settings) : [])], settings };
}

function checkName({ organization, address }: ProviderSettings): Finding[] {
  if (organization !== address) return [];
  const advice = `Before the first update, run \`pulumi config set voiceplane:organization NAME\`; after it, only the name ${address} changes nothing.`;
  return [
    warning("settings", "the organization has no name, so its address is part of every object's identity", advice),
  ];
}

const pinnedAddress = ok("address", "VOICEPLANE_BASE_URL of the environment, which no pull request can change");

/** Whoever can change the stack's file decides where the next run sends its token. */
function configuredAddress(source: string, env: NodeJS.ProcessEnv): Finding {
  const isPipeline = !["", "0", "false"].includes(env.CI ?? "");
  const message = `from ${source}, which a pull request can change`;
  return isPipeline
    ? warning("address", message, "Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment.")
    : ok("address", message);
}

function hint(problem: string, reader: StackReader | undefined): string | undefined {
  return problem.startsWith("no ") && !reader
    ? "No stack is selected: if a stack's configuration has it, add --stack NAME."
    : undefined;
}

/** The keys that no variable of the environment overrides. */
function keysUsed(env: NodeJS.ProcessEnv): Set<SettingsKey> {
  const keys = new Set<SettingsKey>();
  readSettings((key) => {
    keys.add(key);
    return undefined;
  }, env);
  return keys;
}

/** The configuration of a stack, by `pulumi config`. Only the secrets that are used are decrypted. */
export async function readStackValues(reader: StackReader, env: NodeJS.ProcessEnv): Promise<StackValues | Finding> {
  const { pulumi, stack } = reader;
  const { folder } = reader.project;
  const used = keysUsed(env);
  const listing = await pulumi(["config", "--json", `--stack=${stack}`], folder);
  if (listing.kind === "missing")
    return warning("settings", `not read from ${stack}, because there is no pulumi on PATH`);
  if (listing.kind === "failed") {
    const { stackProblem, why } = listing;
    if (!stackProblem) {
      // The CLI's error about a configuration may repeat a value. Its error about the state names what is wrong with the backend.
      const state = await exportedState(pulumi, stack, { folder, env }).catch(messageOf);
      return typeof state === "string" ? failure("state", state) : unreadable(stack, why);
    }
    return failure("settings", await stackProblemText(stackProblem, stack, { pulumi, folder }));
  }
  const listed = listingSchema.safeParse(parseJson(listing.stdout === "" ? "{}" : listing.stdout));
  if (!listed.success) return unreadable(stack, "its answer is not the expected JSON");
  const values = new Map<string, Setting>();
  for (const [name, { secret, value }] of Object.entries(listed.data)) {
    if (!name.startsWith(namespace)) continue;
    const key = name.slice(namespace.length);
    if (!secret || !used.has(key as SettingsKey)) values.set(key, { secret, text: secret ? undefined : value });
    else {
      const decrypted = await pulumi(["config", "get", name, "--json", `--stack=${stack}`], folder);
      if (decrypted.kind !== "done") return undecipherable(stack, name);
      // The message of the JSON parser repeats a part of the text.
      const answer = decryptedSchema.safeParse(parseJson(decrypted.stdout));
      if (!answer.success) return unknownForm(stack, name);
      values.set(key, { secret, text: answer.data.value });
    }
  }
  return { values, names: Object.keys(listed.data) };
}

/** The engine checks a passphrase before it encrypts: here a probe, in a copy of the stack's file. */
export async function checkPassphrase({ pulumi, project, stack }: StackReader): Promise<Finding[]> {
  if (!hasPassphrase(project, stack)) return [];
  const file = stackFileOf(project, shortName(stack));
  const folder = inTemporaryFolder(() => mkdtempSync(join(tmpdir(), "voiceplane-passphrase-")));
  try {
    const copy = join(folder, basename(file));
    copyFileSync(file, copy);
    const probe = [
      "config",
      "set",
      "--secret",
      "voiceplane:probe",
      "probe",
      `--config-file=${copy}`,
      `--stack=${stack}`,
    ];
    const answer = await pulumi(probe, project.folder);
    if (answer.kind !== "failed" || !/passphrase/i.test(answer.error ?? "")) return [];
    return [
      failure("stack", `the passphrase of ${stack} is missing or wrong, so a preview cannot run`, passphraseAdvice),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const passphraseAdvice = "Set PULUMI_CONFIG_PASSPHRASE or PULUMI_CONFIG_PASSPHRASE_FILE.";

const listingSchema = z.record(z.string(), z.object({ secret: z.boolean(), value: z.string().optional() }));
const decryptedSchema = z.object({ value: z.string() });

const unreadable = (stack: string, why: string): Finding =>
  failure(
    "settings",
    `the configuration of ${stack} cannot be read (${why})`,
    `Run \`pulumi config --stack ${stack}\` in the project's folder to see what is wrong.`,
  );

const undecipherable = (stack: string, name: string): Finding =>
  failure(
    "settings",
    `${name} of ${stack} cannot be decrypted`,
    "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.",
  );

const unknownForm = (stack: string, name: string): Finding =>
  failure(
    "settings",
    `${name} of ${stack} cannot be read: the pulumi on PATH prints it in an unknown form`,
    "Set VOICEPLANE_TOKEN, or install another version of Pulumi.",
  );
