/** Spans and metrics with the names of OpenTelemetry's conventions for HTTP. They contain neither a token nor a secret. */
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Attributes as OtelAttributes, MeterProvider, TracerProvider } from "@opentelemetry/api";
import type { EndedAttempt } from "../../client/observers.js";
import { operations } from "../../contract/index.js";

export type Attributes = OtelAttributes;

export type Instruments = ReturnType<typeof instruments>;

export function instruments() {
  const tracer = trace.getTracer("pulumi-voiceplane");
  const meter = metrics.getMeter("pulumi-voiceplane");
  const retries = meter.createCounter("voiceplane.retries", { description: "Requests that were sent again." });
  const limited = meter.createCounter("voiceplane.rate_limited", { description: "Answers with the status 429." });
  const rotations = meter.createCounter("voiceplane.rotations", { description: "Rotations whose answer arrived." });
  const uncertainRotations = meter.createCounter("voiceplane.uncertain_rotations", {
    description: "Rotations that may have taken place, without a usable answer.",
  });

  return {
    attempt(organization: string, attempt: EndedAttempt): void {
      const { operation, method, address, path, number, status, code, result, outcome, ...times } = attempt;
      const { hostname, port, protocol } = new URL(address);
      const common = { "voiceplane.operation": operation, "voiceplane.organization": organization };
      const attributes = {
        ...common,
        "http.request.method": method,
        "url.full": address + path,
        "url.template": operations[operation].path,
        "server.address": hostname,
        "server.port": Number(port || (protocol === "https:" ? 443 : 80)),
        ...(status !== undefined && { "http.response.status_code": status }),
        ...(number > 1 && { "http.request.resend_count": number - 1 }),
        ...(outcome !== "success" && { "error.type": String(status ?? code ?? result) }),
      };
      const span = tracer.startSpan(
        `${method} ${operations[operation].path}`,
        { kind: SpanKind.CLIENT, startTime: times.startedAt, attributes },
        parent(),
      );
      if (outcome !== "success") span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(times.endedAt);
      if (number > 1) retries.add(1, common);
      if (status === 429) limited.add(1, common);
      if (operation !== "rotateWebhookSecret") return;
      if (outcome === "success") rotations.add(1, common);
      if (outcome === "unknown") uncertainRotations.add(1, common);
    },

    span: <T>(name: string, attributes: Attributes, work: () => Promise<T>, attributesOf?: (result: T) => Attributes) =>
      tracer.startActiveSpan(name, { attributes }, parent(), async (span) => {
        try {
          const result = await work();
          const added = attributesOf?.(result) ?? {};
          span.setAttributes(added);
          if (added["error.type"] !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          return result;
        } catch (error) {
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      }),

    count(name: string, description: string, value: number, attributes: Attributes): void {
      meter.createCounter(name, { description }).add(value, attributes);
    },

    parentVariables(): Readonly<Record<string, string>> {
      const variables: Record<string, string> = {};
      propagation.inject(context.active(), variables);
      const { traceparent, tracestate } = variables;
      return { ...(traceparent && { TRACEPARENT: traceparent }), ...(tracestate && { TRACESTATE: tracestate }) };
    },

    async flush(): Promise<void> {
      const tracers = trace.getTracerProvider() as TracerProvider & FlushableProvider;
      const meters = metrics.getMeterProvider() as MeterProvider & FlushableProvider;
      await Promise.allSettled([(tracers.getDelegate?.() ?? tracers).forceFlush?.(), meters.forceFlush?.()]);
    },
  };
}

/** The current span of this process, otherwise that of the process that started this one. */
function parent(): Context {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  const isWithin = trace.getActiveSpan() !== undefined || traceparent === undefined;
  return isWithin ? context.active() : propagation.extract(context.active(), { traceparent, tracestate });
}

/** What the providers of SDKs have in addition to the API. The API's own provider wraps that of the SDK. */
interface FlushableProvider {
  getDelegate?(): FlushableProvider;
  forceFlush?(): Promise<void>;
}
