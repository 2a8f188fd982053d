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
import type { Values } from "../../values/any.js";
import { warnOfObject } from "../../lifecycle/messages.js";
import { Declarations, objectKey, objectName, type OrganizationScoped } from "../../lifecycle/object.js";
import { withDoubt } from "../../lifecycle/pending.js";
import { resources, resourceTypeOf, type ResourceDefinition } from "../../resources/index.js";
import { fetchWebhooks } from "../../resources/webhook-secret/list.js";
import { errorOf, problem, type Diagnostic } from "../../values/diagnostic.js";
import { containsUnknown, organizationType, unknownValue, urnParts } from "../../values/engine.js";
import type { Environment } from "../../values/environment.js";
import { printable } from "../../values/text.js";
import { checkResource, engineReason, importFileError } from "../check.js";
import { Session } from "../session.js";
import { requireOrganization } from "../settings.js";
import { checkConfig, settingsIn, diffConfig } from "./configuration.js";
import { diffResponse } from "./diff.js";
import { missingHere, PartialStateError } from "./errors.js";
import { Messages } from "./messages.js";
import { constructOrganization } from "./organization.js";
import { readResource } from "./read.js";
import { plainProperties, propertiesOf, structOf } from "./values.js";

interface ResourceCall {
  readonly lifecycle: Lifecycle;
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
  /** The objects that the program declares, with the URN of each. */
  readonly #declarations = new Declarations<string>();

  constructor(env: Environment, engine?: string) {
    this.#env = env;
    this.#session = new Session(env, engine);
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
    const { values: olds, secrets: oldSecrets } = plainProperties(request.getOlds());
    const { values, secrets } = plainProperties(request.getNews());
    return this.#withCall(request, ({ lifecycle, ctx }) => {
      const { inputs, problems } = checkResource(lifecycle, ctx, this.#session.settings, olds, values);
      // All our answers mark these secrets. So one that is plain in the old inputs is from an import file, beside what `read` has found.
      if (secretNamesOf(lifecycle).some((key) => key in olds && !oldSecrets.has(key)))
        throw importFileError(lifecycle, inputs);
      if (ctx.unsaved === "stateless" && lifecycle.isSetting)
        warnOfObject(ctx, lifecycle, inputs, "state-not-kept", statelessSetting);
      const hidden = new Set([...secrets, ...secretNamesOf(lifecycle)]);
      const all = [...problems, ...this.#declaredTwice(request.getUrn(), lifecycle, inputs)];
      return new pb.CheckResponse()
        .setInputs(structOf(inputs, hidden))
        .setFailuresList(all.map((each) => new pb.CheckFailure().setReason(engineReason(each))));
    });
  }

  /** For programs in other languages: no process of ours but this one sees all their resources. */
  #declaredTwice(urn: string, lifecycle: Lifecycle, inputs: OrganizationScoped): Diagnostic[] {
    const id = (inputs as Values)[lifecycle.identity];
    if (typeof id !== "string" || containsUnknown(id)) return [];
    const other = this.#declarations.add(objectKey(lifecycle.type, id, inputs.organization), urn);
    if (other === undefined) return [];
    const same = `${lifecycle.type} "${urnParts(other).name}", ${objectName(id, inputs.organization)}`;
    return [problem("declared-twice", `declares the same object as ${printable(same)}: remove one of them`)];
  }

  async diff(request: pb.DiffRequest): Promise<pb.DiffResponse> {
    const state = propertiesOf(request.getOlds()).values;
    const inputs = propertiesOf(request.getNews()).values;
    const oldInputs = plainProperties(request.getOldInputs()).values;
    return this.#withCall(request, ({ lifecycle, ctx }) => {
      const diff = lifecycle.diff(ctx, state, inputs);
      const marked = lifecycle.isUncertain(withDoubt(ctx, lifecycle, state)) ? Object.keys(lifecycle.mark) : [];
      return diffResponse(diff, oldInputs, inputs, marked);
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
    requireOrganization(this.#session.settings);
    const state = propertiesOf(request.getProperties()).values;
    return this.#withCall(request, async ({ lifecycle, ctx }) => {
      await lifecycle.delete(ctx, state);
      return new Empty();
    });
  }

  async read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    requireOrganization(this.#session.settings);
    return this.#withCall(request, ({ lifecycle, ctx }) => readResource(lifecycle, ctx, request));
  }

  /** `listWebhooks` sends its request in previews too. */
  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    if (request.getTok() !== "voiceplane:index:listWebhooks") throw missingHere(request.getTok());
    const webhooks = await this.#listed(fetchWebhooks);
    // Secret, because a server may return secrets: the address of a webhook may contain a password.
    return new pb.InvokeResponse().setReturn(structOf({ webhooks }, ["webhooks"]));
  }

  /** The ids to import, for `pulumi do`. It would print other members of an object too, and the address of a webhook may contain a password. */
  async list(request: pb.ListRequest): Promise<pb.ListResponse[]> {
    const type = resourceTypeOf(request.getToken());
    const { list }: Partial<ResourceDefinition> = type === undefined ? {} : resources[type];
    const noList = `${request.getToken()} cannot be listed, because the control plane has no list of it`;
    if (!list) throw errorOf("cannot-list", noList);
    const objects = await this.#listed(list);
    const limit = request.getLimit();
    return objects
      .slice(0, limit > 0 ? limit : undefined)
      .map(({ id }) => new pb.ListResponse().setResult(new pb.ListResponse.Result().setId(id)));
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
    const urn = request.getUrn();
    const { type: token, name } = urnParts(urn);
    const type = resourceTypeOf(token);
    if (type === undefined) throw missingHere(token);
    const { lifecycle } = resources[type];
    // Zero without customTimeouts.
    const timeoutMs = 1000 * (request.getTimeout?.() ?? 0) || undefined;
    return this.#messages.during(urn, (call) =>
      verb({ lifecycle, ctx: this.#session.context({ ...call, name, timeoutMs }) }),
    );
  }

  /** Requests a list. It is about no resource, so the engine shows its messages at the stack. */
  #listed<T>(list: (api: Context["api"]) => Promise<T>): Promise<T> {
    return this.#messages.during("", (call) => list(this.#session.api(call)));
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

/** A warning of the check, because the CLI asks for the user's approval after it. */
const statelessSetting =
  "`pulumi do --stateless` knows no state, so no guard compares this with what is in force, and a stack that declares the object does " +
  "not learn of it.";

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
