/** What observers get of each attempt: debug lines, logs and telemetry are made of it. */
import type { EndedAttempt } from "../../../src/client/observers.js";
import { Client } from "../../../src/client/client.js";
import * as operations from "../../support/client/operations.js";
import { FakeTime } from "../../support/client/fake-time.js";
import { answer, reset, success } from "../../support/client/raw-server.js";
import { cleanUpAfterEach, onCleanUp, serve } from "../../support/client/setup.js";

cleanUpAfterEach();

async function observed(
  script: Parameters<typeof serve>[0],
  call: (client: Client) => Promise<unknown>,
  token: string,
) {
  const { server } = await serve(script);
  const attempts: EndedAttempt[] = [];
  const onAttempt = (attempt: EndedAttempt) => void attempts.push(attempt);
  const time = new FakeTime();
  const client = new Client({ baseUrl: `${server.baseUrl}/eu/`, token }, Object.assign(time, { onAttempt }));
  onCleanUp(() => client.close());
  await call(client).catch(() => undefined);
  return { attempts, address: `${server.baseUrl}/eu` };
}

const common = { operation: "rotateWebhookSecret", method: "POST", path: "/v1/webhooks/wh_1/rotate-secret" };

test("an observer gets each attempt of a request, with its times and its end", async () => {
  const script = [answer(429, "{}", { "retry-after": "3" }), reset];
  const rotate = (client: Client) => operations.rotateWebhookSecret(client, "wh_1");
  const { attempts, address } = await observed(script, rotate, "vp_token");
  const first = { ...common, address, number: 1, startedAt: 1767225600000, endedAt: 1767225600000 };
  const second = { ...common, address, number: 2, startedAt: 1767225603125, endedAt: 1767225603125 };
  expect(attempts).toEqual([
    { ...first, result: "answered", status: 429, code: undefined, outcome: "refused" },
    { ...second, result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" },
  ]);
});

test("an answer that says in its body that it is no success is none", async () => {
  const script = [answer(200, '{"success":false}'), success(null)];
  const call = async (client: Client) => {
    await operations.rotateWebhookSecret(client, "wh_1").catch(() => undefined);
    await operations.rotateWebhookSecret(client, "wh_1");
  };
  const { attempts } = await observed(script, call, "vp_token");
  expect(attempts.map(({ status, outcome }) => [status, outcome])).toEqual([
    [200, "refused"],
    [200, "success"],
  ]);
});

test("an observer gets neither the token, where it is misplaced, nor a secret of the answer", async () => {
  const token = "vp_test/4f9c+1d7e2b";
  const rotate = (client: Client) => operations.rotateWebhookSecret(client, token);
  const { attempts } = await observed([success({ signing_secret: "whsec_0123456789" })], rotate, token);
  expect(attempts.map(({ path }) => path)).toEqual(["/v1/webhooks/[redacted]/rotate-secret"]);
  expect(JSON.stringify(attempts)).not.toMatch(/vp_test|whsec/);
});
