/** The plugin, served in this process, as an engine talks to it: against the embedded control plane. */
import { credentials, status, type CallOptions, type Metadata, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient, type IResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { ControlPlane } from "../../../src/control-plane/index.js";
import { serve } from "../../../src/provider/native/serve.js";
import { afterTest } from "../after-test";
import { failureOf } from "../client/setup";
import { controlPlane, freshRequests } from "../control-plane";
import type { Door, Failure, Kept } from "../doors";
import { startEngine, type FakeEngine } from "./engine";
import { checkedBy, struct, urnOf, valuesOf, type Checked, type Values } from "./wire";

interface PluginOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly schema?: string;
  /** Over the control plane, a token for everything, and the organization "acme". */
  readonly config?: Values;
  /** Default: true. */
  readonly configured?: boolean;
}

export async function startPlugin(options: PluginOptions = {}): Promise<TestPlugin> {
  const { env = {}, schema = "{}", config, configured = true } = options;
  const plane = await controlPlane();
  const engine = await startEngine();
  afterTest(() => {
    engine.close();
  });
  const { server, port } = await serve({ version: "1.2.3", schema, env }, engine.address);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  const plugin = new TestPlugin(client, plane, engine);
  afterTest(async () => {
    await plugin.call("cancel", new Empty()); // Ends the connections of the plugin.
    client.close();
    server.forceShutdown();
  });
  if (configured) await plugin.configure(settingsOf(plane, config));
  return plugin;
}

export const settingsOf = (plane: ControlPlane, config: Values = {}): Values => ({
  ...{ baseUrl: plane.url, token: "vp_dev_full", organization: "acme" },
  ...config,
});

/** What the engine passes to a verb beside the values. */
interface How {
  readonly preview?: boolean;
  /** Of customTimeouts, in seconds. */
  readonly timeout?: number;
}

type Done<Response> = (error: ServiceError | null, response: Response) => void;
/** The request and the response of a verb, by the longest of its overloads. */
type Unary<Verb> = Verb extends (
  request: infer Request,
  metadata: Metadata,
  options: Partial<CallOptions>,
  done: Done<infer Response>,
) => unknown
  ? { request: Request; response: Response }
  : never;
type Verbs = { [Name in keyof IResourceProviderClient]: Unary<IResourceProviderClient[Name]> };

/** The verbs of the protocol, with plain values for its structs. */
export class TestPlugin implements Door {
  constructor(
    readonly client: ResourceProviderClient,
    readonly plane: ControlPlane,
    readonly engine: FakeEngine,
  ) {}

  readonly requests = freshRequests(() => this.plane.control);

  said(): string[] {
    return this.engine.messages.splice(0).map(({ message }) => message);
  }

  call<Name extends keyof Verbs>(verb: Name, request: Verbs[Name]["request"]): Promise<Verbs[Name]["response"]> {
    const send = this.client[verb].bind(this.client) as (
      request: unknown,
      done: Done<Verbs[Name]["response"]>,
    ) => unknown;
    return new Promise((resolve, reject) => {
      send(request, (error, response) => {
        if (error) reject(error);
        else resolve(response);
      });
    });
  }

  async failureOf(running: Promise<unknown>): Promise<Failure> {
    const error = (await failureOf(running, Error)) as ServiceError;
    // An error of gRPC itself would have another code.
    expect(error.code).toBe(status.UNKNOWN);
    return { message: error.details, kept: halfMadeIn(error) };
  }

  async configure(config: Values, name = "default"): Promise<pb.ConfigureResponse> {
    return this.call("configure", new pb.ConfigureRequest().setName(name).setArgs(struct(config)));
  }

  async checkConfig(config: Values, name = "default") {
    const urn = `urn:pulumi:dev::test::pulumi:providers:voiceplane::${name}`;
    return checked(await this.call("checkConfig", new pb.CheckRequest().setUrn(urn).setNews(struct(config))));
  }

  async check(type: string, news: Values, olds: Values = {}, name = "it") {
    const request = new pb.CheckRequest().setUrn(urnOf(type, name)).setNews(struct(news)).setOlds(struct(olds));
    return checked(await this.call("check", request));
  }

  async inputsOf(type: string, args: Values, olds: Values = {}): Promise<Values> {
    const { inputs, reasons } = await this.check(type, args, olds);
    expect(reasons).toEqual([]);
    return inputs;
  }

  async diff(type: string, state: Values, oldInputs: Values, news: Values) {
    const request = new pb.DiffRequest().setUrn(urnOf(type, "it")).setId("an id");
    request.setOlds(struct(state)).setOldInputs(struct(oldInputs)).setNews(struct(news));
    return diffOf(await this.call("diff", request));
  }

  async diffConfig(olds: Values, news: Values) {
    const request = new pb.DiffRequest().setOldInputs(struct(olds)).setNews(struct(news));
    return diffOf(await this.call("diffConfig", request));
  }

  async create(type: string, inputs: Values, { preview = false, timeout = 0 }: How = {}) {
    const request = new pb.CreateRequest().setUrn(urnOf(type, "it")).setProperties(struct(inputs));
    const response = await this.call("create", request.setPreview(preview).setTimeout(timeout));
    return { id: response.getId(), state: valuesOf(response.getProperties()) };
  }

  async update(type: string, id: string, state: Values, news: Values, { preview = false }: How = {}): Promise<Values> {
    const request = new pb.UpdateRequest().setUrn(urnOf(type, "it")).setId(id);
    request.setOlds(struct(state)).setNews(struct(news)).setPreview(preview);
    return valuesOf((await this.call("update", request)).getProperties());
  }

  async delete(type: string, id: string, state: Values, { timeout = 0 }: How = {}): Promise<void> {
    const request = new pb.DeleteRequest().setUrn(urnOf(type, "it")).setId(id);
    await this.call("delete", request.setProperties(struct(state)).setTimeout(timeout));
  }

  /** An import has neither state nor inputs. */
  async read(type: string, id: string, state: Values = {}, inputs: Values = { organization: "acme" }) {
    const request = new pb.ReadRequest().setUrn(urnOf(type, "it")).setId(id);
    const response = await this.call("read", request.setProperties(struct(state)).setInputs(struct(inputs)));
    return {
      id: response.getId(),
      state: valuesOf(response.getProperties()),
      inputs: valuesOf(response.getInputs()),
    };
  }
}

/** What an error says beside its message, as the engine reads it. */
export function halfMadeIn({ metadata }: ServiceError): Kept | undefined {
  const [bytes] = metadata.get("grpc-status-details-bin");
  if (bytes === undefined) return undefined;
  const details = Status.deserializeBinary(Buffer.from(bytes)).getDetailsList();
  expect(details.map((any) => any.getTypeUrl())).toEqual(["type.googleapis.com/pulumirpc.ErrorResourceInitFailed"]);
  const failure = details[0]?.unpack(
    (data: Uint8Array) => pb.ErrorResourceInitFailed.deserializeBinary(data),
    "pulumirpc.ErrorResourceInitFailed",
  );
  if (!failure) throw new Error("no details");
  // Inputs of its own would replace those that the engine knows.
  expect(failure.hasInputs()).toBe(false);
  return { id: failure.getId(), reasons: failure.getReasonsList(), state: valuesOf(failure.getProperties()) };
}

const checked = (response: pb.CheckResponse): Checked =>
  checkedBy(
    valuesOf(response.getInputs()),
    response.getFailuresList().map((failure) => failure.toObject()),
  );

const diffOf = (response: pb.DiffResponse) => ({
  changes: response.getChanges() === pb.DiffResponse.DiffChanges.DIFF_SOME,
  replaces: response.getReplacesList(),
  deleteBeforeReplace: response.getDeletebeforereplace(),
});
