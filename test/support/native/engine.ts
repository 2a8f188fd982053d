/** An engine's two services, without an engine: one records messages, the other registrations. */
import { promisify } from "node:util";
import { Server, ServerCredentials } from "@grpc/grpc-js";
import { EngineService, type IEngineServer } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { ResourceMonitorService, type IResourceMonitorServer } from "@pulumi/pulumi/proto/resource_grpc_pb.js";
import { RegisterResourceResponse, type RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { struct, type Values } from "./wire";

interface Message {
  readonly severity: "info" | "warning" | number;
  readonly urn: string;
  readonly message: string;
  /** Shown only while the resource is in progress. */
  readonly passes: boolean;
}

export type Registration = ReturnType<typeof registrationOf>;

export type FakeEngine = Awaited<ReturnType<typeof startEngine>>;

export async function startEngine() {
  const server = new Server();
  const fake = {
    address: "",
    messages: [] as Message[],
    registrations: [] as Registration[],
    /** The URNs of components whose registration has ended, with their outputs. */
    finished: {} as Record<string, Values>,
    /** What the engine answers to a registration beside its inputs: outputs, or an error. */
    answer: (() => ({})) as (registration: Registration) => Values | Error,
    close(): void {
      server.forceShutdown();
    },
  };
  const engine: Partial<IEngineServer> = {
    log({ request }, respond) {
      const severity = request.getSeverity();
      fake.messages.push({
        severity: ({ 1: "info", 2: "warning" } as const)[severity as number] ?? severity,
        urn: request.getUrn(),
        message: request.getMessage(),
        passes: request.getEphemeral(),
      });
      respond(null, new Empty());
    },
  };
  const monitor: Partial<IResourceMonitorServer> = {
    registerResource({ request }, respond) {
      const registration = registrationOf(request);
      fake.registrations.push(registration);
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
      fake.finished[request.getUrn()] = request.getOutputs()?.toJavaScript() ?? {};
      respond(null, new Empty());
    },
  };
  server.addService(EngineService, engine as IEngineServer);
  server.addService(ResourceMonitorService, monitor as IResourceMonitorServer);
  const port = await promisify(server.bindAsync.bind(server))("127.0.0.1:0", ServerCredentials.createInsecure());
  fake.address = `127.0.0.1:${port}`;
  return fake;
}

export function registrationOf(request: RegisterResourceRequest) {
  return {
    type: request.getType(),
    name: request.getName(),
    parent: request.getParent(),
    provider: request.getProvider(),
    inputs: (request.getObject()?.toJavaScript() ?? {}) as Values,
    isCustom: request.getCustom(),
    version: request.getVersion(),
    retainOnDelete: request.hasRetainondelete() ? request.getRetainondelete() : undefined,
    protect: request.hasProtect() ? request.getProtect() : undefined,
    customTimeouts: request.getCustomtimeouts()?.toObject(),
    dependencies: request.getDependenciesList(),
    /** By input, what decides it. */
    propertyDependencies: Object.fromEntries(
      [...request.getPropertydependenciesMap().entries()].map(([name, each]) => [name, each.getUrnsList()]),
    ),
    secretOutputs: request.getAdditionalsecretoutputsList(),
    /** Those that are not whole URNs: their types and names, where given, and whether they are directly under the stack. */
    aliases: request.getAliasesList().flatMap((alias): { type?: string; name?: string; noParent?: true }[] => {
      const spec = alias.getSpec();
      if (!spec) return [];
      const [type, name] = [spec.getType(), spec.getName()];
      return [{ ...(type && { type }), ...(name && { name }), ...(spec.getNoparent() && { noParent: true }) }];
    }),
  };
}
