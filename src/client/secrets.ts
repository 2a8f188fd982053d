import type { Environment } from "../values.js";
/** The secrets in the environment: what no command repeats in a text of the engine, of a server or of a file. */

/** Whether a variable of this name holds a secret. */
export const isSecretVariable = (name: string): boolean =>
  // The rest of that name is a provider's label, and may be any word.
  !name.startsWith("VOICEPLANE_BASE_URL") && /TOKEN|PASSPHRASE|PASSWORD|SECRET|CREDENTIAL|_KEY$/i.test(name);

/** Shorter values are placeholders, and occur in any text. */
const minSecretLength = 8;

/**
 * For `redact` and `cleanText`. The longest first: one may be a part of another.
 *
 * @param urls more of them that may have a password, such as that of the backend where it is not in the environment
 */
export function secretsOf(env: Environment, ...urls: readonly (string | undefined)[]): string[] {
  const variables = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const named = variables.filter(({ name }) => isSecretVariable(name)).map(({ value }) => value);
  const inUrls = [
    ...variables.filter(({ value }) => urlPattern.test(value)).map(({ value }) => value),
    // These may lack the scheme.
    ...variables.filter(({ name }) => /_proxy$/i.test(name)).map(({ value }) => `http://${value}`),
    ...urls,
  ].flatMap((url = "") => secretsInUrl(url));
  return [...new Set([...named.filter(isLong), ...inUrls])].sort((a, b) => b.length - a.length);
}

const isLong = (secret: string): boolean => secret.length >= minSecretLength;

const urlPattern = /^[a-z][\w+.-]*:\/\//i;

/**
 * The password, also one with characters that a URL should not have, and the secrets of the query: as they are written and as
 * they are meant; short ones with what is around them.
 */
function secretsInUrl(url: string): string[] {
  const [, password = ""] = /^[^/]*:\/\/[^:/@]*:([^?]*)@/.exec(url) ?? /^[^/]*:\/\/[^:/@]*:(.*)@/.exec(url) ?? [];
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
