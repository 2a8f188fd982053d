/** The command line of one command, understood by Node's own rules. */
import { parseArgs, type ParseArgsConfig } from "node:util";
import { UsageError } from "./errors.js";

type Options = NonNullable<ParseArgsConfig["options"]>;

const help = { type: "boolean", short: "h" } as const;

/**
 * The values of the options, `--help` among them, and what stands beside them.
 *
 * @throws UsageError in Node's words where an option is unknown or lacks its value
 */
export function parsedArgs<const Own extends Options>(args: string[], options: Own) {
  return parsed(args, options, true);
}

/** The same for a command that takes options alone: whatever stands beside them is a UsageError too. */
export function parsedOptions<const Own extends Options>(args: string[], options: Own) {
  return parsed(args, options, false).values;
}

function parsed<const Own extends Options>(args: string[], options: Own, allowPositionals: boolean) {
  try {
    return parseArgs({ args, allowPositionals, options: { ...options, help } });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
