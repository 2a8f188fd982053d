/** Reads secrets from a stack's state as the engine does with a passphrase, without starting a CLI. */
import { createDecipheriv, pbkdf2Sync } from "node:crypto";

const mark = "4dabf18193072939515e22adb298388d";

const keys = new Map<string, Buffer>();

/** Each derivation takes a quarter of a second, and most stacks of the tests have the same salt. */
function keyOf(passphrase: string, salt: string): Buffer {
  const id = `${salt} ${passphrase}`;
  const key = keys.get(id) ?? pbkdf2Sync(passphrase, Buffer.from(salt, "base64"), 1_000_000, 32, "sha256");
  keys.set(id, key);
  return key;
}

/** @param state with `secrets_providers.state.salt`: `v1:SALT:…` */
export function decrypted(state: unknown, passphrase: string): unknown {
  const { secrets_providers: provider } = state as { secrets_providers?: { state?: { salt?: string } } };
  const salt = provider?.state?.salt?.split(":")[1] ?? "";
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !(mark in value)) return value;
    const [, nonce = "", text = ""] = (value as { ciphertext?: string }).ciphertext?.split(":") ?? [];
    const sealed = Buffer.from(text, "base64");
    const decipher = createDecipheriv("aes-256-gcm", keyOf(passphrase, salt), Buffer.from(nonce, "base64"));
    decipher.setAuthTag(sealed.subarray(-16));
    return JSON.parse(
      Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString(),
    ) as unknown;
  }) as unknown;
}
