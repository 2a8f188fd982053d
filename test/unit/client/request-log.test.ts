import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { putRetentionPolicy } from "../../../src/client/operations.js";
import { answer, success } from "../../support/client/raw-server.js";
import { serve, token } from "../../support/client/setup.js";
import { temporaryFolder } from "../../support/folders.js";

const policy = { retention_days: 30, enabled: true };

async function logging(file: string) {
  const deps = { env: { VOICEPLANE_REQUEST_LOG: file }, organization: "acme" };
  const { client } = await serve([answer(503, `no ${token}`), success(null)], {}, deps);
  return client;
}

test("the request log has one line of JSON for each attempt, for its user alone, and no token", async () => {
  const file = join(temporaryFolder(), "requests.jsonl");
  const client = await logging(file);
  await client.send("putRetentionPolicy", { resource: "recordings" }, policy, { requestId: "5f1c" });
  const text = readFileSync(file, "utf8");
  const lines = text.split("\n").filter((line) => line !== "");
  const line = {
    id: "5f1c",
    time: "2026-01-01T00:00:00.000Z",
    organization: "acme",
    operation: "putRetentionPolicy",
    method: "PUT",
    path: "/v1/retention-policies/recordings",
    result: "answered",
    ms: 0,
  };
  expect(lines.map((each) => JSON.parse(each) as unknown)).toEqual([
    { ...line, attempt: 1, status: 503, outcome: "unknown" },
    { ...line, attempt: 2, status: 200, outcome: "success", time: expect.any(String) as string },
  ]);
  expect(text).not.toContain(token);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a log that cannot be written fails no request", async () => {
  const client = await logging(join(temporaryFolder(), "no/such/folder"));
  await putRetentionPolicy(client, "recordings", policy);
});
