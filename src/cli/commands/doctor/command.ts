/** Checks what an update needs. */
import { Client } from "../../../client/client.js";
import { problemsIn, RequestError } from "../../../client/errors.js";
import {
  plainTokenProblem,
  problemsWithoutStack,
  readSettings,
  tokenKey,
  type ProviderSettings,
} from "../../../provider/settings.js";
import { webhooksIn } from "../../../resources/webhook-secret/list.js";
import { isObject, messageOf, textIn, type Values } from "../../../values/any.js";
import type { Environment } from "../../../values/environment.js";
import { Command, folderOption, hasColors, stackOption, type Help, type Io } from "../../commander.js";
import {
  findingOf,
  formatFindings,
  isProblem,
  ok,
  problemFinding,
  warningFinding,
  type Finding,
} from "../../finding.js";
import { plural } from "../../output.js";
import { jsonIn, pulumiIn, selectedStack, type Pulumi } from "../../pulumi/cli.js";
import { projectFileAbove, readProjectFile, type Project } from "../../pulumi/project.js";
import { conditionsIn, isProblem as isProblematic, sentenceFor } from "../../state/conditions.js";
import { exportedState, type StackState } from "../../state/state.js";
import { checkEngine, checkPackages } from "./installed.js";

export const help: Help = {
  examples: {
    "Check the project in this folder, with its selected stack": "npx voiceplane doctor",
    "Check another stack": "npx voiceplane doctor --stack dev",
  },
  exitCodes: { 0: "nothing failed, though there may be warnings", 1: "a problem, or bad usage" },
};

export const command = (io: Io) =>
  new Command("doctor")
    .description(
      "Checks what an update needs: Node, the engine, the project with its packages, the settings, the stack's state, and the control " +
        "plane. Changes nothing. Sends one request, GET /v1/webhooks/, and never shows the token.",
    )
    .addOption(folderOption())
    .addOption(stackOption("the stack whose configuration and state are read (default: the selected stack)"))
    .action(async ({ cwd: folder = process.cwd(), stack }) => {
      const { env, stdout } = io;
      const findings = await examine(folder, stack, { env, pulumi: pulumiIn(folder, env) });
      stdout.write(formatFindings(findings, hasColors(io), env));
      io.exitCode = findings.some(isProblem) ? 1 : 0;
    });

/** @param named the stack; undefined for the selected one @param machine what the checks use of it, which tests replace */
export async function examine(
  folder: string,
  named: string | undefined,
  { env, pulumi }: { readonly env: Environment; readonly pulumi: Pulumi },
): Promise<Finding[]> {
  const { finding, project } = findProject(folder);
  const engine = await checkEngine(pulumi);
  const installed = [
    ok("node", `Node ${process.versions.node}`),
    engine,
    finding,
    ...(project ? checkPackages(project) : []),
  ];
  if (!project || isProblem(engine)) return [...installed, notAsked];
  const stack = named ?? (await selectedStack(pulumi));
  if (stack === undefined)
    return [...installed, notSelected, ...(await checkServer(settingsWith({}, env), env, false))];
  const state = await exportedState(pulumi, stack, env).catch(messageOf);
  if (typeof state === "string") return [...installed, problemFinding("state", "state-unreadable", state), notAsked];
  const configuration = await configurationOf(stack, pulumi);
  const ofSettings =
    configuration === undefined
      ? [unreadableConfiguration(stack), notAsked]
      : [...plainToken(configuration), ...(await checkServer(settingsWith(configuration, env), env, true))];
  return [...installed, ...checkState(state), ...ofSettings];
}

function findProject(folder: string): { readonly finding: Finding; readonly project?: Project } {
  const file = projectFileAbove(folder);
  if (file === undefined) {
    const advice =
      "Run this in the project's folder, or add -C DIR. To create a project: npx pulumi-voiceplane init DIR.";
    return {
      finding: problemFinding("project", "project", `there is no Pulumi.yaml in ${folder} or above it`, advice),
    };
  }
  try {
    return { finding: ok("project", file), project: readProjectFile(file) };
  } catch (error) {
    return { finding: problemFinding("project", "project", messageOf(error)) };
  }
}

const notSelected = problemFinding(
  "stack",
  "stack-unselected",
  "no stack is selected, or the backend cannot be read, so a preview cannot run",
  "Run `pulumi stack select NAME`, or `pulumi stack init NAME` for a new one. PULUMI_BACKEND_URL or `pulumi login` sets the backend.",
);

function checkState(state: StackState): Finding[] {
  const found = conditionsIn(state, new Date()).filter(isProblematic);
  if (found.length > 0) return found.map((each) => warningFinding("state", "state-pending", sentenceFor(each)));
  return [ok("state", plural(state.objects.length, "object"))];
}

/** The configuration of a stack, with its secrets decrypted; undefined if it cannot be read. */
async function configurationOf(stack: string, pulumi: Pulumi): Promise<Values | undefined> {
  const { code, stdout } = await pulumi(["config", "--json", "--show-secrets", "--stack", stack]);
  const read = code === 0 ? (jsonIn(stdout) ?? {}) : undefined;
  return isObject(read) ? read : undefined;
}

/** The CLI's own error may have values of the configuration. */
const unreadableConfiguration = (stack: string): Finding =>
  problemFinding(
    "settings",
    "state-unreadable",
    `the configuration of ${stack} cannot be read or decrypted`,
    "Give this command what `pulumi up` has: PULUMI_CONFIG_PASSPHRASE, or access to the stack's secrets provider.",
  );

const settingsWith = (configuration: Values, env: Environment): ProviderSettings =>
  readSettings((key) => {
    const value = configuration[`voiceplane:${key}`];
    return isObject(value) ? textIn(value, "value") : undefined;
  }, env);

/** It is a problem even if a variable overrides it. */
function plainToken(configuration: Values): Finding[] {
  const token = configuration[tokenKey];
  return isObject(token) && token.secret !== true
    ? [findingOf("settings", { ...plainTokenProblem, path: [tokenKey] })]
    : [];
}

const notAsked = warningFinding("server", "not-asked", "not checked: correct the problems above first");

/** Sends `GET /v1/webhooks/` in one attempt: a person waits for the result. @param hasStack whether the organization's name can be known */
async function checkServer(settings: ProviderSettings, env: Environment, hasStack: boolean): Promise<Finding[]> {
  const { address, client: options } = settings;
  const problems = hasStack ? settings.problems : problemsWithoutStack(settings);
  if (problems.length > 0) return [...problems.map((each) => findingOf("settings", each)), notAsked];
  const client = new Client(options, { env }, { maxAttempts: 1, maxRateLimitedAttempts: 1, connections: 1 });
  const found = ok("settings", settings.tokenSource.replace(/\.$/, ""));
  try {
    if (webhooksIn(await client.send("listWebhooks", {})))
      return [found, ok("server", `${address} accepts the token for webhooks:read`, untested)];
    return [found, problemFinding("server", "list-unreadable", `${address}: no list was found in the server's answer`)];
  } catch (error) {
    if (error instanceof RequestError && error.diagnostic.code === "token-rights")
      return [found, warningFinding("server", "token-rights", error.diagnostic.text, untested)];
    const texts = problemsIn(error).map((each) => ({ ...each, text: `${address}: ${each.text}` }));
    return [found, ...texts.map((each) => findingOf("server", each))];
  } finally {
    await client.close();
  }
}

const untested = "Whether the token may change settings was not tested, because that would change some.";
