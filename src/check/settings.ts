/** The settings, read as the provider reads them. The findings never hold the token. */
import { parseJson } from "../values.js";
import { z } from "zod";
import { addressOf, tokenProblem } from "../client/settings.js";
import { noSuchStack, type QueryPulumi } from "../engine/cli.js";
import type { Project } from "../engine/project.js";
import { plainTokenProblem, readSettings, type ProviderSettings, type SettingsKey } from "../provider/settings.js";
import { failure, ok, warning, type Finding } from "./finding.js";
import { misspelledSetting } from "./stack-settings.js";
import { checkPastedToken } from "./token.js";

export interface StackReader {
  readonly pulumi: QueryPulumi;
  readonly project: Project;
  readonly stack: string;
}

export interface SettingsResult {
  readonly findings: readonly Finding[];
  /** Undefined if the settings are not right, so that nothing can be sent. */
  readonly settings?: ProviderSettings;
}

interface StackValues {
  readonly values: ReadonlyMap<string, { readonly secret: boolean; readonly value?: string }>;
  /** Of the whole configuration, with their namespaces. */
  readonly names: readonly string[];
}

/** @param reader undefined if no stack is selected */
export async function checkSettings(env: NodeJS.ProcessEnv, reader: StackReader | undefined): Promise<SettingsResult> {
  const read = reader ? await stackValues(reader, keysUsed(env)) : { values: new Map<never, never>(), names: [] };
  if ("check" in read) return { findings: [read] };
  const { values, names } = read;
  const configured = { names, ...(reader && { project: reader.project.name }) };
  const settings = readSettings((key) => values.get(key)?.value, env, configured);
  const token = typeof settings.client.token === "string" ? settings.client.token : "";
  const pasted = checkPastedToken(token);
  const problems = [
    ...settings.problems
      .filter((problem) => pasted.length === 0 || problem !== tokenProblem(token))
      .map((problem) => failure("settings", problem.replace(/\.$/, ""), hint(problem, reader))),
    ...pasted,
    ...(values.get("token")?.secret === false ? [failure("settings", plainTokenProblem)] : []),
  ];
  const named = problems.map(({ message }) => message).join("\n");
  const misspelled = [...values.keys()].filter((key) => !named.includes(`voiceplane:${key},`)).flatMap(misspelling);
  if (problems.length > 0) return { findings: [...problems, ...misspelled] };

  const used = keysUsed(env);
  const source = (key: SettingsKey): string =>
    used.has(key) && reader ? `the configuration of ${reader.stack}` : "the environment";
  const message = `${addressOf(settings.client.baseUrl)} from ${source("baseUrl")}, a token from ${source("token")}`;
  const address = used.has("baseUrl") && reader ? configuredAddress(source("baseUrl"), env) : pinnedAddress;
  return { findings: [ok("settings", message), ...misspelled, address], settings };
}

const pinnedAddress = ok("address", "VOICEPLANE_BASE_URL of the environment, which no pull request can change");

/** Whoever can change the stack's file decides where the next run sends its token. */
function configuredAddress(source: string, env: NodeJS.ProcessEnv): Finding {
  const isPipeline = !["", "0", "false"].includes(env.CI ?? "");
  const message = `from ${source}, which a pull request can change`;
  return isPipeline
    ? warning("address", message, "Set VOICEPLANE_BASE_URL from a variable of the pipeline's environment.")
    : ok("address", message, "Set VOICEPLANE_BASE_URL in pipelines, from a variable of the environment.");
}

function hint(problem: string, reader: StackReader | undefined): string | undefined {
  return problem.startsWith("no ") && !reader
    ? "No stack is selected; if the configuration of one has it: voiceplane doctor --stack NAME."
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

/** The configuration of the stack. Only the secrets that are used are decrypted. */
async function stackValues(reader: StackReader, used: Set<SettingsKey>): Promise<StackValues | Finding> {
  const { pulumi, stack } = reader;
  const { folder } = reader.project;
  const listing = await pulumi(["config", "--json", `--stack=${stack}`], folder);
  if (listing.kind === "missing")
    return warning("settings", `not read from ${stack}, because there is no pulumi on PATH`);
  if (listing.kind === "failed") return listing.why === noSuchStack ? unknown(stack) : unreadable(stack, listing.why);
  const listed = listingSchema.safeParse(parseJson(listing.stdout === "" ? "{}" : listing.stdout));
  if (!listed.success) return unreadable(stack, "the answer is not the JSON that is known");
  const values = new Map<string, { secret: boolean; value?: string }>();
  for (const [name, { secret, value }] of Object.entries(listed.data)) {
    if (!name.startsWith(prefix)) continue;
    const key = name.slice(prefix.length);
    if (!secret) values.set(key, { secret, ...(value !== undefined && { value }) });
    else if (!used.has(key as SettingsKey)) values.set(key, { secret });
    else {
      const decrypted = await pulumi(["config", "get", name, "--json", `--stack=${stack}`], folder);
      if (decrypted.kind !== "done") return undecipherable(stack, name);
      // The parser's own message repeats a part of the text.
      const answer = decryptedSchema.safeParse(parseJson(decrypted.stdout));
      if (!answer.success) return unknownForm(stack, name);
      values.set(key, { secret, value: answer.data.value });
    }
  }
  return { values, names: Object.keys(listed.data) };
}

const misspelling = (key: string): Finding[] => {
  const reason = misspelledSetting(key);
  return reason === undefined ? [] : [warning("settings", `voiceplane:${key}: ${reason}`)];
};

const prefix = "voiceplane:";

const listingSchema = z.record(z.string(), z.object({ secret: z.boolean(), value: z.string().optional() }));
const decryptedSchema = z.object({ value: z.string() });

const unknown = (stack: string): Finding =>
  failure("settings", `there is no stack ${stack}`, "`pulumi stack ls` lists them, `pulumi stack init` makes one.");

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
    `${name} of ${stack} cannot be read: the pulumi on PATH prints it in a form that is not known`,
    "Set VOICEPLANE_TOKEN, or install another version of Pulumi.",
  );
