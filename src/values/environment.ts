/** The environment of a process, and the secrets in it. Texts from the engine, a server or a file are printed without them. */

import { tried } from "./any.js";

export type Environment = Readonly<Record<string, string | undefined>>;

/** Undefined for an empty text: an empty variable counts as not set. */
export const given = (text: string | undefined): string | undefined => (text === "" ? undefined : text);

/** The value of PATH. Windows spells it `Path`, and a copy of the environment does not find it under another spelling. */
export const pathIn = (env: Environment): string =>
  env.PATH ?? Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1] ?? "";

const isSecretVariable = (name: string): boolean =>
  // VOICEPLANE_BASE_URL_… ends in the name of a Provider, which may be any word.
  !name.startsWith("VOICEPLANE_BASE_URL") && /TOKEN|PASSPHRASE|PASSWORD|SECRET|CREDENTIAL|_KEY$/i.test(name);

/** The length of a secret that is replaced. Shorter values are placeholders, and occur in any text. */
const minSecretLength = 8;

/** The secrets that `redact` and `cleanText` replace. The longest comes first, because one may be a part of another. */
export function secretsOf(env: Environment): string[] {
  const variables = Object.entries(env).map(([name, value = ""]) => ({ name, value }));
  const named = variables.filter(({ name }) => isSecretVariable(name)).map(({ value }) => value);
  const inUrls = [
    ...variables.filter(({ value }) => urlPattern.test(value)).map(({ value }) => value),
    // The address of a proxy may lack the scheme.
    ...variables.filter(({ name }) => /_proxy$/i.test(name)).map(({ value }) => `http://${value}`),
  ].flatMap(secretsInUrl);
  return [...new Set([...named.filter(isLong), ...inUrls])].sort((a, b) => b.length - a.length);
}

const isLong = (secret: string): boolean => secret.length >= minSecretLength;

const urlPattern = /^[a-z][\w+.-]*:\/\//i;

/** The password and the secrets of the query, as they are and decoded. */
function secretsInUrl(url: string): string[] {
  const [, password = ""] = /^[^/]*:\/\/[^:/@]*:([^?]*)@/.exec(url) ?? [];
  const query = [...url.matchAll(/[?&][^=&]*(?:pass|secret|token|key|cred)[^=&]*=([^&]*)/gi)];
  const secrets = [password, ...query.map(([, value = ""]) => value)];
  return [...secrets, ...secrets.map(percentDecoded)].filter(isLong);
}

/** The text unchanged if it is not percent-encoded correctly. */
const percentDecoded = (text: string): string => tried(() => decodeURIComponent(text)) ?? text;
