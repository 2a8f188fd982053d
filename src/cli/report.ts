import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parsedArgs } from "./arguments.js";
import { UsageError } from "./errors.js";
import { describe } from "./report/describe.js";
import { secretsIn } from "./report/errors.js";
import { format, formats, type Format } from "./report/formats.js";
import { placesIn, placesInText, type PlaceOf } from "./report/places.js";
import { readPreview, type Preview } from "./report/read.js";
import { exitCodeOf, failOnChanges, parseFailOn, risks, type FailOn } from "./report/risks.js";

const labels = risks.map((risk) => risk.replaceAll(" ", "-"));

export const usage = `Usage: voiceplane report [options] [FILE]

Says in words what a preview changes, the risks first. Reads what \`pulumi preview --json\` printed, or the
events of \`pulumi up --json\`, from FILE or from standard input. Sends nothing.

Options:
  --format FORMAT      markdown (default), terminal, json, or summary: one line of at most 140 characters
  --organization-file FILE
                       where changes are declared, to name their lines (default: what the stack's configuration names,
                       else organization.yaml, if it is there)
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
`;

interface Options {
  /** Undefined for standard input. */
  readonly file: string | undefined;
  readonly organizationFile: string | undefined;
  readonly commit: string | undefined;
  readonly format: Format;
  readonly failOn: FailOn;
}

/** Prints the report and sets the exit code; rejects with one line for input that is no preview. */
export async function run(args: string[]): Promise<void> {
  const options = parse(args);
  if (options === "help") {
    process.stdout.write(usage);
    return;
  }
  const preview = readPreview(await input(options.file));
  const report = await describe(preview, { secrets: secretsIn(process.env), placeOf: places(options, preview) });
  const colors = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(format(report, options.format, { colors, commit: options.commit }));
  process.exitCode = exitCodeOf(report, options.failOn);
}

function parse(args: string[]): Options | "help" {
  const { values, positionals } = parsedArgs(args, {
    format: { type: "string" },
    "fail-on": { type: "string" },
    "organization-file": { type: "string" },
    commit: { type: "string" },
  });
  if (values.help === true) return "help";
  if (positionals.length > 1) throw new UsageError("more than one file");
  const [file] = positionals;
  return {
    file: file === "-" ? undefined : file,
    format: values.format === undefined ? "markdown" : formatNamed(values.format),
    organizationFile: values["organization-file"],
    commit: values.commit === undefined ? commitIn(process.env) : commitNamed(values.commit),
    failOn: values["fail-on"] === undefined ? failOnChanges : parseFailOn(values["fail-on"]),
  };
}

function formatNamed(name: string): Format {
  const form = formats.find((each) => each === name);
  if (form === undefined) throw new UsageError(`--format must be ${formats.join(" or ")}`);
  return form;
}

/** What the preview names may be missing; what a person names has to be there. */
function places({ organizationFile }: Options, preview: Preview): PlaceOf {
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
  if (file === undefined) {
    if (process.stdin.isTTY) throw new UsageError("no FILE, and nothing is piped in");
    return text(process.stdin);
  }
  return contents(file);
}

function contents(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`${file} cannot be read (${code})`, { cause: error });
  }
}
