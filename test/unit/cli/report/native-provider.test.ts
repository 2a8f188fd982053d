/** Explicit providers of the native plugin: the recorded dynamic ones, with the names that the plugin's settings have. */
import { digest, linesOf, stepOf, type DigestStep, type Values } from "../../../support/recorded";

const address = "http://127.0.0.1:8000";
const dynamic = "pulumi:providers:pulumi-nodejs";
const native = "pulumi:providers:voiceplane";

function provider(
  type: string,
  inputs: Values,
): Pick<DigestStep, "urn"> & { state: NonNullable<DigestStep["newState"]> } {
  const { urn, oldState } = stepOf(digest("elsewhere.digest"), "eu");
  return { urn: urn.replace(dynamic, type), state: { ...oldState, type, inputs, outputs: {} } };
}

const linesAfter = async (...steps: DigestStep[]) => linesOf({ ...digest("elsewhere.digest"), steps });

function update(before: Values, after: Values): DigestStep {
  const { urn, state } = provider(native, before);
  return { op: "update", urn, oldState: state, newState: provider(native, after).state };
}

test("a native provider at another address sends its token elsewhere", async () => {
  expect(await linesAfter(update({ baseUrl: address }, { baseUrl: "https://voice.example.net" }))).toEqual([
    "[sends the token elsewhere] from this update on, requests with the token of eu go to `https://voice.example.net` " +
      `instead of \`${address}\``,
  ]);
});

test.each([true, "true"])(
  "a native provider that allows plain http (%j) weakens a guard",
  async (allowInsecureHttp) => {
    expect(await linesAfter(update({ baseUrl: address }, { baseUrl: address, allowInsecureHttp }))).toEqual([
      "[weakens a guard] eu: plain http allowed: anyone between this machine and the server can read the token",
    ]);
  },
);

describe("a move from the dynamic provider to the native one", () => {
  const move = (baseUrl: string): DigestStep[] => {
    const old = provider(dynamic, { "voiceplane:providerName": "eu", "voiceplane:baseUrl": address });
    const made = provider(native, { baseUrl });
    return [
      { op: "create", urn: made.urn, newState: made.state },
      { op: "delete", urn: old.urn, oldState: old.state },
    ];
  };

  test("is one change, not a new organization and one that is gone", async () => {
    expect(await linesAfter(...move(address))).toEqual([
      "eu: settings of the organization changed; the token may be another one",
    ]);
  });

  test("to another address as well sends the token elsewhere", async () => {
    expect(await linesAfter(...move("https://voice.example.net"))).toEqual([
      "[sends the token elsewhere] from this update on, requests with the token of eu go to `https://voice.example.net` " +
        `instead of \`${address}\``,
    ]);
  });
});
