import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { stateVersion, withConnection } from "./database.ts";
import { problemOfName } from "./names.ts";
import { organizationFileOf, projectName, pulumiEnv, stackFileOf, stacksFolder } from "./settings.ts";

/**
 * Creates a stack with its own salt, or with that of its file. The salt has to be the same on each machine, so the file is checked in.
 *
 * @param secretsProvider the URL of a key service, instead of a passphrase and a salt
 */
export async function adopt(name: string, baseUrl: string, secretsProvider?: string): Promise<void> {
  const problem = problemOfName(name);
  if (problem !== undefined) throw new Error(`${name}: ${problem}`);
  projectName();
  if (!existsSync(organizationFileOf(name))) throw new Error(`write organizations/${name}.yaml first`);
  const file = stackFileOf(name);
  if (!existsSync(file)) {
    const config = {
      "voiceplane:organizationFile": `../organizations/${name}.yaml`,
      "voiceplane:baseUrl": baseUrl,
      // The organization's identity, also if its address changes.
      "voiceplane:account": name,
    };
    const lines = Object.entries(config).map(([key, value]) => `  ${key}: ${value}\n`);
    writeFileSync(file, `config:\n${lines.join("")}`);
  }
  const text = readFileSync(file, "utf8");
  if (hasKey(text) && (await isInState(name))) return;
  // The CLI keeps the key of the file only if it is told the same service.
  const service = /^secretsprovider: *(.+)$/m.exec(text)?.[1] ?? secretsProvider;
  const provider = service === undefined ? [] : ["--secrets-provider", service];
  await pulumi(["stack", "init", name, "--non-interactive", "--no-select", ...provider]);
}

/** A file that is checked in may be of another database. */
async function isInState(name: string): Promise<boolean> {
  return withConnection(async (client) => {
    const { rows } = await client.query<{ found: string | null }>("select to_regclass('pulumi_state') as found");
    return rows[0]?.found != null && (await stateVersion(client, name)) !== undefined;
  });
}

/** Whether a stack's file has what its secrets are encrypted with: the salt of a passphrase, or the key of a key service. */
export const hasKey = (stackFile: string): boolean => /^(encryptionsalt|encryptedkey):/m.test(stackFile);

async function pulumi(args: readonly string[]): Promise<void> {
  const child = spawn("pulumi", args, { cwd: stacksFolder, env: pulumiEnv(), stdio: ["ignore", "ignore", "pipe"] });
  const failed = new Promise<never>((_resolve, reject) => {
    child.once("error", (error) => {
      reject(new Error(`the Pulumi CLI cannot be started (${error.message}): install it, or put it on PATH`));
    });
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, problem] = await Promise.race([failed, Promise.all([ended, text(child.stderr)])]);
  if (code !== 0) throw new Error(`pulumi ${args.join(" ")} failed: ${problem.trim()}`);
}
