/** The token of one organization. A worker asks for it when the organization's turn comes, and keeps it nowhere. */
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tokenVariable } from "./names.ts";

const commandTimeoutMs = 30_000;

/** Nothing is set up for the organization, so a person has to. */
export class NoTokenError extends Error {}

/**
 * Looks in this order:
 *
 * 1. The environment variable VOICEPLANE_TOKEN_<NAME>, such as VOICEPLANE_TOKEN_ACME_EU for acme-eu.
 * 2. The file <name> in the folder FLEET_TOKEN_FOLDER, such as a mounted Kubernetes secret.
 * 3. The output of the program FLEET_TOKEN_COMMAND, which gets the name as its only argument, such as a script that asks
 *    Vault.
 *
 * @throws NoTokenError if none of them has one; another error if the file cannot be read or the program failed
 */
export async function tokenOf(name: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const variable = tokenVariable(name);
  const places = [variable];
  const found = env[variable]?.trim();
  if (found) return found;

  if (env.FLEET_TOKEN_FOLDER) {
    const file = join(env.FLEET_TOKEN_FOLDER, name);
    places.push(file);
    const text = (await textOf(file)).trim();
    if (text) return text;
  }

  if (env.FLEET_TOKEN_COMMAND) {
    places.push(`${env.FLEET_TOKEN_COMMAND} ${name}`);
    const text = (await outputOf(env.FLEET_TOKEN_COMMAND, name)).trim();
    if (text) return text;
  }
  throw new NoTokenError(`there is no token: looked at ${places.join(", ")}`);
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

function outputOf(command: string, name: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [name], { timeout: commandTimeoutMs }, (error, output) => {
      if (!error) {
        resolve(output);
        return;
      }
      const reason = error.killed ? `took more than ${commandTimeoutMs / 1000} s` : `failed (${String(error.code)})`;
      // Its output may hold a secret, so it is not shown.
      reject(new Error(`the token command ${command} ${name} ${reason}`));
    });
  });
}

/** An environment without the tokens of all organizations. */
export function withoutTokens(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^VOICEPLANE_TOKEN(_|$)/.test(name)));
}
