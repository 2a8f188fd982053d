/**
 * The lifecycles as one configured provider of the engine's protocol. The process has one of these for each connection that the
 * engine configures: nothing here belongs to the module.
 *
 * The engine's behaviour explains its form:
 * - `configure` never fails, since refresh and destroy use the configuration of the last update, which the environment may override.
 * - A property stays secret only if every answer marks it, those of `check` included.
 */
import { isDeepStrictEqual } from "node:util";
import { containsUnknown, isDefaultProvider, unknownValue, urnParts } from "../../values.js";
import * as pb from "@pulumi/pulumi/proto/provider_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import type { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import { Client, type Api } from "../../client/client.js";
import { printable } from "../../client/printable.js";
import { ConfigError } from "../../client/errors.js";
import { engineText } from "../../client/redact.js";
import { resources, resourceTypeOf } from "../../resources/index.js";
import {
  singleProcessRun,
  UncertainError,
  type Context,
  type EngineRun,
  type Lifecycle,
  type OrganizationScoped,
  type Values,
} from "../../resources/lifecycle.js";
import { recordRequests } from "../../resources/dry-run.js";
import { objectKeys } from "../../resources/rules.js";
import { fetchWebhooks } from "../../resources/webhook-list.js";
import type { Telemetry } from "../../telemetry/index.js";
import { joinRun } from "../run-notes.js";
import { portOf } from "../engine-watch.js";
import { checkResource } from "../check.js";
import { noteLabel, readSettings, requestProblems, type ProviderSettings, type SettingsKey } from "../settings.js";
import { diffResponse } from "./diff.js";
import { connectLog, type EngineLog } from "./engine.js";
import { HalfMadeError } from "./errors.js";
import { constructOrganization, organizationType } from "./organization.js";
import { plainProperties, structOf, type Properties } from "./values.js";

export interface Plugin {
  /** Without "v". */
  readonly version: string;
  /** The package schema as JSON, without the version. */
  readonly schema: string;
  readonly env: NodeJS.ProcessEnv;
  readonly telemetry?: Telemetry | undefined;
}

/** One call of a verb. */
interface Call {
  readonly lifecycle: Lifecycle;
  readonly ctx: Context;
}

export class NativeProvider {
  readonly #plugin: Plugin;
  #engine: EngineLog | undefined;
  #run: EngineRun = singleProcessRun();
  #settings: ProviderSettings;
  #client: Client | undefined;
  #isCancelled = false;
  /** URNs by the objects that the program declares. */
  readonly #declared = new Map<string, string>();

  constructor(plugin: Plugin, engine?: string) {
    this.#plugin = plugin;
    this.#settings = readSettings(() => undefined, plugin.env);
    if (engine !== undefined) this.#attach(engine);
  }

  #attach(engine: string): void {
    this.#engine = connectLog(engine);
    this.#run = joinRun(portOf(engine), "provider");
  }

  attach(request: { getAddress(): string }): void {
    this.#attach(request.getAddress());
  }

  checkConfig(request: pb.CheckRequest): pb.CheckResponse {
    const { values, secrets } = plainProperties(request.getNews());
    const settings = this.#read(urnParts(request.getUrn()).name, values);
    const clash = settings.label === undefined ? undefined : noteLabel(this.#run, "declared", settings.label);
    const reasons = [...settings.problems, ...(clash === undefined ? [] : [clash])];
    return new pb.CheckResponse()
      .setInputs(structOf(values, [...secrets, "token"]))
      .setFailuresList(reasons.map(failureOf));
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
    const name = request.hasName() ? request.getName() : urnParts(request.getUrn() ?? "").name;
    this.#settings = this.#read(name ?? "", plainProperties(request.getArgs()).values);
    if (this.#settings.label !== undefined) noteLabel(this.#run, "used", this.#settings.label);
    return new pb.ConfigureResponse().setAcceptsecrets(true).setSupportspreview(true);
  }

  /** An explicit provider is an organization of its own, by its name. */
  #read(name: string, config: Values): ProviderSettings {
    const label = isDefaultProvider(name) ? undefined : name;
    const valueOf = (key: SettingsKey): string | undefined => {
      const value = key === "label" ? label : config[key];
      return typeof value === "boolean" ? String(value) : typeof value === "string" ? value : undefined;
    };
    return readSettings(valueOf, this.#plugin.env, { names: Object.keys(config).map((key) => `voiceplane:${key}`) });
  }

  async check(request: pb.CheckRequest): Promise<pb.CheckResponse> {
    const olds = plainProperties(request.getOlds()).values;
    const { values, secrets } = plainProperties(request.getNews());
    return this.#withCall(request, ({ lifecycle, ctx }) => {
      const { inputs, reasons } = checkResource(lifecycle, ctx, this.#settings, olds, values);
      const failures = [...reasons, ...this.#declaredTwice(request.getUrn(), lifecycle, inputs)];
      return new pb.CheckResponse()
        .setInputs(structOf(inputs, [...secrets, ...secretsOf(lifecycle)]))
        .setFailuresList(failures.map(failureOf));
    });
  }

  #declaredTwice(urn: string, lifecycle: Lifecycle, inputs: OrganizationScoped): string[] {
    const id = (inputs as Values)[lifecycle.identity];
    if (typeof id !== "string" || containsUnknown(id)) return [];
    const [key = ""] = objectKeys(lifecycle, id, inputs);
    const other = this.#declared.get(key) ?? urn;
    this.#declared.set(key, other);
    if (other === urn) return [];
    const same = `${lifecycle.type} "${urnParts(other).name}", "${id}" of ${inputs.account}`;
    return [`declares the same object as ${printable(same)}: remove one of them`];
  }

  async diff(request: pb.DiffRequest): Promise<pb.DiffResponse> {
    const state = propertiesOf(request.getOlds()).values;
    const inputs = propertiesOf(request.getNews()).values;
    const oldInputs = plainProperties(request.getOldInputs()).values;
    return this.#withCall(request, ({ lifecycle, ctx }) =>
      diffResponse(lifecycle.diff(ctx, state, inputs), state, oldInputs, inputs),
    );
  }

  async create(request: pb.CreateRequest): Promise<pb.CreateResponse> {
    const inputs = propertiesOf(request.getProperties());
    return this.#withCall(request, async (call) => {
      const id = String((inputs.values as Values)[call.lifecycle.identity]);
      const create = (ctx: Context) => call.lifecycle.create(ctx, inputs.values);
      const properties = request.getPreview()
        ? await planned(call, create, inputs.secrets)
        : await this.#carriedOut(call, create, id, inputs, inputs.secrets);
      return new pb.CreateResponse().setId(containsUnknown(id) ? "" : id).setProperties(properties);
    });
  }

  async update(request: pb.UpdateRequest): Promise<pb.UpdateResponse> {
    const state = propertiesOf(request.getOlds());
    const inputs = propertiesOf(request.getNews());
    return this.#withCall(request, async (call) => {
      const update = (ctx: Context) => call.lifecycle.update(ctx, state.values, inputs.values);
      const allSecrets = [...state.secrets, ...inputs.secrets];
      const properties = request.getPreview()
        ? await planned(call, update, inputs.secrets)
        : await this.#carriedOut(call, update, request.getId(), inputs, allSecrets);
      return new pb.UpdateResponse().setProperties(properties);
    });
  }

  async delete(request: pb.DeleteRequest): Promise<Empty> {
    this.#requireOrganization();
    const state = propertiesOf(request.getProperties()).values;
    return this.#withCall(request, async ({ lifecycle, ctx }) => {
      await lifecycle.delete(ctx, state);
      return new Empty();
    });
  }

  /** Reads a resource of the state, or one that is new to the engine, where the request has an id alone. */
  async read(request: pb.ReadRequest): Promise<pb.ReadResponse> {
    this.#requireOrganization();
    const state = propertiesOf(request.getProperties());
    const id = request.getId();
    return this.#withCall(request, async ({ lifecycle, ctx }) => {
      if (!("account" in state.values)) return imported(lifecycle, ctx, id);
      const current = await lifecycle.read(ctx, state.values);
      return new pb.ReadResponse()
        .setId(id)
        .setProperties(structOf(current, [...state.secrets, ...secretsOf(lifecycle)]))
        .setInputs(request.getInputs());
    });
  }

  /** `listWebhooks` sends its request in previews too. */
  async invoke(request: pb.InvokeRequest): Promise<pb.InvokeResponse> {
    if (request.getTok() !== "voiceplane:index:listWebhooks")
      throw new Error(`${request.getTok()} is not a function here`);
    this.#requireOrganization();
    const messages = this.#messages("");
    const webhooks = await messages.settle(() => fetchWebhooks(this.#api(messages)));
    // Secret, because a server may return secrets: the address of a webhook may hold a password.
    return new pb.InvokeResponse().setReturn(structOf({ webhooks }, ["webhooks"]));
  }

  async construct(request: pb.ConstructRequest): Promise<pb.ConstructResponse> {
    if (request.getType() !== organizationType) throw new Error(`${request.getType()} is not a component here`);
    return constructOrganization(request);
  }

  /** Ends the requests under way, and sends none afterwards. Those that may have been sent are recorded as uncertain. */
  cancel(): Empty {
    this.#isCancelled = true;
    this.#client?.abort();
    return new Empty();
  }

  async #carriedOut(
    call: Call,
    verb: (ctx: Context) => Promise<OrganizationScoped>,
    id: string,
    inputs: ReturnType<typeof propertiesOf>,
    secretsOfOldState: Iterable<string>,
  ): Promise<Struct> {
    this.#requireOrganization();
    const kept = (state: OrganizationScoped, secrets: Iterable<string>): Struct =>
      structOf(state, [...secrets, ...secretsOf(call.lifecycle)]);
    try {
      return kept(await verb(call.ctx), inputs.secrets);
    } catch (error) {
      throw error instanceof UncertainError ? halfMade(error, id, () => kept(error.state, secretsOfOldState)) : error;
    }
  }

  /** For verbs over state. Without an address, the object would seem to be another organization's, and destroy would send nothing. */
  #requireOrganization(): void {
    if (this.#settings.account !== "") return;
    const { problems } = this.#settings;
    throw new ConfigError(problems.length > 0 ? problems : ["The base URL is not known."]);
  }

  /** Runs a verb of the request's resource. It ends when the engine has its messages, also those before an error. */
  async #withCall<T>(request: { getUrn(): string }, verb: (call: Call) => T | Promise<T>): Promise<T> {
    const urn = request.getUrn();
    const { type: token } = urnParts(urn);
    const type = resourceTypeOf(token);
    if (type === undefined) throw new Error(`${token} is not a resource type of this provider`);
    const messages = this.#messages(urn);
    const ctx: Context = {
      account: this.#settings.account,
      address: this.#settings.address,
      api: this.#api(messages),
      log: {
        info: (message) => {
          messages.send("info", message);
        },
        warn: (message) => {
          messages.send("warning", message);
        },
      },
      run: this.#run,
      now: () => new Date(),
    };
    return messages.settle(() => verb({ lifecycle: resources[type].lifecycle, ctx }));
  }

  /** To the engine, for one resource. */
  #messages(urn: string): Messages {
    const pending: Promise<void>[] = [];
    return {
      send: (severity, message, isPassing) => {
        if (this.#engine) pending.push(this.#engine.log(severity, urn, message, isPassing));
      },
      settle: async (work) => {
        try {
          return await work();
        } finally {
          await Promise.all(pending);
        }
      },
    };
  }

  #api(messages: Messages): Api {
    const onRetry = (message: string): void => {
      messages.send("info", message, true);
    };
    return {
      send: async (operation, parameters, body) => this.#sender().send(operation, parameters, body, onRetry),
      serverTime: () => this.#client?.serverTime(),
    };
  }

  #sender(): Client {
    // The engine may have begun another operation before it was interrupted.
    if (this.#isCancelled) throw new ConfigError(["The update was cancelled, and nothing was sent."]);
    const { client } = this.#settings;
    const problems = requestProblems(this.#run, this.#settings, this.#plugin.env);
    if (problems.length > 0) throw new ConfigError([...problems]);
    return (this.#client ??= new Client(client, {
      onAttempt: this.#plugin.telemetry?.onAttempt(this.#settings.account),
    }));
  }
}

/** The error itself if its state cannot be kept: the engine needs an answer all the same. */
function halfMade(error: UncertainError, id: string, kept: () => Struct): Error {
  try {
    return new HalfMadeError(error.message, id, kept());
  } catch {
    return error;
  }
}

function failureOf(reason: string): pb.CheckFailure {
  return new pb.CheckFailure().setReason(engineText(reason));
}

interface Messages {
  /** @param isPassing whether it is shown only while the operation lasts */
  send(severity: "info" | "warning", message: string, isPassing?: boolean): void;
  /** Ends when the engine has the messages, also those before an error. */
  settle<T>(work: () => T | Promise<T>): Promise<T>;
}

async function imported(lifecycle: Lifecycle, ctx: Context, id: string): Promise<pb.ReadResponse> {
  if (!lifecycle.import) {
    throw new Error(
      `a ${lifecycle.type} cannot be imported, because the control plane has no operation that reads it. ` +
        "Declare the resource instead: the first update sets it.",
    );
  }
  const found = await lifecycle.import(ctx, id);
  return new pb.ReadResponse()
    .setId(id)
    .setInputs(structOf(found.inputs))
    .setProperties(structOf(found.state, secretsOf(lifecycle)));
}

/** The outputs of a create or an update that sends nothing yet. Those that a server's answer decides are unknown. */
async function planned(
  { lifecycle, ctx }: Call,
  verb: (ctx: Context) => Promise<OrganizationScoped>,
  secrets: Iterable<string>,
): Promise<Struct> {
  const { requests, result: state } = await recordRequests(ctx, verb);
  const answered = requests.length > 0 ? (lifecycle.answered ?? []) : [];
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
