/** Serves a provider over gRPC. A call that is not implemented here is answered with UNIMPLEMENTED. */
import { promisify } from "node:util";
import { Server, ServerCredentials, type sendUnaryData, type ServerUnaryCall } from "@grpc/grpc-js";
import { PluginInfo } from "@pulumi/pulumi/proto/plugin_pb.js";
import { ResourceProviderService, type IResourceProviderServer } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import {
  GetSchemaResponse,
  ProviderHandshakeResponse,
  type GetSchemaRequest,
} from "@pulumi/pulumi/proto/provider_pb.js";
import { toServiceError } from "./errors.js";
import type { NativeProvider } from "./provider.js";

/** As large as the engine's own limit: a list of thousands of webhooks is one message. */
const maxMessageBytes = 400 * 1024 * 1024;

export interface Plugin {
  /** Without "v". */
  readonly version: string;
  /** The package schema as JSON, without the version. */
  readonly schema: string;
  readonly env: NodeJS.ProcessEnv;
}

interface Served {
  readonly server: Server;
  /** On the loopback interface. */
  readonly port: number;
  /** Whether the engine has asked for more than the schema. */
  readonly isLoaded: () => boolean;
}

type Verb<Request, Response> = (request: Request) => Response | Promise<Response>;

/** A verb as a handler of gRPC. An error of the verb, or of sending its answer, reaches the engine as one message. */
const handler =
  <Request, Response>(verb: Verb<Request, Response>) =>
  (call: ServerUnaryCall<Request, Response>, respond: sendUnaryData<Response>): void => {
    const answer = async (): Promise<void> => {
      respond(null, await verb(call.request));
    };
    answer().catch((error: unknown) => {
      respond(toServiceError(error));
    });
  };

/** @param engine its address */
export async function serve(plugin: Plugin, engine?: string): Promise<Served> {
  let loaded: Promise<NativeProvider> | undefined;
  // The provider is half of what the process loads. The engine need not wait for it to get the handshake and the schema.
  const unary = <Request, Response>(
    verb: (provider: NativeProvider, request: Request) => Response | Promise<Response>,
  ) =>
    handler(async (request: Request) => {
      loaded ??= import("./provider.js").then(({ NativeProvider }) => new NativeProvider(plugin.env, engine));
      return verb(await loaded, request);
    });
  const server = new Server({
    "grpc.max_receive_message_length": maxMessageBytes,
    "grpc.max_send_message_length": maxMessageBytes,
  });
  const verbs: Partial<IResourceProviderServer> = {
    handshake: handler(() => new ProviderHandshakeResponse().setAcceptSecrets(true)),
    getPluginInfo: handler(() => new PluginInfo().setVersion(plugin.version)),
    getSchema: handler((request) => schemaOf(plugin, request)),
    checkConfig: unary((provider, request) => provider.checkConfig(request)),
    diffConfig: unary((provider, request) => provider.diffConfig(request)),
    configure: unary((provider, request) => provider.configure(request)),
    check: unary((provider, request) => provider.check(request)),
    diff: unary((provider, request) => provider.diff(request)),
    create: unary((provider, request) => provider.create(request)),
    read: unary((provider, request) => provider.read(request)),
    update: unary((provider, request) => provider.update(request)),
    delete: unary((provider, request) => provider.delete(request)),
    invoke: unary((provider, request) => provider.invoke(request)),
    construct: unary((provider, request) => provider.construct(request)),
    cancel: unary((provider) => provider.cancel()),
  };
  server.addService(ResourceProviderService, verbs as IResourceProviderServer);
  const bind = promisify(server.bindAsync.bind(server));
  const port = await bind("127.0.0.1:0", ServerCredentials.createInsecure());
  return { server, port, isLoaded: () => loaded !== undefined };
}

function schemaOf({ schema, version }: Plugin, request: GetSchemaRequest): GetSchemaResponse {
  if (request.getVersion() > 0) throw new Error(`schema version ${request.getVersion()} is not supported`);
  return new GetSchemaResponse().setSchema(JSON.stringify({ ...(JSON.parse(schema) as object), version }));
}
