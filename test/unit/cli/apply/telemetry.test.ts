/** A run as a span and counters, with an SDK. The processes of the engine are in test/engine/apply/apply.test.ts. */
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
import { nothingDone, type ApplyResult } from "../../../../src/cli/apply/result";
import { withTelemetry } from "../../../../src/cli/apply/telemetry";
import type { Environment } from "../../../../src/values/environment";
import { parentOf } from "../../../support/spans";
import { temporaryFolder } from "../../../support/project-folder";

const result: ApplyResult = {
  ...nothingDone,
  ...{ organization: "acme-eu", stack: "acme", outcome: "failed", reason: "the token vp_dev_full is wrong" },
  ...{ requests: 3, rotations: 1, uncertain: null, rotatedAgain: [{ name: "crm", webhook: "crm-1", why: "" }] },
  ...{ seconds: 1, exitCode: 1 },
};
const names = { organization: "acme-eu", stack: "acme" };

test("off, a run gets its environment as it is, and nothing of OpenTelemetry is loaded", async () => {
  const env = { VOICEPLANE_TOKEN: "x" };
  let seen: Environment | undefined;
  await withTelemetry({ ...names, env }, (given) => Promise.resolve(((seen = given), result)));
  expect(seen).toBe(env);

  const script = `
    const { apply } = require(${JSON.stringify(join(__dirname, "../../../../dist/cli/apply/index.js"))});
    apply({ folder: ${JSON.stringify(temporaryFolder())}, stack: "acme", env: { OTEL_SERVICE_NAME: "x" } }).then(() =>
      console.log(JSON.stringify(Object.keys(require.cache).filter((file) => /opentelemetry|otel/.test(file)))));`;
  const { NODE_OPTIONS: _none, ...env2 } = process.env;
  expect(execFileSync(process.execPath, ["-e", script], { encoding: "utf8", env: env2 })).toBe("[]\n");
});

test("a run is a span with its result, within the caller's span; it is counted, and its processes belong to it", async () => {
  const spans = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  provider.register();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 600_000 });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  const env = { OTEL_TRACES_EXPORTER: "otlp", VOICEPLANE_TOKEN: "vp_dev_full", TRACEPARENT: "of-before" };
  // Of a user's own; without it, the counters of processes that end with the run are deltas.
  const cumulative = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "cumulative" };
  const delta = { OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE: "delta" };
  const given: Environment[] = [];
  const tracer = trace.getTracer("test");
  await tracer.startActiveSpan("of the caller", async (caller) => {
    await withTelemetry({ ...names, env }, (each) => Promise.resolve((given.push(each), result)));
    await withTelemetry({ ...names, env: { ...env, ...cumulative } }, (each) => {
      given.push(each);
      return Promise.resolve({ ...result, outcome: "skipped" });
    });
    caller.end();
  });

  const [run, second, caller] = spans.getFinishedSpans();
  expect(run?.name).toBe("voiceplane apply");
  expect(parentOf(run)).toBe(caller?.spanContext().spanId);
  expect(run?.attributes).toEqual({
    "voiceplane.organization": "acme-eu",
    "voiceplane.stack": "acme",
    "voiceplane.outcome": "failed",
    "voiceplane.requests": 3,
    "voiceplane.rotations": 1,
    "voiceplane.rotated_again": 1,
    "error.type": "failed",
  });
  expect([run?.status.code, second?.status.code]).toEqual([2, 0]);
  const { traceId = "", spanId = "" } = run?.spanContext() ?? {};
  expect(given).toEqual([
    { ...env, ...delta, TRACEPARENT: `00-${traceId}-${spanId}-01` },
    expect.objectContaining(cumulative),
  ]);

  await reader.forceFlush();
  const counted = exporter
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics))
    .filter(({ dataPoints }) => dataPoints.length > 0)
    .map(({ descriptor, dataPoints }) => [
      descriptor.name,
      dataPoints.map(({ attributes, value }) => [attributes, value]),
    ]);
  const organization = { "voiceplane.organization": "acme-eu" };
  expect(counted).toEqual([
    [
      "voiceplane.runs",
      [
        [{ ...organization, "voiceplane.outcome": "failed" }, 1],
        [{ ...organization, "voiceplane.outcome": "skipped" }, 1],
      ],
    ],
    ["voiceplane.rotated_again", [[organization, 2]]],
    ["voiceplane.stale_locks", [[organization, 0]]],
  ]);
  await provider.shutdown();
});
