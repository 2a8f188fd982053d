import { checkResource } from "../../src/provider/check";
import { readSettings } from "../../src/provider/settings";
import { resources } from "../../src/resources/index";
import { singleProcessRun, type Context, type Lifecycle } from "../../src/resources/lifecycle";

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
function markOf(lifecycle: Lifecycle, news: Record<string, unknown>, olds: Record<string, unknown> = {}): unknown {
  return (checkResource(lifecycle, ctx, settings, olds, news).inputs as { __due?: unknown }).__due;
}

const { RetentionPolicy, WebhookSecret } = resources;
const recordings = { resource: "recordings", retentionDays: 90 };

test("with the mark of apply, each setting is due once, and no rotation is", () => {
  process.env.VOICEPLANE_RESEND_SETTINGS = "2026-11-20T12:00:00.000Z";
  const policy = RetentionPolicy.lifecycle;
  expect(markOf(policy, recordings)).toBe("2026-11-20T12:00:00.000Z");
  expect(markOf(WebhookSecret.lifecycle, { webhookId: "crm", onCreate: "rotate" })).toBeUndefined();
  const state = { account: "acme", ...recordings };
  const inputs = { ...state, onDelete: "retain", __due: "2026-11-20T12:00:00.000Z" };
  expect(policy.diff(ctx, state, inputs)).toMatchObject({ changes: true });
  expect(policy.diff(ctx, { ...state, __due: inputs.__due } as typeof state, inputs)).toMatchObject({ changes: false });

  // The inputs keep it without the variable, as the state does.
  delete process.env.VOICEPLANE_RESEND_SETTINGS;
  expect(markOf(policy, recordings, inputs)).toBe("2026-11-20T12:00:00.000Z");
  expect(markOf(policy, recordings)).toBeUndefined();
});
