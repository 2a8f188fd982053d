/** What commands ask the machine. */
import { tmpdir, userInfo } from "node:os";
import { codeOf, tried } from "./values/any.js";
import { type Environment, given } from "./values/environment.js";

/** The home that the Pulumi CLI uses. It is the one of the user database, which may differ from HOME in the container of a pipeline's job. */
export const homeOf = (env: Environment): string => given(tried(() => userInfo().homedir)) ?? given(env.HOME) ?? "/";

/** Runs what writes into the temporary folder. Its errors say which variable to set. */
export function inTemporaryFolder<T>(action: () => T): T {
  try {
    return action();
  } catch (error) {
    const code = codeOf(error);
    if (code === undefined) throw error;
    const advice = "set TMPDIR to a folder with room for this user";
    throw new Error(`the temporary folder ${tmpdir()} cannot be used (${code}): ${advice}`, { cause: error });
  }
}
