/** The engine, as a provider sees it: a place for messages, and a process that may end. */
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { engineText } from "../engine-text.js";

/** Receives messages about one resource, which the engine shows in its row. */
export interface EngineLog {
  /** @param isPassing shown only while the resource is in progress */
  log(severity: "info" | "warning", urn: string, message: string, isPassing?: boolean): Promise<void>;
}

export function connectLog(address: string): EngineLog {
  const client = new EngineClient(address, credentials.createInsecure());
  return {
    log: (severity, urn, message, isPassing = false) =>
      new Promise((resolve) => {
        const request = new LogRequest()
          .setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING)
          .setUrn(urn)
          .setMessage(engineText(message))
          .setEphemeral(isPassing);
        // A message that does not arrive must not make the operation fail.
        client.log(request, () => {
          resolve();
        });
      }),
  };
}
