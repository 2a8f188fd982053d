/**
 * The keys of the stacks of the tests, at a service of their own. With a passphrase, each command of the engine spends half of its time
 * on the derivation of the key.
 */
import { createServer, type Server } from "node:http";
import { json } from "node:stream/consumers";
import { listen } from "../listen";

export const secretsProvider = "hashivault://tests";

const sealed = "vault:v1:";

/** Vault's transit engine, for a key that changes nothing. Commands find it by the environment, which is returned. */
export async function startKeyService(): Promise<{ server: Server; env: Record<string, string> }> {
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const { plaintext, ciphertext = "" } = body as { plaintext?: string; ciphertext?: string };
      const data = plaintext === undefined ? { plaintext: opened(ciphertext) } : { ciphertext: sealed + plaintext };
      response.setHeader("Content-Type", "application/json").end(JSON.stringify({ data }));
    });
  });
  const env = { VAULT_SERVER_URL: `http://127.0.0.1:${await listen(server)}`, VAULT_SERVER_TOKEN: "a token for tests" };
  return { server, env };
}

/** What the service answers for a ciphertext of its own. */
export function opened(ciphertext: string): string {
  return ciphertext.slice(sealed.length);
}
