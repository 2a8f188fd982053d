/** Answers to a rotation in which no secret can be found, with the real engine: the state has the one copy of each. */
import { zstdCompressSync } from "node:zlib";
import { answer, startRawServer, type RawServer } from "../../support/client/raw-server";
import { project } from "../../support/engine/project";

const page = `<html>${"<p>The secret is rotated.</p>\n".repeat(500)}</html>`;
const bytes = Buffer.alloc(4 * 1024 * 1024, Buffer.from([0x00, 0xff, 0x10]));
const zstd = zstdCompressSync('{"data":{"signing_secret":"s3cret-0123456789"}}');

const answers = {
  page: { reply: answer(200, page), data: page },
  bytes: { reply: answer(200, bytes), data: { base64: bytes.toString("base64") } },
  unknown: {
    reply: answer(200, "s3cret-0123456789", { "content-encoding": "x-new" }),
    data: { base64: "czNjcmV0LTAxMjM0NTY3ODk=", encoding: "x-new" },
  },
  damaged: {
    reply: answer(200, zstd.subarray(0, -1), { "content-encoding": "zstd" }),
    data: { base64: zstd.subarray(0, -1).toString("base64"), encoding: "zstd" },
  },
  packed: { reply: answer(200, zstd, { "content-encoding": "zstd" }), data: { signing_secret: "s3cret-0123456789" } },
};
const names = Object.keys(answers) as (keyof typeof answers)[];

let server: RawServer | undefined;
afterEach(() => server?.close());

test.each(["dynamic", "native"] as const)(
  "whatever a server answers to a rotation, the state keeps all of it, and it is sent once (%s)",
  async (over) => {
    server = await startRawServer([
      (socket, request) => {
        const name = names.find((one) => request.head.includes(`/v1/webhooks/${one}/rotate-secret`));
        if (name !== undefined) answers[name].reply(socket, request);
      },
    ]);
    const stack = await project({ env: { VOICEPLANE_BASE_URL: server.baseUrl, VOICEPLANE_TOKEN: "t0ken" } });
    stack[over](
      names.map((name) => `new WebhookSecret("${name}", { webhookId: "${name}", onCreate: "rotate" });`).join("\n"),
    );
    const advice =
      'The answer is in the secret output "data", as text or base64: read the secret there, or change triggers to rotate it again.';
    const [first, second] = [await stack.up(), await stack.up()];
    for (const name of names.slice(0, -1)) {
      const webhook = `WebhookSecret "${name}" of ${server.baseUrl}:`;
      expect(first).toContain(`${webhook} rotated, but no secret was found in the answer. ${advice}`);
      expect(second).toContain(`${webhook} its secret is not known, as none was found in the answer`);
    }
    expect(second).toContain(`${names.length + 1} unchanged`);
    expect(server.requests).toHaveLength(names.length);

    const state = stack.inClear();
    for (const name of names) {
      const { outputs } = state.find(({ urn }) => urn.endsWith(`::${name}`)) ?? {};
      expect(outputs?.data).toEqual(answers[name].data);
      expect(outputs?.rotationState).toBe(name === "packed" ? "rotated" : "unread");
    }
    for (const shown of ["czNjcmV0", "<p>The secret"]) expect(stack.everything().includes(shown)).toBe(false);
  },
);
