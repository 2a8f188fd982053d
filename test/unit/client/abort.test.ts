import type { Client } from "../../../src/client/client.js";
import { ConfigError, RequestError } from "../../../src/client/errors.js";
import * as operations from "../../../src/client/operations.js";
import { answer, hang, success } from "../../support/client/raw-server.js";
import { failureOf, serve, token } from "../../support/client/setup.js";

const put = (client: Client) =>
  operations.putRetentionPolicy(client, "recordings", { retention_days: 90, enabled: true });

describe("abort", () => {
  test("ends a request under way at once, with an unknown outcome, and no further attempt", async () => {
    const { server, client } = await serve([hang]);
    const failure = failureOf(put(client), RequestError);
    await server.seen(1);
    client.abort();
    expect(await failure).toMatchObject({ outcome: "unknown" });
    expect((await failure).message).toContain("got no usable answer: the update was cancelled");
    expect(server.requests).toHaveLength(1);
  });

  test("ends a wait before a further attempt at once, with the error of the last one", async () => {
    let asleep: () => void = () => undefined;
    const sleeping = new Promise<void>((resolve) => (asleep = resolve));
    const sleep = () => {
      asleep();
      return new Promise<void>(() => undefined);
    };
    const { server, client } = await serve([answer(503)], {}, { sleep });
    const failure = failureOf(put(client), RequestError);
    await sleeping;
    client.abort();
    expect((await failure).status).toBe(503);
    expect(server.requests).toHaveLength(1);
  });

  test("sends nothing that has not been sent yet, and refuses what follows", async () => {
    const { server, client } = await serve([success(null)]);
    const early = failureOf(put(client), RequestError);
    client.abort();
    expect(await early).toMatchObject({ outcome: "not-sent" });
    expect(await failureOf(put(client), ConfigError)).toBeInstanceOf(ConfigError);
    expect(server.requests).toEqual([]);
  });
});

test("a further attempt is announced with its reason and its wait, without the token", async () => {
  const refused = JSON.stringify({ success: false, error: { code: "BUSY", message: `no room for ${token}` } });
  const { client } = await serve([answer(503, refused), answer(429, "", { "retry-after": "7" }), success(null)]);
  const announced: string[] = [];
  const body = { retention_days: 90, enabled: true };
  const onRetry = (message: string) => announced.push(message);
  await client.send("putRetentionPolicy", { resource: "recordings" }, body, { onRetry });
  expect(announced).toEqual([
    'PUT /v1/retention-policies/recordings failed: 503 BUSY "no room for [redacted]"; attempt 2 follows within 1 s',
    "PUT /v1/retention-policies/recordings was refused: 429 (2 attempts); attempt 3 follows within 8 s",
  ]);
});
