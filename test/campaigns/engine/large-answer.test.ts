/** An answer of 4 MiB to a rotation, in which no secret can be found, with the real engine: the state has the one copy of it. Unit tests have the other odd answers. */
import { answer, rawServer } from "../../support/client/raw-server";
import { project } from "../../support/engine/project";
import { providers } from "../../support/engine/declared";

const text = "rotated, and nothing that looks like a secret. ".repeat(89_240).trim();

test.each(providers)(
  "however large the answer to a rotation is, the state keeps all of it, and it is sent once (%s)",
  async (over) => {
    const server = await rawServer([answer(200, text)]);
    const stack = await project({ env: { VOICEPLANE_BASE_URL: server.baseUrl, VOICEPLANE_TOKEN: "t0ken" } });
    stack.declare(over, `new WebhookSecret("crm", { webhookId: "crm", onCreate: "rotate" });`);
    const [first, second] = [await stack.up(), await stack.up()];
    const webhook = 'WebhookSecret "crm" of acme:';
    expect(first).toContain(`${webhook} rotated, but no secret was found in the answer`);
    expect(second).toContain(`${webhook} its secret is not known, as none was found in the answer`);
    expect(second).toContain("2 unchanged");
    expect(server.requests).toHaveLength(1);

    const { outputs } = stack.inClear().find(({ urn }) => urn.endsWith("::crm")) ?? {};
    expect(outputs?.data).toEqual(text);
    expect(outputs?.rotationState).toBe("unread");
    expect(stack.everything().includes("nothing that looks")).toBe(false);
  },
);
