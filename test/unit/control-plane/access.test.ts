import { isThisMachine } from "../../../src/control-plane/access";
import type { OperationName } from "../../../src/contract/index";
import { errorBody, operationNames, perform, plane, send } from "./plane";

const lackingToken = {
  putRetentionPolicy: ["vp_dev_without_retention", "organization permission required: retention"],
  patchNetworkPolicy: ["vp_dev_without_networking", "organization permission required: networking"],
  clearTrunkOutboundAuth: ["vp_dev_without_trunks_write", "credential scope required: trunks:write"],
  rotateWebhookSecret: ["vp_dev_without_webhooks_write", "credential scope required: webhooks:write"],
  listWebhooks: ["vp_dev_without_webhooks_read", "credential scope required: webhooks:read"],
} as const satisfies Record<OperationName, readonly string[]>;

describe.each(operationNames)("%s", (operation) => {
  const [token, message] = lackingToken[operation];

  test("a token without the right changes nothing", async () => {
    const server = await plane();
    const before = server.control.state();
    const answer = await perform(server, operation, token);
    expect([answer.status, answer.json]).toEqual([403, errorBody("FORBIDDEN", message)]);
    expect(server.control.state()).toEqual(before);
    expect(server.control.counters()).toEqual({});
    expect(server.control.journal()).toMatchObject([{ operation, status: 403, committed: false }]);
  });

  test("the token that lacks only this right may call the other operations", async () => {
    const server = await plane();
    const others = operationNames.filter((name) => name !== operation);
    const answers = await Promise.all(others.map((name) => perform(server, name, token)));
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
  });

  test.each([[""], ["Bearer"], ["Bearer nobody"], ["Basic vp_dev_full"], ["vp_dev_full"]])(
    "with Authorization %j it is a 401 and nothing changes",
    async (authorization) => {
      const server = await plane();
      const answer = await perform(server, operation);
      expect(answer.status).toBeLessThan(300);
      const before = server.control.state();
      const [entry] = server.control.journal();
      const refused = await send(server, entry?.method ?? "", entry?.path ?? "", entry?.body ?? undefined, {
        Authorization: authorization,
      });
      expect([refused.status, refused.json]).toEqual([
        401,
        errorBody("UNAUTHORIZED", "a valid bearer token is required"),
      ]);
      expect(server.control.state()).toEqual(before);
    },
  );
});

test.each([
  ...["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "localhost"].map((address) => [address, true] as const),
  ...["192.0.2.1", "::ffff:192.0.2.1", "::", "0.0.0.0", "", "localhost.example.com"].map(
    (address) => [address, false] as const,
  ),
])("the address %j is this machine: %s", (address, expected) => {
  expect(isThisMachine(address)).toBe(expected);
});
