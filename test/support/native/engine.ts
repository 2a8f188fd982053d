/** An engine's two services, without an engine: one records messages, the other registrations. */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { EngineService, type IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import type { LogRequest } from "@pulumi/pulumi/proto/engine_pb.js";
import { ResourceMonitorService, type IResourceMonitorServer } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import { RegisterResourceResponse, type RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { struct, type Values } from "./wire";

export interface Message {
  readonly severity: "info" | "warning" | number;
  readonly urn: string;
  readonly message: string;
  /** Shown only while the resource is in progress. */
  readonly passes: boolean;
}

export interface Registration {
  readonly type: string;
  readonly name: string;
  readonly parent: string;
  readonly provider: string;
  readonly inputs: Values;
  readonly isCustom: boolean;
  readonly version: string;
  readonly retainOnDelete: boolean | undefined;
  readonly protect: boolean | undefined;
  readonly customTimeouts: object | undefined;
  /** The types and names of aliases. */
  readonly aliases: { readonly type: string; readonly name: string }[];
}

export interface FakeEngine {
  readonly address: string;
  readonly messages: Message[];
  readonly registrations: Registration[];
  /** The URNs of components whose registration has ended. */
  readonly finished: string[];
  /** What the engine answers to a registration beside its inputs: outputs, or an error. */
  answer: (registration: Registration) => Values | Error;
  close(): void;
}

export async function startEngine(): Promise<FakeEngine> {
  const messages: Message[] = [];
  const registrations: Registration[] = [];
  const finished: string[] = [];
  const server = new Server();
  const engine: Partial<IEngineServer> = {
    log({ request }: ServerUnaryCall<LogRequest, Empty>, respond: sendUnaryData<Empty>) {
      const severity = request.getSeverity();
      messages.push({
        severity: ({ 1: "info", 2: "warning" } as const)[severity as number] ?? severity,
        urn: request.getUrn(),
        message: request.getMessage(),
        passes: request.getEphemeral(),
      });
      respond(null, new Empty());
    },
  };
  server.addService(EngineService, engine as IEngineServer);
  const monitor: Partial<IResourceMonitorServer> = {
    registerResource({ request }, respond) {
      const registration = registrationOf(request);
      registrations.push(registration);
      const outputs = fake.answer(registration);
      if (outputs instanceof Error) {
        respond({ code: 2, details: outputs.message });
        return;
      }
      const urn = `urn:pulumi:dev::test::${registration.type}::${registration.name}`;
      const object = struct({ ...registration.inputs, ...outputs });
      respond(null, new RegisterResourceResponse().setUrn(urn).setObject(object));
    },
    registerResourceOutputs({ request }, respond) {
      finished.push(request.getUrn());
      respond(null, new Empty());
    },
  };
  server.addService(ResourceMonitorService, monitor as IResourceMonitorServer);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  const fake: FakeEngine = {
    address: `127.0.0.1:${port}`,
    messages,
    registrations,
    finished,
    answer: () => ({}),
    close() {
      server.forceShutdown();
    },
  };
  return fake;
}

function registrationOf(request: RegisterResourceRequest): Registration {
  return {
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    provider: request.getProvider(),
    inputs: request.getObject()?.toJavaScript() ?? {},
    isCustom: request.getCustom(),
    version: request.getVersion(),
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    customTimeouts: request.getCustomtimeouts()?.toObject(),
    protect: request.hasProtect() ? request.getProtect() : undefined,
    aliases: request.getAliasesList().map((alias) => ({
      type: alias.getSpec()?.getType() ?? "",
      name: alias.getSpec()?.getName() ?? "",
    })),
  };
}
