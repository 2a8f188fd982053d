import { text } from "node:stream/consumers";
import { choice, contents, defineCommand, UsageError } from "./command.js";
import { parseFailOn } from "./fail-on.js";
import { describe } from "../report/describe.js";
import { format, formats } from "../report/formats.js";
import { placesIn, placesInText, type PlaceOf } from "../report/places.js";
import { readPreview, type Preview } from "../engine/preview.js";
import { exitCodeOf, failOnChanges, risks } from "../report/risks.js";
import { secretsHere } from "./secrets.js";

const labels = risks.map((risk) => risk.replaceAll(" ", "-"));

export const command = defineCommand({
  usage: `Usage: voiceplane report [options] [FILE]

Explains a preview in plain language, the risks first. Reads the output of \`pulumi preview --json\`, or the events of
\`pulumi up --json\`, from FILE or from standard input. Sends nothing.

Options:
  --format FORMAT      markdown (default), terminal, json, or summary: one line of at most 140 characters
  --organization-file FILE
                       the file that declares the changes, to name their lines (default: the one in the stack's
                       configuration, otherwise organization.yaml if it exists)
  --commit SHA         the commit that a report in Markdown names (default: GITHUB_SHA or CI_COMMIT_SHA)
  --fail-on WHAT       which outcomes have an exit code of their own (default changes)
                         changes: 2 for changes, 3 for changes with a risk
                         risks:   3 for changes with a risk, 0 for others
                         edits:   3 for changes that are not due by the clock alone, or have a risk, 0 for others
                         LABEL[,LABEL]: 3 for changes with one of these risks, 0 for others
                         none:    0 for all
  -h, --help           show this

Risks:
${labels.slice(0, 5).join(", ")},
${labels.slice(5).join(", ")}

Exit codes: 0 no changes, 1 bad input or a preview that failed, 2 changes, 3 changes with a risk.
`,
  options: {
    format: { type: "string" },
    "organization-file": { type: "string" },
    commit: { type: "string" },
    "fail-on": { type: "string" },
  },
  positional: ["file"],
  /** Prints the report and sets the exit code. */
  async run({ format: form, "organization-file": organizationFile, ...values }, file) {
    const chosen = choice("--format", formats, form);
    const commit = values.commit === undefined ? commitIn(process.env) : commitNamed(values.commit);
    const failOn = values["fail-on"] === undefined ? failOnChanges : parseFailOn(values["fail-on"]);
    const preview = readPreview(await input(file));
    const placeOf = placesFor(preview, organizationFile);
    const report = await describe(preview, { secrets: secretsHere(process.env), placeOf });
    const colors = process.stdout.isTTY && process.stdout.hasColors();
    process.stdout.write(format(report, chosen, { colors, commit }));
    process.exitCode = exitCodeOf(report, failOn);
  },
});

/** A file from the option must exist. One that the preview names may be missing. */
function placesFor(preview: Preview, organizationFile: string | undefined): PlaceOf {
  if (organizationFile !== undefined) return placesInText(contents(organizationFile), organizationFile);
  return placesIn(process.cwd(), preview.organizationFile ?? "organization.yaml");
}

const commitPattern = /^[0-9a-f]{7,64}$/i;

function commitNamed(text: string): string {
  if (!commitPattern.test(text)) throw new UsageError("--commit must be a commit's hash, 7 to 64 hexadecimal digits");
  return text;
}

function commitIn(env: NodeJS.ProcessEnv): string | undefined {
  return [env.GITHUB_SHA, env.CI_COMMIT_SHA].find((text) => text !== undefined && commitPattern.test(text));
}

async function input(file: string | undefined): Promise<string> {
  if (file !== undefined && file !== "-") return contents(file);
  if (process.stdin.isTTY) throw new UsageError("no FILE, and nothing is piped in");
  return text(process.stdin);
}
