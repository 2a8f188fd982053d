import { refusalOf } from "../../../../src/cli/apply/index";
import { startControlPlane, type ControlPlane } from "../../../../src/control-plane/index";

let plane: ControlPlane;

beforeEach(async () => {
  plane = await startControlPlane();
});

afterEach(() => plane.close());

test("refusalOf asks for the webhooks once, and says how the server refuses the token or the address", async () => {
  const settings = { baseUrl: plane.url, token: plane.tokens.full };
  expect(await refusalOf(settings)).toBeUndefined();
  expect(plane.control.journal().map(({ method, path }) => `${method} ${path}`)).toEqual(["GET /v1/webhooks/"]);
  expect(await refusalOf({ ...settings, token: "vp_unknown" })).toMatch(/401/);
  const message = "request source is blocked by organization network policy";
  plane.control.setFaults([{ status: 403, body: { success: false, error: { code: "FORBIDDEN", message } } }]);
  expect(await refusalOf(settings)).toMatch(/403.*request source is blocked by organization network policy/);
});

test("refusalOf rejects if nobody knows, because the server does not answer or is out of order", async () => {
  const settings = { baseUrl: plane.url, token: plane.tokens.full };
  plane.control.setFaults([{ operation: "listWebhooks", status: 400, count: 99 }]);
  await expect(refusalOf(settings)).rejects.toThrow("400");
});
