/**
 * What a user writes to register OpenTelemetry's SDK in the providers, for NODE_OPTIONS=--require. It batches, and sends nothing
 * before it is told to: what is in the files of RECORDED was flushed when the engine ended the provider.
 */
const { appendFileSync } = require("node:fs");
const { metrics, trace } = require("@opentelemetry/api");
const { MeterProvider, PeriodicExportingMetricReader } = require("@opentelemetry/sdk-metrics");
const { BatchSpanProcessor, NodeTracerProvider } = require("@opentelemetry/sdk-trace-node");

const write = (line) => appendFileSync(`${process.env.RECORDED}.${line.kind}`, `${JSON.stringify(line)}\n`);

const spans = {
  export(batch, done) {
    for (const span of batch) {
      const { name, attributes, status, kind, startTime, endTime, parentSpanContext, parentSpanId } = span;
      const { traceId, spanId } = span.spanContext();
      const ids = { traceId, spanId, parent: parentSpanContext?.spanId ?? parentSpanId };
      write({ kind: "spans", name, spanKind: kind, status, attributes, startTime, endTime, ...ids });
    }
    done({ code: 0 });
  },
  shutdown: () => Promise.resolve(),
};

const measurements = {
  export({ scopeMetrics }, done) {
    for (const { descriptor, dataPoints } of scopeMetrics.flatMap((scope) => scope.metrics)) {
      for (const { attributes, value } of dataPoints)
        write({ kind: "metrics", name: descriptor.name, attributes, value });
    }
    done({ code: 0 });
  },
  forceFlush: () => Promise.resolve(),
  shutdown: () => Promise.resolve(),
};

// Other processes of the engine are started with the same variable.
if (/dynamic-provider|pulumi-resource-voiceplane|cli.index\.js apply/.test(process.argv.join(" "))) {
  const never = 600_000;
  new NodeTracerProvider({
    spanProcessors: [new BatchSpanProcessor(spans, { scheduledDelayMillis: never })],
  }).register();
  const reader = new PeriodicExportingMetricReader({ exporter: measurements, exportIntervalMillis: never });
  metrics.setGlobalMeterProvider(new MeterProvider({ readers: [reader] }));
  trace.getTracer("test").startSpan("a span of the user's own").end();
}
