import type { OperationName } from "../../../src/contract/index";
import { errorBody, operationNames, perform, plane, send } from "./plane";

const refusals = {
  putRetentionPolicy: "organization permission required: retention",
  patchNetworkPolicy: "organization permission required: networking",
  clearTrunkOutboundAuth: "credential scope required: trunks:write",
  rotateWebhookSecret: "credential scope required: webhooks:write",
  listWebhooks: "credential scope required: webhooks:read",
} as const satisfies Record<OperationName, string>;

describe.each(operationNames)("%s", (operation) => {
  test("a token without the right changes nothing", async () => {
    const server = await plane();
    const before = server.control.state();
    const answer = await perform(server, operation, "vp_dev_no_rights");
    expect([answer.status, answer.json]).toEqual([403, errorBody("FORBIDDEN", refusals[operation])]);
    expect([server.control.state(), server.control.counters()]).toEqual([before, {}]);
    expect(server.control.journal()).toMatchObject([{ operation, status: 403, committed: false, token: "noRights" }]);
  });

  test.each([[""], ["Bearer"], ["Bearer nobody"], ["Basic vp_dev_full"], ["vp_dev_full"]])(
    "with Authorization %j it is a 401 and nothing changes",
    async (Authorization) => {
      const server = await plane();
      expect((await perform(server, operation)).status).toBeLessThan(300);
      const before = server.control.state();
      const [entry] = server.control.journal();
      const refused = await send(server, entry?.method ?? "", entry?.path ?? "", entry?.body ?? undefined, {
        Authorization,
      });
      expect([refused.status, refused.json]).toEqual([
        401,
        errorBody("UNAUTHORIZED", "a valid bearer token is required"),
      ]);
      expect(server.control.state()).toEqual(before);
    },
  );
});
