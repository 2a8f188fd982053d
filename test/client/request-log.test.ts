import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { EndedAttempt } from "../../src/client/observers.js";
import { requestLog } from "../../src/client/request-log.js";
import { temporaryFolder } from "../support/folders";

const folder = temporaryFolder();

const rotation: EndedAttempt = {
  operation: "rotateWebhookSecret",
  method: "POST",
  address: "https://api.example.com",
  path: "/v1/webhooks/crm/rotate-secret",
  number: 1,
  startedAt: Date.parse("2026-11-20T12:00:00.000Z"),
  endedAt: Date.parse("2026-11-20T12:00:01.500Z"),
  result: "answered",
  status: 200,
  code: undefined,
  outcome: "success",
};

test("each attempt is a line of JSON in a file for its owner alone", () => {
  const file = join(folder, "requests");
  const log = requestLog(file);
  log?.(rotation);
  log?.({ ...rotation, number: 2, result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" });
  const lines = readFileSync(file, "utf8").split("\n");
  expect(lines).toEqual([
    '{"time":"2026-11-20T12:00:01.500Z","operation":"rotateWebhookSecret","method":"POST","path":"/v1/webhooks/crm/rotate-secret","attempt":1,"result":"answered","status":200,"succeeded":true,"ms":1500}',
    '{"time":"2026-11-20T12:00:01.500Z","operation":"rotateWebhookSecret","method":"POST","path":"/v1/webhooks/crm/rotate-secret","attempt":2,"result":"lost","code":"ECONNRESET","succeeded":false,"ms":1500}',
    "",
  ]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("without a file nothing is logged, and a file that cannot be written does not fail a request", () => {
  expect([requestLog(undefined), requestLog("")]).toEqual([undefined, undefined]);
  expect(() => requestLog(join(folder, "missing", "requests"))?.(rotation)).not.toThrow();
});
