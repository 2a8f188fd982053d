import type { OperationName } from "../../../src/contract/index";
import { committed, errorBody, operationNames, plane, requests, send } from "./plane";

const rights = {
  putRetentionPolicy: "organization permission required: retention",
  patchNetworkPolicy: "organization permission required: networking",
  clearTrunkOutboundAuth: "credential scope required: trunks:write",
  rotateWebhookSecret: "credential scope required: webhooks:write",
  listWebhooks: "credential scope required: webhooks:read",
} as const satisfies Record<OperationName, string>;

describe.each(operationNames)("%s", (operation) => {
  const unauthorized = errorBody("UNAUTHORIZED", "a valid bearer token is required");
  test.each([
    ["Bearer vp_dev_no_rights", "noRights", 403, errorBody("FORBIDDEN", rights[operation])],
    ...["", "Bearer", "Bearer nobody", "Basic vp_dev_full", "vp_dev_full"].map(
      (Authorization) => [Authorization, null, 401, unauthorized] as const,
    ),
  ] as const)("with Authorization %j nothing changes", async (Authorization, token, status, body) => {
    const server = await plane();
    const before = server.control.state();
    const [method, path, sent] = requests[operation];
    const answer = await send(server, method, path, sent, { Authorization });
    expect([answer.status, answer.json]).toEqual([status, body]);
    expect([server.control.state(), committed(server)]).toEqual([before, []]);
    expect(server.control.journal()).toMatchObject([{ operation, status, token }]);
  });
});
