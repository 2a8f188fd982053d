/**
 * Spans and metrics of requests and of runs of `apply`, by OpenTelemetry's API alone: whoever wants them registers an SDK. Without
 * the variables that switch it on, nothing else of this room is loaded.
 */
import type { OnAttempt } from "../client/observers.js";
import type { Attributes, Recorder } from "./otel.js";

/** Its calls return at once, and never throw. */
export interface Telemetry {
  /** For the client of one organization. */
  onAttempt(organization: string): OnAttempt;
  /**
   * Runs the work in a span, which ends with it.
   * @param attributesOf what the result adds; `error.type` makes the span one of an error
   */
  span<T>(
    name: string,
    attributes: Attributes,
    work: () => Promise<T>,
    attributesOf?: (result: T) => Attributes,
  ): Promise<T>;
  /** Adds to a counter. */
  count(name: string, description: string, value: number, attributes: Attributes): void;
  /** The variables by which a process that is started belongs to the current span; none without one. */
  parentVariables(): Promise<Readonly<Record<string, string>>>;
  /** Has the SDK send what it holds back. */
  flush(): Promise<void>;
}

/** The engine waits for a provider that it ends, so a slow collector makes an operation this much longer at most. */
const maxFlushMs = 1000;

/** Whether the usual variables switch any signal on. */
export function isTelemetryOn(env: NodeJS.ProcessEnv): boolean {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === "true") return false;
  const given = (name: string) => (env[name] ?? "") !== "";
  return ["TRACES", "METRICS"].some((signal) => {
    const exporter = env[`OTEL_${signal}_EXPORTER`] ?? "";
    const hasAddress = given("OTEL_EXPORTER_OTLP_ENDPOINT") || given(`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`);
    return exporter === "" ? hasAddress : exporter !== "none";
  });
}

/** Undefined if it is off. */
export function telemetryFor(
  env: NodeJS.ProcessEnv,
  load: () => Promise<{ readonly recorder: () => Recorder }> = () => import("./otel.js"),
): Telemetry | undefined {
  if (!isTelemetryOn(env)) return undefined;
  // Whatever fails here, the work goes on without telemetry.
  const loading = (async () => load())()
    .then(
      ({ recorder }) => recorder(),
      () => {
        console.warn(
          "warning: voiceplane: OTEL_… is set, and @opentelemetry/api is not installed: nothing is recorded.",
        );
        return undefined;
      },
    )
    .catch(() => undefined);
  /** Later, but in the same asynchronous context, so that a span has the right parent. */
  const later = (use: (recorder: Recorder) => void): void => {
    const used = loading.then((recorder) => {
      if (recorder) use(recorder);
    });
    used.catch(() => undefined);
  };
  return {
    onAttempt: (organization) => (attempt) => {
      later((recorder) => {
        recorder.attempt(organization, attempt);
      });
    },
    async span<T>(
      name: string,
      attributes: Attributes,
      work: () => Promise<T>,
      attributesOf?: (result: T) => Attributes,
    ): Promise<T> {
      const recorder = await loading;
      let running: Promise<T> | undefined;
      const once = () => (running ??= (async () => work())());
      // It may fail before the work, which is then done without it, and after it.
      await (async () => recorder?.span(name, attributes, once, attributesOf))().catch(() => undefined);
      return once();
    },
    count(name, description, value, attributes) {
      later((recorder) => {
        recorder.count(name, description, value, attributes);
      });
    },
    async parentVariables() {
      const recorder = await loading;
      try {
        return recorder?.parentVariables() ?? {};
      } catch {
        return {};
      }
    },
    async flush() {
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise((resolve) => (timer = setTimeout(resolve, maxFlushMs)));
      await Promise.race([loading.then((recorder) => recorder?.flush()).catch(() => undefined), late]);
      clearTimeout(timer);
    },
  };
}

/** Telemetry for a provider's process. The engine ends it by SIGINT, with which an SDK would lose what it holds back. */
export function providerTelemetry(env: NodeJS.ProcessEnv = process.env): Telemetry | undefined {
  const telemetry = telemetryFor(env);
  if (telemetry) {
    process.once("SIGINT", () => {
      void telemetry.flush().then(() => process.kill(process.pid, "SIGINT"));
    });
  }
  return telemetry;
}
