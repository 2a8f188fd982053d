/**
 * Translates between the engine's protocol and a lifecycle. The engine's behaviour explains its form:
 * - `configure` never fails, since refresh and destroy use the configuration of the last update, which the environment may override.
 * - A property stays secret only if every answer marks it, those of `check` included.
 */
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import type { Context } from "../../lifecycle/context.js";
import { recordRequests } from "../../lifecycle/dry-run.js";
import type { Lifecycle } from "../../lifecycle/lifecycle.js";
import type { OrganizationScoped } from "../../lifecycle/object.js";
import { resources, resourceTypeOf } from "../../resources/index.js";
import { fetchWebhooks } from "../../resources/webhook-secret/list.js";
import type { Values } from "../../values/any.js";
import { errorOf } from "../../values/diagnostic.js";
import { containsUnknown, organizationType, unknownValue, urnParts } from "../../values/engine.js";
import type { Environment } from "../../values/environment.js";
import { checkResource, engineReason } from "../check.js";
import { Session, type Call } from "../session.js";
import { checkConfig, diffConfig, settingsIn } from "./configuration.js";
import { missingHere, PartialStateError } from "./errors.js";
import { Messages } from "./messages.js";
import { constructOrganization } from "./organization.js";
import { plainProperties, propertiesOf, structOf } from "./values.js";

interface ResourceCall {
  readonly lifecycle: Lifecycle;
  readonly call: Call;
  readonly ctx: Context;
}

interface ResourceRequest {
  getUrn(): string;
  /** The resource's customTimeouts for this verb, in seconds. */
  getTimeout?(): number;
}

export class NativeProvider {
  readonly #env: Environment;
  readonly #session: Session;
  readonly #messages: Messages;

  constructor(env: Environment, engine?: string) {
    this.#env = env;
    this.#session = new Session(env);
    this.#messages = new Messages(engine);
  }

  checkConfig(request: pb.CheckRequest): pb.CheckResponse {
    return checkConfig(request, this.#env);
  }

  readonly diffConfig = diffConfig;

  configure(request: pb.ConfigureRequest): pb.ConfigureResponse {
    this.#session.configure(settingsIn(request, this.#env));
    return new pb.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  async check(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const { values: olds } = plainProperties(request.getOlds());
    const { values, secrets } = plainProperties(request.getNews());
    return this.#withCall(request, ({ lifecycle, ctx }) => {
      const { inputs, problems } = checkResource(lifecycle, ctx, this.#session.settings, olds, values);
      return new pb.CheckResponse()
        .setInputs(structOf(inputs, [...secrets, ...secretNamesOf(lifecycle)]))
        .setFailuresList(problems.map((each) => new pb.CheckFailure().setReason(engineReason(each))));
    });
  }

  /** Without details: the engine compares the inputs, and shows what differs. */
  async diff(request: pb.DiffRequest): Promise<pb.DiffResponse> {
    const state = propertiesOf(request.getOlds()).values;
    const inputs = propertiesOf(request.getNews()).values;
    return this.#withCall(request, ({ lifecycle, ctx }) => {
      const { changes, replaces = [], deleteBeforeReplace = false } = lifecycle.diff(ctx, state, inputs);
      const { DIFF_SOME, DIFF_NONE } = pb.DiffResponse.DiffChanges;
      return new pb.DiffResponse()
        .setChanges(changes ? DIFF_SOME : DIFF_NONE)
        .setReplacesList(replaces)
        .setDeletebeforereplace(deleteBeforeReplace);
    });
  }

  async create(request: pb.CreateRequest): Promise<pb.CreateResponse> {
    const inputs = propertiesOf(request.getProperties());
    return this.#withCall(request, async (call) => {
      const id = String((inputs.values as Values)[call.lifecycle.identity]);
      const create = (ctx: Context) => call.lifecycle.create(ctx, inputs.values);
      const properties = request.getPreview()
        ? await planned(call, create, inputs.secrets, {})
        : await this.#carryOut(call, create, id, inputs.secrets);
      return new pb.CreateResponse().setId(containsUnknown(id) ? "" : id).setProperties(properties);
    });
  }

  async update(request: pb.UpdateRequest): Promise<pb.UpdateResponse> {
    const state = propertiesOf(request.getOlds());
    const inputs = propertiesOf(request.getNews());
    return this.#withCall(request, async (call) => {
      const update = (ctx: Context) => call.lifecycle.update(ctx, state.values, inputs.values);
      const properties = request.getPreview()
        ? await planned(call, update, inputs.secrets, state.values)
        : await this.#carryOut(call, update, request.getId(), inputs.secrets, state.secrets);
      return new pb.UpdateResponse().setProperties(properties);
    });
  }

  async delete(request: pb.DeleteRequest): Promise<Empty> {
    const state = propertiesOf(request.getProperties()).values;
    return this.#withCall(request, async ({ lifecycle, call }) => {
      await lifecycle.delete(this.#session.contextOfState(call), state);
      return new Empty();
    });
  }

  async read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    const { values: state, secrets } = propertiesOf(request.getProperties());
    return this.#withCall(request, async ({ lifecycle, call }) => {
      if (Object.keys(state).length === 0)
        throw errorOf(
          "cannot-import",
          `a ${lifecycle.type} is not imported: declare it with onCreate: "adopt", which sends nothing`,
        );
      const current = await lifecycle.read(this.#session.contextOfState(call), state);
      return new pb.ReadResponse()
        .setId(request.getId())
        .setProperties(structOf(current, [...secrets, ...secretNamesOf(lifecycle)]))
        .setInputs(request.getInputs());
    });
  }

  /** `listWebhooks` sends its request in previews too. It is about no resource, so the engine shows its messages at the stack. */
  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    if (request.getTok() !== "voiceplane:index:listWebhooks") throw missingHere(request.getTok());
    const webhooks = await this.#messages.during("", (call) => fetchWebhooks(this.#session.api(call)));
    // Secret, because a server may return secrets: the address of a webhook may contain a password.
    return new pb.InvokeResponse().setReturn(structOf({ webhooks }, ["webhooks"]));
  }

  async construct(request: pb.ConstructRequest): Promise<pb.ConstructResponse> {
    if (request.getType() !== organizationType) throw missingHere(request.getType());
    return constructOrganization(request, this.#messages.warn);
  }

  cancel(): Empty {
    this.#session.cancel();
    return new Empty();
  }

  /** Runs a verb of the request's resource. */
  #withCall<T>(request: ResourceRequest, verb: (call: ResourceCall) => T | Promise<T>): Promise<T> {
    const name = request.getUrn();
    const token = urnParts(name).type;
    const type = resourceTypeOf(token);
    if (type === undefined) throw missingHere(token);
    const { lifecycle } = resources[type];
    // Zero without customTimeouts.
    const timeoutMs = 1000 * (request.getTimeout?.() ?? 0) || undefined;
    return this.#messages.during(name, (messages) => {
      const call = { ...messages, name, timeoutMs };
      return verb({ lifecycle, call, ctx: this.#session.context(call) });
    });
  }

  #carryOut(
    { lifecycle, ctx }: ResourceCall,
    verb: (ctx: Context) => Promise<OrganizationScoped>,
    id: string,
    inputSecrets: Iterable<string>,
    oldSecrets: Iterable<string> = [],
  ): Promise<Struct> {
    const secrets = [...inputSecrets, ...secretNamesOf(lifecycle)];
    return this.#session.carryOut(() => verb(ctx), {
      store: (state) => structOf(state, secrets),
      // A partial state may have values of the old one.
      partial: (message, state) => new PartialStateError(message, id, structOf(state, [...secrets, ...oldSecrets])),
    });
  }
}

/** The outputs of a create or an update in a preview. What the server's answer decides is unknown, and so is the id of a new request. */
async function planned(
  { lifecycle, ctx }: ResourceCall,
  verb: (ctx: Context) => Promise<OrganizationScoped>,
  secrets: Iterable<string>,
  old: Values,
): Promise<Struct> {
  const { requests, result: state } = await recordRequests(ctx, verb);
  const answered = requests.length > 0 ? [...(lifecycle.answered ?? [])] : [];
  if (state.requestId !== old.requestId) answered.push("requestId");
  const unknown = Object.fromEntries(answered.map((key) => [key, unknownValue]));
  return structOf({ ...state, ...unknown }, [...secrets, ...secretNamesOf(lifecycle)]);
}

const secretNamesOf = ({ secrets = [] }: Lifecycle): readonly string[] => secrets;
