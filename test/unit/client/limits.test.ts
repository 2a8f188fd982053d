/** Limits on what a hostile server can make the client spend. Each one ends in an error that names it. */
import { gzipSync } from "node:zlib";
import { RequestError } from "../../../src/client/errors.js";
import { requestWebhooks, putRetentionPolicy } from "../../../src/client/operations.js";
import { webhooksIn } from "../../../src/resources/webhook-secret/list.js";
import { answer, success } from "../../support/client/raw-server.js";
import { failureOf, serve } from "../../support/client/setup.js";

const policy = { retention_days: 30, enabled: true };

const nested = (levels: number): string => `{"success":true,"data":${"[".repeat(levels)}${"]".repeat(levels)}}`;

describe("nesting", () => {
  test("of a hundred levels is read", async () => {
    const { client } = await serve([answer(200, nested(99))]);
    expect(JSON.stringify(await requestWebhooks(client))).toHaveLength(198);
  });

  test.each([100, 5000, 1_500_000])("one level more, or many (%i), is an unusable answer", async (levels) => {
    const { client, server } = await serve([answer(200, nested(levels))]);
    const error = await failureOf(putRetentionPolicy(client, "recordings", policy), RequestError);
    expect(error.message).toContain("the answer's JSON is nested deeper than 100 levels [RESPONSE_TOO_DEEP]");
    expect(error.outcome).toBe("unknown");
    expect(server.requests).toHaveLength(1);
  });

  test("an error's body may be nested without limit", async () => {
    const body = `{"error":{"code":"NO","message":"not today","meta":${"[".repeat(20_000)}${"]".repeat(20_000)}}}`;
    const { client } = await serve([answer(403, body)]);
    expect((await failureOf(requestWebhooks(client), RequestError)).message).toContain('403 NO "not today"');
  });
});

describe("size", () => {
  test.each([
    ["a huge body", answer(200, "x".repeat(10_001))],
    [
      "a small body that unfolds to a huge one",
      answer(200, gzipSync(Buffer.alloc(1_000_000)), { "content-encoding": "gzip" }),
    ],
  ])("%s is no answer", async (_what, huge) => {
    const { client } = await serve([huge], { maxResponseBytes: 10_000 });
    const error = await failureOf(requestWebhooks(client), RequestError);
    expect(error.diagnostic.text).toMatch(/the answer is larger than 10000 bytes \[RESPONSE_TOO_LARGE\]$/);
  });

  test("a thousand headers are accepted", async () => {
    const flood = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`x-${n}`, "y"]));
    const { client } = await serve([answer(200, '{"success":true,"data":1}', flood)]);
    expect(await requestWebhooks(client)).toBe(1);
  });

  test("an encoding that is applied thousands of times is not decoded", async () => {
    const encoding = Array.from({ length: 4000 }, () => "gzip").join(",");
    const { client } = await serve([answer(200, gzipSync("{}"), { "content-encoding": encoding })]);
    expect(await requestWebhooks(client)).toBeUndefined();
  });
});

test("an error's body that is built to be slow to search has no title, and is searched once, not for minutes", async () => {
  const body = gzipSync("<html>" + "<title ".repeat(500_000));
  const { client } = await serve([answer(400, body, { "content-encoding": "gzip" })]);
  const { diagnostic } = await failureOf(requestWebhooks(client), RequestError);
  expect(diagnostic.text).toBe("GET /v1/webhooks/ was refused: 400");
});

test("only the first page is requested", async () => {
  const page = { webhooks: [{ id: "wh_1" }], next: "/v1/webhooks/?page=2" };
  const { client, server } = await serve([success(page)]);
  expect(webhooksIn(await requestWebhooks(client))).toEqual([{ id: "wh_1" }]);
  expect(server.requests).toHaveLength(1);
});
