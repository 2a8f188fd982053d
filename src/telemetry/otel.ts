/** Records with OpenTelemetry's API, in the names of its HTTP conventions. What is recorded holds neither a token nor a secret. */
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import type { Context, Attributes as OtelAttributes, MeterProvider, TracerProvider } from "@opentelemetry/api";
import type { EndedAttempt } from "../client/observers.js";
import { operations } from "../contract/index.js";
import type { Lifecycle, OrganizationScoped, Values } from "../resources/lifecycle.js";

export type Attributes = OtelAttributes;

export interface Recorder {
  attempt(organization: string, attempt: EndedAttempt): void;
  state(lifecycle: Lifecycle, state: OrganizationScoped, inputs: OrganizationScoped): void;
  span<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    attributesOf?: (result: T) => Attributes,
  ): Promise<T>;
  count(name: string, description: string, value: number, attributes: Attributes): void;
  parentVariables(): Readonly<Record<string, string>>;
  flush(): Promise<void>;
}

/** What the gauges tell of one object. */
interface Observed {
  readonly attributes: Attributes;
  readonly rotatedAt: unknown;
  readonly dueOn: unknown;
  readonly isUncertain: boolean;
}

export function recorder(): Recorder {
  const tracer = trace.getTracer("pulumi-voiceplane");
  const meter = metrics.getMeter("pulumi-voiceplane");
  const retries = meter.createCounter("voiceplane.retries", { description: "Requests that were sent once more." });
  const limited = meter.createCounter("voiceplane.rate_limited", { description: "Answers with the status 429." });
  const rotations = meter.createCounter("voiceplane.rotations", { description: "Rotations whose answer arrived." });
  const uncertainRotations = meter.createCounter("voiceplane.uncertain_rotations", {
    description: "Rotations that may have taken place, without a usable answer.",
  });
  const objects = new Map<string, Observed>();

  const gauge = (name: string, options: { description: string; unit?: string }, valueOf: (of: Observed) => number) => {
    meter.createObservableGauge(name, options).addCallback((result) => {
      for (const object of objects.values()) {
        const value = valueOf(object);
        if (!Number.isNaN(value)) result.observe(value, object.attributes);
      }
    });
  };
  gauge("voiceplane.secret.age", { description: "Time since a secret's last rotation.", unit: "s" }, ({ rotatedAt }) =>
    Math.round((Date.now() - timeOf(rotatedAt)) / 1000),
  );
  gauge("voiceplane.next_due", { description: "The next due date, Unix time.", unit: "s" }, ({ dueOn }) =>
    Math.round(timeOf(dueOn) / 1000),
  );
  gauge("voiceplane.uncertain", { description: "1 if the last answer was lost." }, ({ isUncertain }) =>
    Number(isUncertain),
  );

  return {
    attempt(organization, { operation, method, address, path, number, status, code, result, outcome, ...times }) {
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

    state({ type, identity, date }, state: OrganizationScoped & Values, inputs: OrganizationScoped & Values) {
      const id = String(state[identity]);
      const attributes = { "voiceplane.organization": state.account, "voiceplane.type": type, "voiceplane.id": id };
      objects.set(JSON.stringify(attributes), {
        attributes,
        rotatedAt: state.rotatedAt,
        dueOn: inputs[date],
        isUncertain: state.uncertain !== undefined || state.rotationState === "uncertain",
      });
    },

    span: (name, attributes, work, attributesOf) =>
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

    count(name, description, value, attributes) {
      meter.createCounter(name, { description }).add(value, attributes);
    },

    parentVariables() {
      const variables: Record<string, string> = {};
      propagation.inject(context.active(), variables);
      const { traceparent, tracestate } = variables;
      return { ...(traceparent && { TRACEPARENT: traceparent }), ...(tracestate && { TRACESTATE: tracestate }) };
    },

    async flush() {
      const tracers = trace.getTracerProvider() as TracerProvider & Provider;
      const meters = metrics.getMeterProvider() as MeterProvider & Provider;
      await Promise.allSettled([(tracers.getDelegate?.() ?? tracers).forceFlush?.(), meters.forceFlush?.()]);
    },
  };
}

/** The span around: of this process, otherwise that of the process that started this one. */
function parent(): Context {
  const { TRACEPARENT: traceparent, TRACESTATE: tracestate } = process.env;
  const isWithin = trace.getActiveSpan() !== undefined || traceparent === undefined;
  return isWithin ? context.active() : propagation.extract(context.active(), { traceparent, tracestate });
}

/** What SDKs' providers have beside the API. The API's own stands before that of the SDK. */
interface Provider {
  getDelegate?(): Provider;
  forceFlush?(): Promise<void>;
}

/** NaN if it is no time. */
function timeOf(text: unknown): number {
  return typeof text === "string" ? Date.parse(text) : NaN;
}
