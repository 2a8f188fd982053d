/** A shell whose proxy does not answer, as where `http_proxy` is set without NO_PROXY. */
import { organizationProject } from "../../support/engine/organization-file";
import { voiceplane } from "../../support/engine/voiceplane";

const proxy = { http_proxy: "http://127.0.0.1:9", https_proxy: "http://127.0.0.1:9" };

test("apply and preview reach the engine and the control plane of this machine past any proxy, and plain pulumi does not", async () => {
  const stack = await organizationProject("retention:\n  recordings: { days: 90, onCreate: overwrite }\n", {
    env: proxy,
  });
  const preview = await voiceplane(stack, ["preview", "--stack", "dev"]);
  expect(preview).toMatchObject({ code: 0, stdout: expect.stringContaining("recordings") as string });
  const intranet = { no_grpc_proxy: "intranet" };
  expect(await voiceplane(stack, ["apply", "--yes", "--stack", "dev"], intranet)).toMatchObject({ code: 0 });
  // As the page of messages says.
  expect(await stack.up({ fails: true })).toContain("No connection established");
  expect(await stack.run(["preview", "--stack", "dev"], { env: { no_proxy: "127.0.0.1" } })).toContain("3 unchanged");
});
