/**
 * Spans and metrics of requests and of runs of `apply`, through OpenTelemetry's API only: users register an SDK. `otel.ts` is loaded
 * only if the usual variables enable it.
 */
import type { OnAttempt } from "../../client/observers.js";
import { given } from "../../values/environment.js";
import type { Attributes, Instruments } from "./otel.js";

/** Never throws, and does not delay the work. */
export interface Telemetry {
  /** For the client of one organization. */
  onAttempt(organization: string): OnAttempt;
  /**
   * Runs the work in a span, which ends with it.
   * @param attributesOf attributes of the result; with `error.type` the span's status is an error
   */
  span<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    attributesOf?: (result: T) => Attributes,
  ): Promise<T>;
  count(name: string, description: string, value: number, attributes: Attributes): void;
  /** The variables that put a child process into the current span; none without a span. */
  parentVariables(): Promise<Readonly<Record<string, string>>>;
  /** Makes the SDK send what it has buffered. */
  flush(): Promise<void>;
}

/** The engine waits for a provider that it stops: a slow collector makes a run longer by at most this. */
const maxFlushMs = 1000;

/** Whether the usual variables enable traces or metrics. */
export function isTelemetryOn(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  return ["TRACES", "METRICS"].some((signal) => {
    const exporter = given(env[`OTEL_${signal}_EXPORTER`]);
    const address = given(env.OTEL_EXPORTER_OTLP_ENDPOINT) ?? given(env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`]);
    return exporter === undefined ? address !== undefined : exporter !== "none";
  });
}

/** Undefined if it is disabled. */
export function telemetryFor(
  env: NodeJS.ProcessEnv,
  load: () => Promise<{ readonly instruments: () => Instruments }> = () => import("./otel.js"),
): Telemetry | undefined {
  if (!isTelemetryOn(env)) return undefined;
  // If anything fails here, the work continues without telemetry.
  const loading = (async () => load())()
    .then(
      ({ instruments }) => instruments(),
      () => {
        console.warn(
          "warning: voiceplane: OTEL_… is set, but @opentelemetry/api is not installed: nothing is recorded.",
        );
        return undefined;
      },
    )
    .catch(() => undefined);
  /** In the same asynchronous context, so that a span has the right parent. */
  const later = (use: (instruments: Instruments) => void): void => {
    const used = loading.then((instruments) => {
      if (instruments) use(instruments);
    });
    used.catch(() => undefined);
  };
  return {
    onAttempt: (organization) => (attempt) => {
      later((instruments) => {
        instruments.attempt(organization, attempt);
      });
    },
    async span(name, attributes, work, attributesOf) {
      const instruments = await loading;
      let running: ReturnType<typeof work> | undefined;
      const once = () => (running ??= (async () => work())());
      // The span may fail before the work, which is then done without it, or afterwards.
      await (async () => instruments?.span(name, attributes, once, attributesOf))().catch(() => undefined);
      return once();
    },
    count(name, description, value, attributes) {
      later((instruments) => {
        instruments.count(name, description, value, attributes);
      });
    },
    async parentVariables() {
      const instruments = await loading;
      try {
        return instruments?.parentVariables() ?? {};
      } catch {
        return {};
      }
    },
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, maxFlushMs)));
      await Promise.race([loading.then((instruments) => instruments?.flush()).catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** For a provider's process. The engine ends it with SIGINT, on which an SDK would lose what it has buffered. */
export function providerTelemetry(): Telemetry | undefined {
  const telemetry = telemetryFor(process.env);
  if (telemetry) {
    process.once("SIGINT", () => {
      void telemetry.flush().then(() => process.kill(process.pid, "SIGINT"));
    });
  }
  return telemetry;
}
