/** Serves a provider over gRPC. What the engine asks for and is not here is answered with UNIMPLEMENTED. */
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { ResourceProviderService, type IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Plugin } from "./provider.js";
import { Provider } from "./provider.js";
import { toServiceError } from "./errors.js";

/** As large as the engine's own limit: a list of thousands of webhooks is one message. */
const maxMessageBytes = 400 * 1024 * 1024;

/**
 * @param engine the engine's address
 * @returns the server and its port on the loopback interface
 */
export async function serve(plugin: Plugin, engine?: string): Promise<{ server: Server; port: number }> {
  const provider = new Provider(plugin, engine);
  const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  const verbs: Partial<IResourceProviderServer> = {
    handshake: unary((request) => provider.handshake(request)),
    attach: unary((request) => {
      provider.attach(request);
      return new Empty();
    }),
    getPluginInfo: unary(() => provider.getPluginInfo()),
    getSchema: unary((request) => provider.getSchema(request)),
    checkConfig: unary((request) => provider.checkConfig(request)),
    diffConfig: unary((request) => provider.diffConfig(request)),
    configure: unary((request) => provider.configure(request)),
    check: unary((request) => provider.check(request)),
    diff: unary((request) => provider.diff(request)),
    create: unary((request) => provider.create(request)),
    read: unary((request) => provider.read(request)),
    update: unary((request) => provider.update(request)),
    delete: unary((request) => provider.delete(request)),
    invoke: unary((request) => provider.invoke(request)),
    construct: unary((request) => provider.construct(request)),
    cancel: unary(() => provider.cancel()),
  };
  server.addService(ResourceProviderService, verbs as IResourceProviderServer);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  return { server, port };
}

/** A verb as a handler. Its errors reach the engine as one message. */
function unary<Request, Response>(verb: (request: Request) => Response | Promise<Response>) {
  return (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>): void => {
    const answer = async (): Promise<Response> => verb(call.request);
    answer().then(
      (response) => {
        respond(null, response);
      },
      (error: unknown) => {
        respond(toServiceError(error));
      },
    );
  };
}
