/** What telemetry records, with an SDK; what it costs and does without one. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { metrics, trace } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-node";
import type { EndedAttempt } from "../../../../src/client/observers";
import { isTelemetryOn, telemetryFor } from "../../../../src/provider/telemetry/index";
import type { Instruments } from "../../../../src/provider/telemetry/otel";
import { parentOf } from "../../../support/spans";

const on = { OTEL_TRACES_EXPORTER: "otlp" };

test.each<[Record<string, string>, boolean]>([
  [{}, false],
  [{ OTEL_SERVICE_NAME: "voiceplane" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" }, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318/v1/traces" }, true],
  [{ OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: "http://collector:4318/v1/metrics" }, true],
  [{ OTEL_TRACES_EXPORTER: "console" }, true],
  [{ OTEL_METRICS_EXPORTER: "prometheus" }, true],
  [{ OTEL_TRACES_EXPORTER: "none" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "", OTEL_TRACES_EXPORTER: "" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" }, true],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318",
      OTEL_TRACES_EXPORTER: "none",
      OTEL_METRICS_EXPORTER: "none",
    },
    false,
  ],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://collector:4318", OTEL_TRACES_EXPORTER: "none" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "true" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "TRUE" }, false],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318", OTEL_SDK_DISABLED: "false" }, true],
])("%j: on is %s", (env, expected) => {
  expect(isTelemetryOn(env)).toBe(expected);
});

test("off, nothing is loaded", () => {
  const load = jest.fn(() => Promise.reject(new Error("loaded")));
  expect(telemetryFor({}, load)).toBeUndefined();
  expect(load).not.toHaveBeenCalled();
});

/** What an entry of the build loads for telemetry, and how many listeners it adds for the engine's signal. */
function loadedBy(entry: string, env: Record<string, string>): { files: string[]; listeners: number } {
  const script = `
    const engine = require("node:net").createServer().listen(0, "127.0.0.1", () => {
      process.argv[2] = "127.0.0.1:" + engine.address().port;
      require(${JSON.stringify(join(__dirname, "../../../../dist", entry))});
      setImmediate(() => {
        const files = Object.keys(require.cache).filter((file) => /telemetry/.test(file));
        console.log(JSON.stringify({ files, listeners: process.listenerCount("SIGINT") }));
        process.exit();
      });
    });`;
  const options = { env: { PATH: process.env.PATH, ...env }, encoding: "utf8" } as const;
  return JSON.parse(execFileSync(process.execPath, ["-e", script], options)) as { files: string[]; listeners: number };
}

test("off, a provider's process loads at most one small module for it, and listens to no signal; on, it loads OpenTelemetry's API", () => {
  const entry = "provider/dynamic/webhook-secret.js";
  const own = ({ files }: { files: string[] }) =>
    files.flatMap((file) => /\/dist\/provider\/(telemetry\/.*)$/.exec(file)?.[1] ?? []);
  const off = loadedBy(entry, {});
  // None where the switch is in the bundle of the providers.
  expect(["", "telemetry/index.js"]).toContain(off.files.length === 0 ? "" : own(off).join());
  expect(off.listeners).toBe(0);
  const loaded = loadedBy(entry, on);
  expect(own(loaded)).toContain("telemetry/otel.js");
  expect(loaded.files.some((file) => file.includes("@opentelemetry/api/"))).toBe(true);
  expect(loaded.listeners).toBe(1);
});

describe("instruments that throw", () => {
  const broken = (): never => {
    throw new Error("the instruments are broken");
  };
  const verbs = { attempt: broken, count: broken, parentVariables: broken, flush: broken };
  const before = { ...verbs, span: broken };
  const after = {
    ...verbs,
    span: async <T>(_name: string, _attributes: object, work: () => Promise<T>) => {
      await work();
      return broken();
    },
  };
  const failing = (instruments: () => Instruments) => telemetryFor(on, () => Promise.resolve({ instruments }));

  test.each([
    ["before the work", () => failing(() => before)],
    ["after the work", () => failing(() => after)],
    ["at once", () => failing(broken)],
    ["when it is loaded", () => telemetryFor(on, broken)],
  ])("%s: the work is done once, its end is that of the span, and nothing else fails", async (_when, started) => {
    const warn = jest.spyOn(console, "warn").mockImplementation();
    const telemetry = started();
    if (!telemetry) throw new Error("it is on");
    let runs = 0;
    expect(await telemetry.span("apply", {}, () => Promise.resolve(++runs))).toBe(1);
    await expect(telemetry.span("apply", {}, () => Promise.reject(new Error("the work failed")))).rejects.toThrow(
      "the work failed",
    );
    telemetry.onAttempt("acme")({} as EndedAttempt);
    telemetry.count("runs", "Runs.", 1, {});
    expect(await telemetry.parentVariables()).toEqual({});
    await telemetry.flush();
    warn.mockRestore();
  });
});

test("without OpenTelemetry's API it warns once, and the work goes on", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation();
  const telemetry = telemetryFor(on, () => Promise.reject(new Error("Cannot find module '@opentelemetry/api'")));
  telemetry?.onAttempt("eu")(attempt({}));
  telemetry?.onAttempt("eu")(attempt({}));
  expect(await telemetry?.span("voiceplane apply", {}, () => Promise.resolve(7))).toBe(7);
  await telemetry?.flush();
  expect(warn.mock.calls).toEqual([
    ["warning: voiceplane: OTEL_… is set, but @opentelemetry/api is not installed: nothing is recorded."],
  ]);
  warn.mockRestore();
});

const attempt = (of: Partial<EndedAttempt>): EndedAttempt => ({
  operation: "patchNetworkPolicy",
  method: "PATCH",
  address: "https://api.example.com/voice",
  path: "/v1/network-policies/np%201",
  number: 1,
  startedAt: 1_767_225_600_000,
  endedAt: 1_767_225_600_250,
  result: "answered",
  status: 200,
  code: undefined,
  outcome: "success",
  ...of,
});

describe("with an SDK", () => {
  const spans = new InMemorySpanExporter();
  const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const tracers = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 600_000 });
  const meters = new MeterProvider({ readers: [reader] });

  beforeAll(() => {
    tracers.register();
    metrics.setGlobalMeterProvider(meters);
  });
  afterEach(() => {
    spans.reset();
  });
  afterAll(async () => {
    trace.disable();
    metrics.disable();
    await Promise.all([tracers.shutdown(), meters.shutdown()]);
  });

  const ended = () => spans.getFinishedSpans();
  const lastMetrics = () => {
    const collections = measured.getMetrics().at(-1)?.scopeMetrics ?? [];
    return collections.flatMap((scope) => scope.metrics);
  };

  test("an attempt is a span in the names of the HTTP conventions, with the times of the attempt", async () => {
    const telemetry = telemetryFor(on);
    telemetry?.onAttempt("eu")(attempt({}));
    await telemetry?.flush();
    const [span, ...others] = ended();
    expect(others).toEqual([]);
    const { name, kind, startTime, endTime, attributes, status } = span ?? {};
    expect({ name, kind, startTime, endTime, attributes, status }).toEqual({
      name: "PATCH /v1/network-policies/{network_policy_id}",
      kind: 2,
      startTime: [1_767_225_600, 0],
      endTime: [1_767_225_600, 250_000_000],
      status: { code: 0 },
      attributes: {
        "http.request.method": "PATCH",
        "http.response.status_code": 200,
        "server.address": "api.example.com",
        "server.port": 443,
        "url.full": "https://api.example.com/voice/v1/network-policies/np%201",
        "url.template": "/v1/network-policies/{network_policy_id}",
        "voiceplane.operation": "patchNetworkPolicy",
        "voiceplane.organization": "eu",
      },
    });
  });

  test.each<[Partial<EndedAttempt>, object]>([
    [
      { status: 403, outcome: "refused" },
      { "http.response.status_code": 403, "error.type": "403" },
    ],
    [
      { status: 200, outcome: "refused" },
      { "http.response.status_code": 200, "error.type": "200" },
    ],
    [{ result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" }, { "error.type": "ECONNRESET" }],
    [{ result: "not-sent", status: undefined, outcome: "not-sent" }, { "error.type": "not-sent" }],
    [{ number: 3 }, { "http.request.resend_count": 2, "http.response.status_code": 200 }],
  ])("%j", async (of, expected) => {
    const telemetry = telemetryFor(on);
    telemetry?.onAttempt("eu")(attempt(of));
    await telemetry?.flush();
    const [span] = ended();
    expect(span?.attributes).toMatchObject(expected);
    expect(span?.status.code).toBe("error.type" in expected ? 2 : 0);
    expect("http.response.status_code" in (span?.attributes ?? {})).toBe("http.response.status_code" in expected);
  });

  test("a span around a run is the parent of its requests, and its errors pass", async () => {
    const telemetry = telemetryFor(on);
    const failed = telemetry?.span("voiceplane apply", { "voiceplane.organization": "eu" }, async () => {
      await Promise.resolve();
      telemetry.onAttempt("eu")(attempt({}));
      throw new Error("the run failed");
    });
    await expect(failed).rejects.toThrow("the run failed");
    await telemetry?.flush();
    const run = ended().find(({ name }) => name === "voiceplane apply");
    const request = ended().find(({ name }) => name.startsWith("PATCH"));
    expect(run?.status.code).toBe(2);
    expect(parentOf(request)).toBe(run?.spanContext().spanId);
  });

  test("counters count further attempts, refused rates, rotations, and rotations without a usable answer", async () => {
    const telemetry = telemetryFor(on);
    const rotation = {
      operation: "rotateWebhookSecret",
      method: "POST",
      path: "/v1/webhooks/wh-1/rotate-secret",
    } as const;
    const record = telemetry?.onAttempt("counted");
    record?.(attempt({ number: 2 }));
    record?.(attempt({ result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" }));
    record?.(attempt({ ...rotation, status: 429, outcome: "refused" }));
    record?.(attempt({ ...rotation, result: "not-sent", status: undefined, outcome: "not-sent" }));
    record?.(attempt({ ...rotation, number: 2 }));
    record?.(attempt({ ...rotation, status: 502, outcome: "unknown" }));
    record?.(attempt({ ...rotation, result: "lost", status: undefined, code: "ECONNRESET", outcome: "unknown" }));
    await telemetry?.flush();
    const counters = lastMetrics().map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints
        .filter(({ attributes }) => attributes["voiceplane.organization"] === "counted")
        .map(({ attributes, value }) => [attributes["voiceplane.operation"], value]),
    ]);
    expect(Object.fromEntries(counters)).toMatchObject({
      "voiceplane.retries": [
        ["patchNetworkPolicy", 1],
        ["rotateWebhookSecret", 1],
      ],
      "voiceplane.rate_limited": [["rotateWebhookSecret", 1]],
      "voiceplane.rotations": [["rotateWebhookSecret", 1]],
      "voiceplane.uncertain_rotations": [["rotateWebhookSecret", 2]],
    });
  });
});
