import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { parsedArgs } from "./arguments.js";
import { UsageError } from "./errors.js";
import { describe } from "./report/describe.js";
import { secretsIn } from "./report/errors.js";
import { format, formats, type Format } from "./report/formats.js";
import { readPreview } from "./report/read.js";
import { exitCodeOf, failOnChanges, parseFailOn, risks, type FailOn } from "./report/risks.js";

export const usage = `Usage: voiceplane report [options] [FILE]

Says in words what a preview changes, the risks first. Reads what \`pulumi preview --json\` printed, or the
events of \`pulumi up --json\`, from FILE or from standard input. Sends nothing.

Options:
  --format FORMAT      markdown (default), terminal, json, or summary: one line of at most 140 characters
  --fail-on WHAT       which outcomes have an exit code of their own (default changes)
                         changes: 2 for changes, 3 for changes with a risk
                         risks:   3 for changes with a risk, 0 for others
                         edits:   3 for changes that are not due by the clock alone, or have a risk, 0 for others
                         LABEL[,LABEL]: 3 for changes with one of these risks, 0 for others
                         none:    0 for all
  -h, --help           show this

Risks: ${risks.map((risk) => risk.replaceAll(" ", "-")).join(", ")}

Exit codes: 0 no changes, 1 bad input or a preview that failed, 2 changes, 3 changes with a risk.
`;

interface Options {
  /** Undefined for standard input. */
  readonly file: string | undefined;
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
  const report = await describe(readPreview(await input(options.file)), secretsIn(process.env));
  const colors = process.stdout.isTTY && process.stdout.hasColors();
  process.stdout.write(format(report, options.format, colors));
  process.exitCode = exitCodeOf(report, options.failOn);
}

function parse(args: string[]): Options | "help" {
  const { values, positionals } = parsedArgs(args, { format: { type: "string" }, "fail-on": { type: "string" } });
  if (values.help === true) return "help";
  if (positionals.length > 1) throw new UsageError("more than one file");
  const [file] = positionals;
  return {
    file: file === "-" ? undefined : file,
    format: values.format === undefined ? "markdown" : formatNamed(values.format),
    failOn: values["fail-on"] === undefined ? failOnChanges : parseFailOn(values["fail-on"]),
  };
}

function formatNamed(name: string): Format {
  const form = formats.find((each) => each === name);
  if (form === undefined) throw new UsageError(`--format must be ${formats.join(" or ")}`);
  return form;
}

async function input(file: string | undefined): Promise<string> {
  if (file === undefined) {
    if (process.stdin.isTTY) throw new UsageError("no FILE, and nothing is piped in");
    return text(process.stdin);
  }
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Error(`${file} cannot be read (${code})`, { cause: error });
  }
}
