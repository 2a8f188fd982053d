/**
 * The lifecycles as the verbs of the engine's protocol. The engine's behaviour explains its form:
 * - `configure` never fails, since refresh and destroy use the configuration of the last update, which the environment may override.
 * - A property stays secret only if every answer marks it, those of `check` included.
 */
import { isDeepStrictEqual } from "node:util";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { printable } from "../../values/text.js";
import { engineText } from "../engine-text.js";
import { recordRequests } from "../../lifecycle/dry-run.js";
import { LostAnswerError } from "../../lifecycle/lost-answer.js";
import { objectKey, objectName, type OrganizationScoped } from "../../lifecycle/object.js";
import { warn } from "../../lifecycle/messages.js";
import type { Context } from "../../lifecycle/context.js";
import type { Lifecycle, Values } from "../../lifecycle/lifecycle.js";
import type { Problem } from "../../schema/problems.js";
import { isWrittenByHand, knownState } from "../../lifecycle/import-file.js";
import { fetchWebhooks } from "../../resources/webhook-secret/list.js";
import { containsUnknown, organizationType, typeTokens, unknownValue, urnParts } from "../../values/engine.js";
import { checkResource, failureOf } from "../check.js";
import { providerProblem, noteProvider, requireOrganization } from "../settings.js";
import { diffResponse } from "./diff.js";
import { missingHere, PartialStateError } from "./errors.js";
import { constructOrganization } from "./organization.js";
import { Session, type Call, type Plugin } from "./session.js";
import { plainProperties, structOf, type Properties } from "./values.js";

export class NativeProvider {
  readonly #session: Session;
  /** URNs by the objects that the program declares. */
  readonly #declared = new Map<string, string>();

  constructor(plugin: Plugin, engine?: string) {
    this.#session = new Session(plugin, engine);
  }

  async checkConfig(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const { values, secrets } = plainProperties(request.getNews());
    const { run } = this.#session;
    const settings = this.#session.read(urnParts(request.getUrn()).name, values);
    const { providerName } = settings;
    if (providerName !== undefined) noteProvider(run, "declared", providerName);
    const clash = providerName === undefined ? undefined : providerProblem(run, "declared", providerName);
    const reasons = [...settings.problems, ...(clash === undefined ? [] : [clash])];
    // A program in TypeScript says them itself.
    for (const warning of settings.warnings.filter((text) => !run.notes().program.has("warned", text)))
      await this.#session.warn(request.getUrn(), warning);
    return new pb.CheckResponse()
      .setInputs(structOf(values, [...secrets, "token"]))
      .setFailuresList(reasons.map((reason) => checkFailure({ property: "", reason: engineText(reason) })));
  }

  /** A changed provider replaces nothing: its resources have the organization's name and address among their inputs. */
  diffConfig(request: pb.DiffRequest): pb.DiffResponse {
    const [olds, news] = [request.getOldInputs(), request.getNews()].map((struct) => plainProperties(struct).values);
    const { version, ...before } = olds ?? {};
    const { version: newVersion, ...after } = news ?? {};
    return diffResponse({ changes: !isDeepStrictEqual(before, after) }, {}, before, after);
  }

  configure(request: pb.ConfigureRequest): pb.ConfigureResponse {
    // Older engines send neither.
    const inUrn = request.hasUrn() ? urnParts(request.getUrn() ?? "").name : undefined;
    const name = request.hasName() ? request.getName() : inUrn;
    this.#session.configure(name, plainProperties(request.getArgs()).values);
    const { run, settings } = this.#session;
    if (settings.providerName !== undefined) noteProvider(run, "used", settings.providerName);
    return new pb.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  async check(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const olds = plainProperties(request.getOlds()).values;
    const { values, secrets } = plainProperties(request.getNews());
    return this.#session.withCall(request, ({ lifecycle, ctx }) => {
      const { inputs, problems } = checkResource(lifecycle, ctx, this.#session.settings, olds, values);
      if (ctx.unsaved === "stateless" && lifecycle.date === "reassertOn")
        warn(ctx, lifecycle, inputs, statelessSetting);
      const hidden = new Set([...secrets, ...secretsOf(lifecycle)]);
      const all = [...problems, ...this.#declaredTwice(request.getUrn(), lifecycle, inputs)];
      return new pb.CheckResponse()
        .setInputs(structOf(inputs, hidden))
        .setFailuresList(all.map((problem) => checkFailure(failureOf(problem, values, (name) => hidden.has(name)))));
    });
  }

  #declaredTwice(urn: string, lifecycle: Lifecycle, inputs: OrganizationScoped): Problem[] {
    const id = (inputs as Values)[lifecycle.identity];
    if (typeof id !== "string" || containsUnknown(id)) return [];
    const key = objectKey(lifecycle.type, id, inputs.organization);
    const other = this.#declared.get(key) ?? urn;
    this.#declared.set(key, other);
    if (other === urn) return [];
    const same = `${lifecycle.type} "${urnParts(other).name}", ${objectName(id, inputs.organization)}`;
    return [{ property: "", reason: `declares the same object as ${printable(same)}: remove one of them` }];
  }

  async diff(request: pb.DiffRequest): Promise<pb.DiffResponse> {
    const state = propertiesOf(request.getOlds()).values;
    const inputs = propertiesOf(request.getNews()).values;
    const oldInputs = plainProperties(request.getOldInputs()).values;
    return this.#session.withCall(request, ({ lifecycle, ctx }) =>
      diffResponse(lifecycle.diff(ctx, state, inputs), state, oldInputs, inputs, lifecycle),
    );
  }

  async create(request: pb.CreateRequest): Promise<pb.CreateResponse> {
    const inputs = propertiesOf(request.getProperties());
    return this.#session.withCall(request, async (call) => {
      const id = String((inputs.values as Values)[call.lifecycle.identity]);
      const create = (ctx: Context) => call.lifecycle.create(ctx, inputs.values);
      const properties = request.getPreview()
        ? await planned(call, create, inputs.secrets, {})
        : await this.#carriedOut(call, create, id, inputs, inputs.secrets);
      return new pb.CreateResponse().setId(containsUnknown(id) ? "" : id).setProperties(properties);
    });
  }

  async update(request: pb.UpdateRequest): Promise<pb.UpdateResponse> {
    const state = propertiesOf(request.getOlds());
    const inputs = propertiesOf(request.getNews());
    return this.#session.withCall(request, async (call) => {
      const update = (ctx: Context) => call.lifecycle.update(ctx, state.values, inputs.values);
      const allSecrets = [...state.secrets, ...inputs.secrets];
      const properties = request.getPreview()
        ? await planned(call, update, inputs.secrets, state.values)
        : await this.#carriedOut(call, update, request.getId(), inputs, allSecrets);
      return new pb.UpdateResponse().setProperties(properties);
    });
  }

  async delete(request: pb.DeleteRequest): Promise<Empty> {
    requireOrganization(this.#session.settings);
    const state = propertiesOf(request.getProperties()).values;
    return this.#session.withCall(request, async ({ lifecycle, ctx }) => {
      await lifecycle.delete(ctx, state);
      return new Empty();
    });
  }

  /** Reads a resource of the state, or one that is new to the engine, where the request has an id alone. */
  async read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    requireOrganization(this.#session.settings);
    const state = propertiesOf(request.getProperties());
    const id = request.getId();
    const { values: oldInputs } = plainProperties(request.getInputs());
    return this.#session.withCall(request, async ({ lifecycle, ctx }) => {
      if (Object.keys(state.values).length === 0) return imported(lifecycle, ctx, id);
      const current = await lifecycle.read(ctx, refreshed(lifecycle, ctx, state.values, oldInputs));
      return new pb.ReadResponse()
        .setId(id)
        .setProperties(structOf(current, [...state.secrets, ...secretsOf(lifecycle)]))
        .setInputs(request.getInputs());
    });
  }

  /** `listWebhooks` sends its request in previews too. */
  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    if (request.getTok() !== "voiceplane:index:listWebhooks") throw missingHere(request.getTok());
    requireOrganization(this.#session.settings);
    const webhooks = await this.#session.withApi(fetchWebhooks);
    // Secret, because a server may return secrets: the address of a webhook may hold a password.
    return new pb.InvokeResponse().setReturn(structOf({ webhooks }, ["webhooks"]));
  }

  /** The ids to import, for `pulumi do`. Without the other members, which it would print: the address of a webhook may hold a password. */
  async list(request: pb.ListRequest): Promise<pb.ListResponse[]> {
    if (request.getToken() !== typeTokens.native("WebhookSecret"))
      throw new Error(`${request.getToken()} cannot be listed, because the control plane has no list of it`);
    requireOrganization(this.#session.settings);
    const webhooks = await this.#session.withApi(fetchWebhooks);
    const limit = request.getLimit();
    return webhooks
      .slice(0, limit > 0 ? limit : undefined)
      .map(({ id }) => new pb.ListResponse().setResult(new pb.ListResponse.Result().setId(id)));
  }

  async construct(request: pb.ConstructRequest): Promise<pb.ConstructResponse> {
    if (request.getType() !== organizationType) throw missingHere(request.getType());
    const { run } = this.#session;
    return constructOrganization(request, run, (urn, message) => this.#session.warn(urn, message));
  }

  cancel(): Empty {
    this.#session.cancel();
    return new Empty();
  }

  async #carriedOut(
    call: Call,
    verb: (ctx: Context) => Promise<OrganizationScoped>,
    id: string,
    inputs: ReturnType<typeof propertiesOf>,
    secretsOfOldState: Iterable<string>,
  ): Promise<Struct> {
    requireOrganization(this.#session.settings);
    const kept = (state: OrganizationScoped, secrets: Iterable<string>): Struct =>
      structOf(state, [...secrets, ...secretsOf(call.lifecycle)]);
    try {
      return kept(await verb(call.ctx), inputs.secrets);
    } catch (error) {
      throw error instanceof LostAnswerError
        ? partialState(error, id, () => kept(error.state, secretsOfOldState))
        : error;
    }
  }
}

/** The error itself if its state cannot be kept: the engine needs an answer all the same. */
function partialState(error: LostAnswerError, id: string, kept: () => Struct): Error {
  try {
    return new PartialStateError(error.message, id, kept());
  } catch {
    return error;
  }
}

/** Before the CLI asks for the user's approval. */
const statelessSetting =
  "`pulumi do --stateless` knows no state, so no guard compares this with what is in force, and a stack that declares the object does " +
  "not learn of it.";

function checkFailure({ property, reason }: Problem): pb.CheckFailure {
  return new pb.CheckFailure().setProperty(property).setReason(reason);
}

/** Before the first update after an import, the inputs of the file say whether a person wrote the state. */
function refreshed(
  lifecycle: Lifecycle,
  ctx: Context,
  state: OrganizationScoped,
  oldInputs: Values,
): OrganizationScoped {
  if (!isWrittenByHand(oldInputs)) return state;
  return knownState(lifecycle, state, { organization: ctx.organization, __imported: true });
}

async function imported(lifecycle: Lifecycle, ctx: Context, id: string): Promise<pb.ReadResponse> {
  if (!lifecycle.import) {
    throw new Error(
      `a ${lifecycle.type} cannot be imported, because the control plane has no operation that reads it. ` +
        'Declare it with onCreate: "adopt" instead: the first update then sends nothing.',
    );
  }
  const found = await lifecycle.import(ctx, id);
  return new pb.ReadResponse()
    .setId(id)
    .setInputs(structOf(found.inputs))
    .setProperties(structOf(found.state, secretsOf(lifecycle)));
}

/** The outputs of a create or an update that sends nothing yet. Those that a server's answer decides are unknown, and a new id. */
async function planned(
  { lifecycle, ctx }: Call,
  verb: (ctx: Context) => Promise<OrganizationScoped>,
  secrets: Iterable<string>,
  old: Values,
): Promise<Struct> {
  const { requests, result: state } = await recordRequests(ctx, verb);
  const answered = requests.length > 0 ? [...(lifecycle.answered ?? [])] : [];
  if (state.requestId !== old.requestId) answered.push("requestId");
  const unknown = Object.fromEntries(answered.map((key) => [key, unknownValue]));
  return structOf({ ...state, ...unknown }, [...secrets, ...secretsOf(lifecycle)]);
}

function secretsOf({ secrets = [] }: Lifecycle): readonly string[] {
  return secrets;
}

/** `check` has validated them. */
function propertiesOf(struct: Struct | undefined): Properties & { readonly values: OrganizationScoped } {
  return plainProperties(struct) as Properties & { readonly values: OrganizationScoped };
}
