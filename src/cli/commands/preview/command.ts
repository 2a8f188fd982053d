import { resolve } from "node:path";
import { placesInText } from "../../../organization-file/places.js";
import { defaultOrganizationFile } from "../../../yaml/document.js";
import { messageOf } from "../../../values/any.js";
import { Command, folderOption, InvalidArgumentError, paths, stackName, type Help, type Io } from "../../commander.js";
import { contents, contentsOrInput } from "../../stack/input.js";
import { askPassphrase } from "../../stack/passphrase.js";
import { writePlan } from "../../stack/plan.js";
import { readPreviewOrUpdate, type PreviewOrUpdate } from "../../pulumi/preview-or-update.js";
import { memoryOf, pendingOf, type Memory } from "../../state/memory.js";
import { exitCodeOf, stoppedBy } from "../../report/risks.js";
import {
  commitOption,
  described,
  failOnHelp,
  failOnOption,
  formatOption,
  shown,
  sinceOption,
} from "../../stack/report-options.js";
import { exported, isInterrupted, preview, requireProject, say, type Stack } from "../../stack/stack-run.js";

export const help: Help = {
  examples: {
    "Explain what an update of this project would do": "npx voiceplane preview --stack dev",
    "Keep it, so that apply does nothing else": "npx voiceplane preview --stack dev --out plan.json",
    "Fail if it would delete data or cut a trunk": "npx voiceplane preview --fail-on deletes-data,cuts-a-trunk",
    "Explain what a destroy would send": "npx voiceplane preview --destroy",
    "Explain events made elsewhere": "npx voiceplane preview --from events.json --format markdown",
  },
  more: failOnHelp,
  exitCodes: {
    0: "the preview was shown, with or without changes",
    1: "the preview failed, or bad input",
    2: "the preview contains what --fail-on names",
  },
};

export const command = (io: Io) =>
  new Command("preview")
    .description(
      "Runs `pulumi preview` and explains it in plain language, the risks first. Changes nothing, and keeps nothing of Pulumi's " +
        "output, which may have secrets in plain text.",
    )
    .addOption(folderOption())
    .option("-s, --stack <stack>", "the stack (default: the selected stack)", stackName)
    .addOption(formatOption())
    .option("--destroy", "explain what `pulumi destroy` would do")
    .option("--out <file>", "also write what is shown as JSON, for `voiceplane apply --plan`")
    .option(
      "--from <file>",
      "explain these events instead, from `PULUMI_ENABLE_STREAMING_JSON_PREVIEW=1 pulumi preview --json` or `pulumi up --json`; - for standard input",
    )
    .option(
      "--organization-file <file>",
      "with --from: the file that declares the changes, to name their lines (default: the one in the stack's configuration, otherwise " +
        `${defaultOrganizationFile} if it exists)`,
    )
    .addOption(commitOption())
    .addOption(sinceOption())
    .optionsGroup("Guards:")
    .addOption(failOnOption())
    .option("--policy-pack <dir>", "a policy pack, can be repeated", paths)
    .option("--policy-pack-config <file>", "its configuration, in the same order", paths)
    .action(async ({ cwd = ".", stack, destroy = false, from, out, failOn, organizationFile, ...options }) => {
      const { policyPack = [], policyPackConfig = [] } = options;
      const folder = resolve(cwd);
      if (organizationFile !== undefined && from === undefined)
        throw new InvalidArgumentError("--organization-file goes with --from");
      if ((stack !== undefined || destroy) && from !== undefined)
        throw new InvalidArgumentError("pass --from, or --stack and --destroy");
      if (destroy && out !== undefined) throw new InvalidArgumentError("a destroy has no plan: leave out --out");
      // A file from the option must exist. One that the preview names may be missing.
      const placeOf =
        organizationFile === undefined ? undefined : placesInText(contents(organizationFile), organizationFile);
      const of = { io, folder, name: stack, policyPacks: policyPack, policyPackConfigs: policyPackConfig };
      const { run, memory } =
        from === undefined ? await previewed(of, destroy) : eventsOf(io, await contentsOrInput(io, from));
      const report = await described(io, folder, run, { ...options, placeOf, memory });
      if (out !== undefined) writePlan(out, report);
      io.stdout.write(shown(io, report, options));
      io.exitCode = exitCodeOf(report, failOn);
      const stopped = stoppedBy(report, failOn);
      if (report.complete && stopped.length > 0) say(io, `--fail-on ${stopped.join(",")}: the preview contains it`);
      if (!run.complete && from === undefined) {
        const command = destroy ? "destroy --preview-only" : "preview";
        const again = `pulumi ${command}${stack === undefined ? "" : ` --stack ${stack}`}`;
        say(io, `the preview failed; \`${again}\` shows all of Pulumi's output`);
      }
    });

interface Described {
  readonly run: PreviewOrUpdate;
  readonly memory: Memory | undefined;
}

/** Of an update, this machine remembers what the update itself has sent. */
function eventsOf(io: Io, text: string): Described {
  const run = readPreviewOrUpdate(text);
  return { run, memory: run.kind === "update" ? undefined : memoryOf(io.env) };
}

async function previewed(stack: Stack, destroy: boolean): Promise<Described> {
  const { io } = stack;
  requireProject(stack.folder);
  await askPassphrase(io, stack.folder, stack.name);
  // Without a state, the CLI says what is wrong.
  const found = await exported(stack).catch(messageOf);
  const absent = typeof found === "string" ? /no stack named '([^']*)'/.exec(found)?.[1] : undefined;
  if (absent !== undefined) say(io, `there is no stack ${absent}`);
  else if (typeof found === "string") say(io, `what another machine has left is not known: ${found}`);
  const pending = typeof found === "string" ? {} : pendingOf(found.state);
  const run = await preview(stack, pending, destroy);
  if (isInterrupted()) throw new Error("the preview was interrupted");
  return { run, memory: memoryOf(io.env, pending) };
}
