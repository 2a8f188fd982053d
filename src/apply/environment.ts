/** The environment of a run, and the secrets in it. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Whether a variable of this name holds a secret. */
export const isSecretVariable = (name: string): boolean =>
  // The rest of that name is a provider's label, and may be any word.
  !name.startsWith("VOICEPLANE_BASE_URL") && /TOKEN|PASSPHRASE|PASSWORD|SECRET|CREDENTIAL|_KEY$/.test(name);

/** Shorter values are placeholders, and occur in any text. */
const minSecretLength = 8;

/**
 * What no message, result or file may repeat.
 *
 * @param backend the URL of the backend, wherever it is from
 */
export function secretsOf(env: Environment, backend = env.PULUMI_BACKEND_URL): string[] {
  const named = Object.entries(env).flatMap(([name, value = ""]) => (isSecretVariable(name) ? [value] : []));
  return [...named.filter(isLong), ...secretsInUrl(backend ?? "")];
}

const isLong = (secret: string): boolean => secret.length >= minSecretLength;

/** The password, also one with a slash, and the secrets of the query: as they are written and as they are meant; short ones with what is around them. */
function secretsInUrl(url: string): string[] {
  const [, password = ""] = /^\w+:\/\/[^:]*:([^?]*)@/.exec(url) ?? [];
  const [, query = ""] = /\?(.*)$/.exec(url) ?? [];
  const pairs = query.split("&").filter((pair) => /^[^=]*(?:pass|secret|token|key|cred)/i.test(pair));
  const secrets = [password, ...pairs.map((pair) => pair.slice(pair.indexOf("=") + 1))];
  const around = password === "" ? pairs : [`:${password}@`, ...pairs];
  return [...[...secrets, ...secrets.map(decoded)].filter(isLong), ...around];
}

/** The text itself if it is not encoded. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
