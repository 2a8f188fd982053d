/** What no command repeats. */
import { backendUrl } from "../engine/backend.js";
import { redact } from "../client/redact.js";
import { secretsOf } from "../client/secrets.js";

/** Of the environment, and of the backend that `pulumi login` has kept. */
export const secretsHere = (env: NodeJS.ProcessEnv): string[] => secretsOf(env, backendUrl(undefined, env));

/** The same texts, without the secrets. */
export function redacted<T extends { readonly message: string; readonly advice?: string | undefined }>(
  texts: readonly T[],
  env: NodeJS.ProcessEnv,
): T[] {
  const secrets = secretsHere(env);
  return texts.map((each) => ({
    ...each,
    message: redact(each.message, secrets),
    ...(each.advice !== undefined && { advice: redact(each.advice, secrets) }),
  }));
}
