import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import {
  exportedState,
  firstError,
  queryPulumi,
  runPulumi,
  stackProblemIn,
  stackProblemText,
  type Finished,
} from "./engine/cli.js";
import { notCompared, type StaleOutput } from "./engine/outputs.js";
import { OutputError, readPreviewOrUpdate, type PreviewOrUpdate, type Step } from "./engine/preview-or-update.js";
import { inTemporaryFolder } from "../machine.js";
import { messageOf } from "../values/any.js";
import { resourceTypeOf } from "../resources/index.js";
import { Command, paths, stackName, type Help } from "./commander.js";
import { interrupts } from "./interrupts.js";
import { askPassphrase } from "./passphrase.js";
import {
  commitOption,
  failOnHelp,
  failOnOption,
  formatOption,
  report,
  reportExitCodes,
  sinceOption,
} from "./report-options.js";

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Fail if it would delete data or cut a trunk": "npx voiceplane preview --fail-on deletes-data,cuts-a-trunk",
  },
  more: failOnHelp,
  exitCodes: reportExitCodes,
};

export const command = new Command("preview")
  .description(
    "Runs `pulumi preview` and explains it in plain language, the risks first. Changes nothing, and keeps nothing of Pulumi's " +
      "output, which may have secrets in plain text.",
  )
  .argument("[dir]", "the project's folder", ".")
  .option("-s, --stack <stack>", "the stack (default: the selected stack)", stackName)
  .addOption(formatOption())
  .addOption(commitOption())
  .addOption(sinceOption())
  .optionsGroup("Guards:")
  .addOption(failOnOption("the exit code is 2 or 3", "changes"))
  .option("--policy-pack <dir>", "a policy pack, can be repeated", paths)
  .option("--policy-pack-config <file>", "its configuration, in the same order", paths)
  .action(async (dir, { stack, policyPack = [], policyPackConfig = [], ...options }) => {
    const folder = resolve(dir);
    await askPassphrase(folder, stack);
    const args = [
      // An engine that does not know the events prints a document, which has no unchanged resources without the flag.
      ...["preview", "--json", "--show-sames"],
      ...(stack === undefined ? [] : ["--stack", stack]),
      ...policyPack.flatMap((pack) => ["--policy-pack", pack]),
      ...policyPackConfig.flatMap((config) => ["--policy-pack-config", config]),
    ];
    const preview = await previewOf(await run(args, folder), stack, folder);
    const staleOutputs = preview.complete ? await staleOutputsOf(preview, stack, folder) : [];
    await report(folder, preview, { ...options, staleOutputs });
    if (preview.complete) return;
    const again = ["pulumi preview", ...(stack === undefined ? [] : [`--stack ${stack}`])].join(" ");
    process.stderr.write(`voiceplane: the preview failed; \`${again}\` shows all of Pulumi's output\n`);
  });

async function run(args: readonly string[], folder: string): Promise<Finished> {
  const files = inTemporaryFolder(() => mkdtempSync(join(tmpdir(), "voiceplane-preview-")));
  const { first, second } = interrupts(
    "interrupted (interrupt again to stop at once)",
    "interrupted again; stopping at once",
  );
  // As events, which have the policies and every resource.
  const env = { PULUMI_SKIP_UPDATE_CHECK: "1", ...process.env, PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "1" };
  try {
    process.stderr.write("voiceplane: running pulumi preview\n");
    const finished = await runPulumi(args, { folder, env, files, signals: [first, second] });
    if (first.aborted) throw new Error("the preview was interrupted");
    if (finished.code === 0 && finished.stdout === "") {
      throw new Error(`pulumi preview printed nothing: check that the temporary folder ${tmpdir()} has room`);
    }
    return finished;
  } finally {
    rmSync(files, { recursive: true, force: true });
  }
}

/** Of a preview that failed before its first event, the CLI's first error. */
async function previewOf(
  { code, stdout, stderr }: Finished,
  stack: string | undefined,
  folder: string,
): Promise<PreviewOrUpdate> {
  if (code === 0) return readPreviewOrUpdate(stdout);
  const preview = { ...eventsIn(stdout), complete: false };
  if (preview.errors.length + preview.violations.length > 0) return preview;
  const problem = stackProblemIn(stderr);
  const message =
    problem === undefined
      ? firstError(stderr)
      : await stackProblemText(problem, stack, { pulumi: queryPulumi(process.env), folder, env: process.env });
  return { ...preview, errors: [{ urn: "", message }] };
}

/** A preview shows neither secrets nor outputs, so the state is read where one may be stale. */
async function staleOutputsOf(
  { steps }: PreviewOrUpdate,
  stack: string | undefined,
  folder: string,
): Promise<readonly StaleOutput[]> {
  const wasRotated = ({ type, before }: Step) =>
    resourceTypeOf(type) === "WebhookSecret" && before?.outputs.previousSecret !== undefined;
  if (!steps.some(wasRotated)) return [];
  const place = { folder, env: process.env };
  const asked = exportedState(queryPulumi(process.env), stack, place);
  const found = await asked.then(({ staleOutputs }) => staleOutputs ?? notCompared, messageOf);
  if (typeof found !== "string") return found;
  process.stderr.write(`voiceplane: ${found}\n`);
  return [];
}

/** Without a step if there is no event. */
function eventsIn(stdout: string): PreviewOrUpdate {
  try {
    return readPreviewOrUpdate(stdout);
  } catch (error) {
    if (!(error instanceof OutputError)) throw error;
    const nothing = { steps: [], errors: [], violations: [], unseen: 0, organizationFile: undefined };
    return { ...nothing, kind: "preview", complete: false };
  }
}
