/** The environment of a run, and the secrets in it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable of this name holds a secret. */
export const isSecretVariable = (name: string): boolean =>
  // The rest of that name is a provider's label, and may be any word.
  !name.startsWith("VOICEPLANE_BASE_URL") && /TOKEN|PASSPHRASE|PASSWORD|SECRET|CREDENTIAL|_KEY$/.test(name);

/** Shorter values are placeholders, and occur in any text. */
const minSecretLength = 8;

/** What no message, result or file may repeat. */
export function secretsOf(env: Environment): string[] {
  const named = Object.entries(env).flatMap(([name, value = ""]) => (isSecretVariable(name) ? [value] : []));
  return [...named, env.PGPASSWORD ?? "", ...secretsInUrl(env.PULUMI_BACKEND_URL ?? "")].filter(
    (secret) => secret.length >= minSecretLength,
  );
}

/** The password, also one with a slash, and the secrets of the query; as they are written and as they are meant. */
function secretsInUrl(url: string): string[] {
  const [, password = ""] = /^\w+:\/\/[^:]*:([^?]*)@/.exec(url) ?? [];
  const [, query = ""] = /\?(.*)$/.exec(url) ?? [];
  const values = query.split("&").filter((pair) => /^[^=]*(?:pass|secret|token|key|cred)/i.test(pair));
  const secrets = [password, ...values.map((pair) => pair.slice(pair.indexOf("=") + 1))];
  return [...secrets, ...secrets.map(decoded)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
