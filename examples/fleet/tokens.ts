/** The token of one organization. A worker reads it just before a run of the organization, and does not store it. */
import { execFile, type ExecFileException } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

const commandTimeoutMs = 30_000;

/** Nothing is set up for the organization: a person has to do it. */
export class NoTokenError extends Error {}

/** VOICEPLANE_TOKEN_ACME_EU for acme-eu. */
export const tokenVariable = (name: string): string => `VOICEPLANE_TOKEN_${name.replaceAll("-", "_").toUpperCase()}`;

/**
 * Looks for the variable, then for the file <name> in FLEET_TOKEN_FOLDER, then asks the program FLEET_TOKEN_COMMAND.
 *
 * @throws NoTokenError if none of them has a token; another error if the file cannot be read or the program failed
 */
export async function tokenOf(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { FLEET_TOKEN_FOLDER: folder, FLEET_TOKEN_COMMAND: command } = env;
  const variable = tokenVariable(name);
  const places = new Map<string, () => string | Promise<string>>([[variable, () => env[variable] ?? ""]]);
  if (folder) places.set(join(folder, name), () => textOf(join(folder, name)));
  if (command) places.set(`${command} ${name}`, () => outputOf(command, name));
  for (const read of places.values()) {
    const token = (await read()).trim();
    if (token) return token;
  }
  throw new NoTokenError(`there is no token: looked at ${[...places.keys()].join(", ")}`);
}

/** Empty if there is no such file. */
async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return "";
    throw new Error(`the token file ${file} cannot be read (${code})`, { cause: error });
  }
}

/** An error does not repeat the program's output, which may hold a secret. */
function outputOf(command: string, name: string): Promise<string> {
  return promisify(execFile)(command, [name], { timeout: commandTimeoutMs }).then(
    ({ stdout }) => stdout,
    (error: unknown) => {
      const { killed, code } = error as ExecFileException;
      const reason = killed ? `took more than ${commandTimeoutMs / 1000} s` : `failed (${String(code)})`;
      throw new Error(`the token command ${command} ${name} ${reason}`);
    },
  );
}

/** An environment without the tokens of all organizations. */
export const withoutTokens = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !/^VOICEPLANE_TOKEN(_|$)/.test(name)));
