import { spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { problemOfName } from "./names.ts";
import { organizationFileOf, projectName, pulumiEnv, stackFileOf, stacksFolder } from "./settings.ts";

/**
 * Creates a stack with its own salt. The salt has to be the same on each machine, so its file is checked in.
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
  if (hasKey(readFileSync(file, "utf8"))) return;
  const provider = secretsProvider === undefined ? [] : ["--secrets-provider", secretsProvider];
  await pulumi(["stack", "init", name, "--non-interactive", "--no-select", ...provider]);
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
