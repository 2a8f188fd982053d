/** The plugin, served in this process, as an engine talks to it: against the embedded control plane. */
import { credentials, status, type ServiceError } from "@grpc/grpc-js";
import { ResourceProviderClient } from "@pulumi/pulumi/proto/provider_grpc_pb.js";
import { PluginAttach } from "@pulumi/pulumi/proto/plugin_pb.js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Status } from "@pulumi/pulumi/proto/status_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { startControlPlane, type ControlPlane } from "../../../src/control-plane/index.js";
import { serve } from "../../../src/provider/native/serve.js";
import { freshRequests } from "../requests";
import { startEngine, type FakeEngine } from "./engine";
import { struct, urnOf, valuesOf, type Values } from "./wire";

const open: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

export interface PluginOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly schema?: string;
  /** The configuration of the default provider. Default: the control plane, with a token for everything, as "acme". */
  readonly config?: Values;
  /** Default: true. */
  readonly configured?: boolean;
  /** How the plugin learns the engine's address. Default: as its process's argument. */
  readonly introduction?: "argument" | "handshake" | "attach";
}

export async function startPlugin(options: PluginOptions = {}): Promise<TestPlugin> {
  const { env = {}, schema = "{}", config, configured = true, introduction = "argument" } = options;
  const plane = await startControlPlane();
  open.push(() => plane.close());
  const engine = await startEngine();
  open.push(() => {
    engine.close();
  });
  const argument = introduction === "argument" ? engine.address : undefined;
  const { server, port } = await serve({ version: "1.2.3", schema, env }, argument);
  const client = new ResourceProviderClient(`127.0.0.1:${port}`, credentials.createInsecure());
  open.push(async () => {
    await call(client, "cancel", new Empty()); // Which ends its connections.
    client.close();
    server.forceShutdown();
  });
  const { address } = engine;
  const handshake = new pb.ProviderHandshakeRequest().setEngineAddress(address);
  if (introduction === "handshake") await call(client, "handshake", handshake);
  if (introduction === "attach") await call(client, "attach", new PluginAttach().setAddress(address));
  const plugin = new TestPlugin(client, plane, engine);
  if (configured) await plugin.configure(config ?? { baseUrl: plane.url, token: "vp_dev_full", organization: "acme" });
  return plugin;
}

interface DetailedDiff {
  readonly changes: boolean;
  readonly replaces: string[];
  readonly deleteBeforeReplace: boolean;
  /** The kind of change by path. */
  readonly details: Record<string, string>;
}

/** The verbs of the protocol, with plain values for its structs. */
export class TestPlugin {
  constructor(
    readonly client: ResourceProviderClient,
    readonly plane: ControlPlane,
    readonly engine: FakeEngine,
  ) {}

  /** The requests since the last call, such as `PUT /v1/… {"enabled":true}`. */
  readonly requests = freshRequests(() => this.plane.control);

  call<Verb extends keyof Verbs>(verb: Verb, request: Verbs[Verb][0]): Promise<Verbs[Verb][1]> {
    return call(this.client, verb, request);
  }

  async configure(config: Values, name = "default"): Promise<pb.ConfigureResponse> {
    return this.call("configure", new pb.ConfigureRequest().setName(name).setArgs(struct(config)));
  }

  async checkConfig(config: Values, name = "default") {
    const urn = `urn:pulumi:dev::test::pulumi:providers:voiceplane::${name}`;
    return checked(await this.call("checkConfig", new pb.CheckRequest().setUrn(urn).setNews(struct(config))));
  }

  async check(type: string, news: Values, { olds = {}, name = "it" }: { olds?: Values; name?: string } = {}) {
    const request = new pb.CheckRequest().setUrn(urnOf(type, name)).setNews(struct(news)).setOlds(struct(olds));
    return checked(await this.call("check", request));
  }

  async diff(type: string, state: Values, oldInputs: Values, news: Values): Promise<DetailedDiff> {
    const request = new pb.DiffRequest()
      .setUrn(urnOf(type, "it"))
      .setId("an id")
      .setOlds(struct(state))
      .setOldInputs(struct(oldInputs))
      .setNews(struct(news));
    return diffOf(await this.call("diff", request));
  }

  async diffConfig(olds: Values, news: Values): Promise<DetailedDiff> {
    const request = new pb.DiffRequest().setOldInputs(struct(olds)).setNews(struct(news));
    return diffOf(await this.call("diffConfig", request));
  }

  /** @param timeout in seconds, as the engine passes customTimeouts */
  async create(type: string, inputs: Values, { preview = false, name = "it", timeout = 0 } = {}) {
    const request = new pb.CreateRequest().setUrn(urnOf(type, name)).setPreview(preview).setProperties(struct(inputs));
    const response = await this.call("create", request.setTimeout(timeout));
    return { id: response.getId(), state: valuesOf(response.getProperties()) };
  }

  async update(
    type: string,
    id: string,
    state: Values,
    news: Values,
    { preview = false, timeout = 0 } = {},
  ): Promise<Values> {
    const request = new pb.UpdateRequest()
      .setUrn(urnOf(type, "it"))
      .setId(id)
      .setTimeout(timeout)
      .setPreview(preview)
      .setOlds(struct(state))
      .setNews(struct(news));
    return valuesOf((await this.call("update", request)).getProperties());
  }

  async delete(type: string, id: string, state: Values, { timeout = 0 } = {}): Promise<void> {
    const request = new pb.DeleteRequest().setUrn(urnOf(type, "it")).setId(id).setTimeout(timeout);
    await this.call("delete", request.setProperties(struct(state)));
  }

  async read(type: string, id: string, state: Values, inputs: Values = {}) {
    const request = new pb.ReadRequest().setUrn(urnOf(type, "it")).setId(id);
    return readOf(await this.call("read", request.setProperties(struct(state)).setInputs(struct(inputs))));
  }

  /** As the engine asks for an import: with an id alone. */
  async import(type: string, id: string) {
    return readOf(await this.call("read", new pb.ReadRequest().setUrn(urnOf(type, "it")).setId(id)));
  }

  /** What a check makes of the arguments. */
  async inputsOf(type: string, args: Values, olds: Values = {}): Promise<Values> {
    const { inputs, reasons } = await this.check(type, args, { olds });
    expect(reasons).toEqual([]);
    return inputs;
  }
}

/** A verb's request and response. */
interface Verbs {
  handshake: [pb.ProviderHandshakeRequest, pb.ProviderHandshakeResponse];
  getPluginInfo: [Empty, { getVersion(): string }];
  getSchema: [pb.GetSchemaRequest, pb.GetSchemaResponse];
  checkConfig: [pb.CheckRequest, pb.CheckResponse];
  diffConfig: [pb.DiffRequest, pb.DiffResponse];
  configure: [pb.ConfigureRequest, pb.ConfigureResponse];
  check: [pb.CheckRequest, pb.CheckResponse];
  diff: [pb.DiffRequest, pb.DiffResponse];
  create: [pb.CreateRequest, pb.CreateResponse];
  read: [pb.ReadRequest, pb.ReadResponse];
  update: [pb.UpdateRequest, pb.UpdateResponse];
  delete: [pb.DeleteRequest, Empty];
  invoke: [pb.InvokeRequest, pb.InvokeResponse];
  construct: [pb.ConstructRequest, pb.ConstructResponse];
  cancel: [Empty, Empty];
  attach: [PluginAttach, Empty];
  parameterize: [pb.ParameterizeRequest, pb.ParameterizeResponse];
  call: [pb.CallRequest, pb.CallResponse];
  getMappings: [pb.GetMappingsRequest, pb.GetMappingsResponse];
}

type Unary = (request: unknown, done: (error: ServiceError | null, response: unknown) => void) => unknown;

function call<Verb extends keyof Verbs>(
  client: ResourceProviderClient,
  verb: Verb,
  request: Verbs[Verb][0],
): Promise<Verbs[Verb][1]> {
  return new Promise((resolve, reject) => {
    const send = client[verb].bind(client) as unknown as Unary;
    send(request, (error, response) => {
      if (error) reject(error);
      else resolve(response as Verbs[Verb][1]);
    });
  });
}

/** The error of a call that has to fail, which is no fault of gRPC itself. */
export async function errorOf(running: Promise<unknown>): Promise<ServiceError> {
  const error = await running.then(
    () => undefined,
    (reason: unknown) => reason as ServiceError,
  );
  if (!error) throw new Error("expected a failure");
  expect(error.code).toBe(status.UNKNOWN);
  return error;
}

export async function messageOf(running: Promise<unknown>): Promise<string> {
  return (await errorOf(running)).details;
}

export interface HalfMade {
  readonly id: string;
  readonly reasons: string[];
  readonly state: Values;
}

/** What an error says beside its message, as the engine reads it. */
export function halfMadeIn({ metadata }: ServiceError): HalfMade | undefined {
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

/** The reasons with the properties that the failures name, of which the engine prints the values. */
function checked(response: pb.CheckResponse) {
  const failures = response.getFailuresList();
  const properties = failures.map((failure) => failure.getProperty());
  const reasons = failures.map((failure) => failure.getReason());
  const named = reasons.map((reason, index) => (properties[index] === "" ? reason : `${properties[index]}: ${reason}`));
  return { inputs: valuesOf(response.getInputs()), reasons: named, properties };
}

function diffOf(response: pb.DiffResponse): DetailedDiff {
  expect(response.getHasdetaileddiff()).toBe(true);
  const kinds = Object.entries(pb.PropertyDiff.Kind);
  const map = response.getDetaileddiffMap();
  const paths = (map.toArray() as unknown as [path: string][]).map(([path]) => path);
  const ofInputs = paths.filter((path) => map.get(path)?.getInputdiff() === true);
  // The properties alone, for engines and commands that show no details.
  const properties = ofInputs.map((path) => /^[^.[]+/.exec(path)?.[0]);
  expect(new Set(response.getDiffsList())).toEqual(new Set(properties));
  return {
    changes: response.getChanges() === pb.DiffResponse.DiffChanges.DIFF_SOME,
    replaces: response.getReplacesList(),
    deleteBeforeReplace: response.getDeletebeforereplace(),
    details: Object.fromEntries(
      paths.map((path) => {
        const kind = Number(map.get(path)?.getKind());
        return [path, kinds.find(([, value]) => Number(value) === kind)?.[0] ?? ""];
      }),
    ),
  };
}

function readOf(response: pb.ReadResponse) {
  const [state, inputs] = [response.getProperties(), response.getInputs()];
  return {
    id: response.getId(),
    state: state && valuesOf(state),
    inputs: inputs && valuesOf(inputs),
  };
}
