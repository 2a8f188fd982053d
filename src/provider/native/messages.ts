/** Messages to the engine, which shows each of them at its resource. */
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { engineText } from "../../values/text.js";
import { diagnosticText, type Diagnostic } from "../../values/diagnostic.js";
import type { Call } from "../session.js";

export class Messages {
  readonly #engine: EngineClient | undefined;

  /** @param engine its address; without it, nobody gets the messages */
  constructor(engine?: string) {
    this.#engine = engine === undefined ? undefined : new EngineClient(engine, credentials.createInsecure());
  }

  readonly warn = (urn: string, warning: Diagnostic): Promise<void> =>
    this.#send(LogSeverity.WARNING, urn, diagnosticText(warning));

  /**
   * Resolves when the engine has the message.
   *
   * @param isPassing whether it is shown only while the operation lasts
   */
  #send(severity: LogSeverity, urn: string, message: string, isPassing = false): Promise<void> {
    const engine = this.#engine;
    if (!engine) return Promise.resolve();
    const request = new LogRequest()
      .setSeverity(severity)
      .setUrn(urn)
      .setMessage(engineText(message))
      .setEphemeral(isPassing);
    return new Promise((resolve) => {
      // A message that does not arrive must not make the operation fail.
      engine.log(request, () => {
        resolve();
      });
    });
  }

  /** Ends when the engine has the messages of `work`, also those before an error. */
  async during<T>(urn: string, work: (call: Pick<Call, "log" | "onRetry">) => T | Promise<T>): Promise<T> {
    const sent: Promise<void>[] = [];
    const info = (message: string, isPassing?: boolean) =>
      void sent.push(this.#send(LogSeverity.INFO, urn, message, isPassing));
    const warn = (warning: Diagnostic) => void sent.push(this.warn(urn, warning));
    try {
      return await work({
        log: { info, warn },
        onRetry: (message) => {
          info(message, true);
        },
      });
    } finally {
      await Promise.all(sent);
    }
  }
}
