/** Errors as gRPC statuses. The engine prints the message alone. */
import { messageOf } from "../../values/any.js";
import { errorOf } from "../../values/diagnostic.js";
import { Metadata, status, type ServiceError } from "@grpc/grpc-js";
import { ErrorResourceInitFailed } from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Any } from "google-protobuf/google/protobuf/any_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { engineText } from "../../values/text.js";

/** A resource whose request may have been carried out: the engine keeps it with this state, and updates it next time. */
export class PartialStateError extends Error {
  readonly #id: string;
  readonly #properties: Struct;

  constructor(message: string, id: string, properties: Struct) {
    super(engineText(message));
    this.#id = id;
    // Private, because printing an error must not show the state.
    this.#properties = properties;
  }

  toDetails(): Any {
    const failure = new ErrorResourceInitFailed()
      .setId(this.#id)
      .setProperties(this.#properties)
      .setReasonsList([this.message]);
    const details = new Any();
    details.pack(failure.serializeBinary(), "pulumirpc.ErrorResourceInitFailed");
    return details;
  }
}

/** For a type or function of another version's schema: programs in YAML and the SDKs name only what their schema has. */
export function missingHere(token: string): Error {
  return errorOf("plugin", `this plugin has no ${token}: the versions of plugin and SDK differ`);
}

export function toServiceError(error: unknown): Partial<ServiceError> {
  const details = engineText(messageOf(error));
  const answer = { code: status.UNKNOWN, details };
  if (!(error instanceof PartialStateError)) return answer;
  // Not addDetails(), which returns the details instead of the status.
  const full = new Status().setCode(status.UNKNOWN).setMessage(details).setDetailsList([error.toDetails()]);
  const metadata = new Metadata();
  metadata.set("grpc-status-details-bin", Buffer.from(full.serializeBinary()));
  return { ...answer, metadata };
}
