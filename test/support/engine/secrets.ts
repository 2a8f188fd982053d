/** Reads secrets from a stack's state as the engine does, without starting a CLI. */
import { createDecipheriv, pbkdf2Sync } from "node:crypto";
import { secretMark } from "../marks";
import { opened } from "./key-service";

export const passphrase = "a passphrase for tests";

interface Sealed {
  readonly secrets_providers?: { readonly state?: { readonly encryptedkey?: string; readonly salt?: string } };
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, "base64");

/** From the key service, or from the passphrase: then `salt` is `v1:SALT:…`. */
function keyOf({ secrets_providers: provider }: Sealed): Buffer {
  const { encryptedkey, salt = "" } = provider?.state ?? {};
  if (encryptedkey !== undefined) return fromBase64(opened(fromBase64(encryptedkey).toString()));
  return pbkdf2Sync(passphrase, fromBase64(salt.split(":")[1] ?? ""), 1_000_000, 32, "sha256");
}

export function decrypted(state: object): unknown {
  const key = keyOf(state);
  return JSON.parse(JSON.stringify(state), (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || !(secretMark in value)) return value;
    const [, nonce = "", text = ""] = (value as { ciphertext?: string }).ciphertext?.split(":") ?? [];
    const sealed = fromBase64(text);
    const decipher = createDecipheriv("aes-256-gcm", key, fromBase64(nonce));
    decipher.setAuthTag(sealed.subarray(-16));
    return JSON.parse(
      Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()]).toString(),
    ) as unknown;
  }) as unknown;
}
