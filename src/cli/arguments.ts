/** The command line of one command, understood by Node's own rules. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./errors.js";
import { suggestion } from "./suggest.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

const help = { type: "boolean", short: "h" } as const;

/**
 * The values of the options, `--help` among them, and what stands beside them.
 *
 * @throws UsageError where an option is unknown or lacks its value
 */
export function parsedArgs<const Own extends Options>(args: string[], options: Own) {
  return parsed(args, options, true);
}

/** The same for a command that takes options alone: whatever stands beside them is a UsageError too. */
export function parsedOptions<const Own extends Options>(args: string[], options: Own) {
  return parsed(args, options, false).values;
}

function parsed<const Own extends Options>(args: string[], own: Own, allowPositionals: boolean) {
  const options = { ...own, help };
  requireKnown(args, options);
  try {
    return parseArgs({ args, allowPositionals, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Node's own message about an unknown option explains "--" at length, and names no other option. */
function requireKnown(args: string[], options: Options): void {
  const { tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind !== "option" || Object.hasOwn(options, token.name)) continue;
    const known = Object.keys(options).map((name) => `--${name}`);
    throw new UsageError(`unknown option ${token.rawName}${suggestion(token.rawName, known)}`);
  }
}
