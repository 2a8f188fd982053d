import { createServer } from "node:http";
import { startControlPlane, type ControlPlane } from "../../../src/control-plane/index";
import { checkResource } from "../../../src/provider/check";
import { readSettings } from "../../../src/provider/settings";
import { resources } from "../../../src/resources/index";
import { singleProcessRun, type Context, type Lifecycle } from "../../../src/resources/lifecycle";
import { listen } from "../../support/listen";

const settings = readSettings(() => undefined, {
  VOICEPLANE_BASE_URL: "https://api.example.com",
  VOICEPLANE_TOKEN: "vp_dev_full",
});
const ctx: Context = {
  organization: "acme",
  address: settings.address,
  api: { send: () => Promise.reject(new Error("nothing is sent")) },
  log: { info: () => undefined, warn: () => undefined },
  run: singleProcessRun(),
  now: () => new Date("2026-11-20T12:00:00Z"),
};

afterEach(() => {
  delete process.env.VOICEPLANE_RESEND_SETTINGS;
});

/** The mark in the checked inputs. */
async function markOf(lifecycle: Lifecycle, news: Record<string, unknown>, olds: Record<string, unknown> = {}) {
  return ((await checkResource(lifecycle, ctx, settings, olds, news)).inputs as { __due?: unknown }).__due;
}

const { RetentionPolicy, WebhookSecret } = resources;
const recordings = { resource: "recordings", retentionDays: 90 };

test("with the mark of apply, each setting is due once, and no rotation is", async () => {
  process.env.VOICEPLANE_RESEND_SETTINGS = "2026-11-20T12:00:00.000Z";
  const policy = RetentionPolicy.lifecycle;
  expect(await markOf(policy, recordings)).toBe("2026-11-20T12:00:00.000Z");
  expect(await markOf(WebhookSecret.lifecycle, { webhookId: "crm", onCreate: "rotate" })).toBeUndefined();
  const state = { account: "acme", ...recordings };
  const inputs = { ...state, onDelete: "retain", __due: "2026-11-20T12:00:00.000Z" };
  expect(policy.diff(ctx, state, inputs)).toMatchObject({ changes: true });
  expect(policy.diff(ctx, { ...state, __due: inputs.__due } as typeof state, inputs)).toMatchObject({ changes: false });

  // The inputs keep it without the variable, as the state does.
  delete process.env.VOICEPLANE_RESEND_SETTINGS;
  expect(await markOf(policy, recordings, inputs)).toBe("2026-11-20T12:00:00.000Z");
  expect(await markOf(policy, recordings)).toBeUndefined();
});

describe("the clock of a trial", () => {
  let plane: ControlPlane;
  beforeAll(async () => {
    plane = await startControlPlane();
    plane.control.advanceClock(91 * 86_400_000);
    jest.useFakeTimers({
      now: Date.parse("2026-11-20T12:00:00Z"),
      doNotFake: ["setImmediate", "nextTick", "setTimeout"],
    });
  });
  afterAll(async () => {
    jest.useRealTimers();
    await plane.close();
  });

  const crm = { webhookId: "crm", onCreate: "rotate", rotateAfter: "90d" };
  const checked = async (baseUrl: string, trial: string) => {
    const env = { VOICEPLANE_BASE_URL: baseUrl, VOICEPLANE_TOKEN: "vp_dev_full", VOICEPLANE_TRIAL_CLOCK: trial };
    const own = readSettings((key) => (key === "allowInsecureHttp" ? "true" : undefined), env);
    const result = await checkResource(WebhookSecret.lifecycle, ctx, own, {}, crm);
    return { on: (result.inputs as { rotateOn?: string }).rotateOn, problems: result.problems };
  };
  const refused = (reason: string) => ({ on: "2027-02-18", problems: [{ property: "", reason }] });

  test("is the server's, where the variable asks for it", async () => {
    expect(await checked(plane.url, "")).toEqual({ on: "2027-02-18", problems: [] });
    expect(await checked(plane.url, "1")).toEqual({ on: "2027-05-20", problems: [] });
    expect(await checked(plane.url.replace("127.0.0.1", "localhost"), "1")).toEqual({ on: "2027-05-20", problems: [] });
  });

  test.each(["https://api.example.com", "https://localhost:8443", "http://127.0.0.1.example.com"])(
    "is refused for %s, before anything is asked",
    async (url) => {
      const reason =
        "VOICEPLANE_TRIAL_CLOCK is set, which is for trials with `voiceplane serve` on this machine, and the base URL is another server's: unset the variable";
      expect(await checked(url, "1")).toEqual(refused(reason));
    },
  );

  test("is not asked for while the address is not known", async () => {
    expect(await checked("04da6b54-80e4-46f7-96ec-b56ff0331ba9", "1")).toEqual({ on: "2027-02-18", problems: [] });
  });

  test("is refused for another value of the variable", async () => {
    expect(await checked(plane.url, "true")).toEqual(refused("VOICEPLANE_TRIAL_CLOCK must be 1, or not be set"));
  });

  test("is refused at a server on this machine that has none, such as a tunnel to a real one", async () => {
    const answers = ["{}", "null", '{"offsetMs":"91"}', "<html>"];
    for (const [status, answer] of [[404, '{"offsetMs":1}'] as const, ...answers.map((text) => [200, text] as const)]) {
      const server = createServer((_request, response) => response.writeHead(status).end(answer));
      const url = `http://127.0.0.1:${await listen(server)}`;
      expect(await checked(url, "1")).toEqual(
        refused(
          `VOICEPLANE_TRIAL_CLOCK is set, and no \`voiceplane serve\` answers at ${url}: start it, or unset the variable if that is another server`,
        ),
      );
      server.close();
    }
  });
});
