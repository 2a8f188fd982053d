/** Runs a command, and shows its error in one line. */
import { explained } from "./errors.ts";

export async function main(action: () => void | Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(explained(error));
    process.exitCode = 1;
  }
}
