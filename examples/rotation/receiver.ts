/** A receiver of webhook events that loses none in a rotation, if the platform redelivers what it refuses. serve.ts starts it. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer, type Server } from "node:http";
import { buffer } from "node:stream/consumers";

/** The secrets that the stack passes on. Either may be missing before the first rotation. */
export interface Secrets {
  secret?: string;
  previousSecret?: string;
}

/** Use your platform's header and scheme. This is a hex HMAC-SHA256 of the body. */
function isSigned(body: Buffer, signature: string, { secret, previousSecret }: Secrets): boolean {
  const given = Buffer.from(signature, "hex");
  return [secret, previousSecret].some((key) => {
    if (key === undefined || key === "") return false;
    const expected = createHmac("sha256", key).update(body).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

/**
 * @param load gets the secrets from where the stack puts them
 * @param handle takes an event whose signature is right
 * @param now ms; the secrets are loaded at most once a second, however many events arrive
 */
export function receiver(
  load: () => Promise<Secrets>,
  handle: (body: Buffer) => Promise<void>,
  now: () => number = Date.now,
): Server {
  let known: Secrets = {};
  let loading: Promise<void> | undefined;
  let loadedAt = -Infinity;
  const isGenuine = async (body: Buffer, signature: string): Promise<boolean> => {
    if (isSigned(body, signature, known)) return true;
    if (now() - loadedAt >= 1000) {
      loadedAt = now();
      loading = load().then((secrets) => {
        known = secrets;
      });
    }
    await loading;
    return isSigned(body, signature, known);
  };
  return createServer((request, response) => {
    void (async () => {
      try {
        const body = await buffer(request);
        const genuine = await isGenuine(body, String(request.headers["x-signature"]));
        if (genuine) await handle(body);
        response.writeHead(genuine ? 204 : 401).end();
      } catch {
        // For example, the store is down for a moment. The sender should try again.
        response.writeHead(503).end();
      }
    })();
  });
}
