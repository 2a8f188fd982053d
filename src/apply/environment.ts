/** The environment of a run, and the secrets in it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable of this name holds a secret. */
export const isSecretVariable = (name: string): boolean =>
  /TOKEN|PASSPHRASE|PASSWORD|SECRET|CREDENTIAL|_KEY$/.test(name);

/** Shorter values are placeholders, and occur in any text. */
const minSecretLength = 8;

/** What no message, result or file may repeat. */
export function secretsOf(env: Environment): string[] {
  const named = Object.entries(env).flatMap(([name, value = ""]) => (isSecretVariable(name) ? [value] : []));
  const password = /^\w+:\/\/[^/@]*?:([^/]*)@/.exec(env.PULUMI_BACKEND_URL ?? "")?.[1] ?? "";
  return [...named, env.PGPASSWORD ?? "", password].filter((secret) => secret.length >= minSecretLength);
}
