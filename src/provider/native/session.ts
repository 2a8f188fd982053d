/**
 * What the verbs of one configured provider share: its settings, the engine, the notes of the run and the client. The process has one of
 * these for each connection that the engine configures: nothing here belongs to the module.
 */
import { credentials } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb.js";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb.js";
import { isDefaultProvider, urnParts } from "../../values/engine.js";
import { skipsCheckpoints } from "../../values/environment.js";
import type { Api } from "../../client/api.js";
import { Client } from "../../client/client.js";
import { ConfigError } from "../../client/errors.js";
import { watchForStops, type StoppedMs } from "../../client/stopped.js";
import { resources, resourceTypeOf } from "../../resources/index.js";
import { singleProcessRun, type Context, type EngineRun, type PendingRequests } from "../../lifecycle/context.js";
import type { Lifecycle, Values } from "../../lifecycle/lifecycle.js";
import { engineText } from "../engine-text.js";
import { portOf } from "../engine-watch.js";
import { joinRun } from "../run-notes.js";
import { pendingRequestsOn } from "../pending.js";
import { readSettings, requestProblems, type ProviderSettings, type SettingsKey } from "../settings.js";
import { missingHere } from "./errors.js";

export interface Plugin {
  /** Without "v". */
  readonly version: string;
  /** The package schema as JSON, without the version. */
  readonly schema: string;
  readonly env: NodeJS.ProcessEnv;
}

/** One call of a verb. */
export interface Call {
  readonly lifecycle: Lifecycle;
  readonly ctx: Context;
}

interface ResourceRequest {
  getUrn(): string;
  /** The resource's customTimeouts for this verb, in seconds. */
  getTimeout?(): number;
}

type Severity = "info" | "warning";

interface Messages {
  /** @param isPassing whether it is shown only while the operation lasts */
  send(severity: Severity, message: string, isPassing?: boolean): void;
  /** Ends when the engine has the messages, also those before an error. */
  settle<T>(work: () => T | Promise<T>): Promise<T>;
}

export class Session {
  readonly #plugin: Plugin;
  readonly #engine: EngineClient | undefined;
  readonly run: EngineRun;
  readonly #pending: PendingRequests;
  #settings: ProviderSettings;
  #client: Client | undefined;
  #stoppedMs: StoppedMs | undefined;
  #isConfigured = false;
  #isStateless = false;
  #isCancelled = false;

  /** @param engine its address */
  constructor(plugin: Plugin, engine?: string) {
    this.#plugin = plugin;
    this.#pending = pendingRequestsOn(plugin.env);
    this.#settings = readSettings(() => undefined, plugin.env);
    this.#engine = engine === undefined ? undefined : new EngineClient(engine, credentials.createInsecure());
    this.run = engine === undefined ? singleProcessRun() : joinRun(portOf(engine), "provider");
  }

  get settings(): ProviderSettings {
    return this.#settings;
  }

  /** The settings of the provider of this name. An explicit provider is an organization of its own, by its name. */
  read(name: string, config: Values): ProviderSettings {
    const providerName = isDefaultProvider(name) ? undefined : name;
    const valueOf = (key: SettingsKey): unknown => (key === "providerName" ? providerName : config[key]);
    const prefix = providerName === undefined ? "voiceplane:" : "";
    return readSettings(valueOf, this.#plugin.env, { names: Object.keys(config).map((key) => prefix + key) });
  }

  /**
   * @param name of the provider; empty in `pulumi do --stateless`, where there is no stack; undefined if the engine does not send it
   * @throws Error if the engine attaches to this process for two providers, which would have one token
   */
  configure(name: string | undefined, config: Values): void {
    const settings = this.read(name ?? "", config);
    if (this.#isConfigured && settings.providerName !== this.#settings.providerName) {
      throw new Error(
        "the engine is attached to a plugin that runs already (PULUMI_DEBUG_PROVIDERS), which can be one provider only: " +
          "remove that variable, or use a stack with one Provider",
      );
    }
    this.#isConfigured = true;
    this.#isStateless = name === "";
    this.#settings = settings;
    this.#client = undefined;
    // From now on: a plugin to which engines attach may have been stopped between two of them.
    this.#stoppedMs = watchForStops();
  }

  /** Runs a verb of the request's resource. It ends when the engine has its messages, also those before an error. */
  async withCall<T>(request: ResourceRequest, verb: (call: Call) => T | Promise<T>): Promise<T> {
    const urn = request.getUrn();
    const { type: token, name } = urnParts(urn);
    const type = resourceTypeOf(token);
    if (type === undefined) throw missingHere(token);
    const messages = this.#messages(urn);
    const ctx: Context = {
      organization: this.#settings.organization,
      address: this.#settings.address,
      isExplicit: this.#settings.providerName !== undefined,
      // Zero without customTimeouts.
      api: this.#api(messages, 1000 * (request.getTimeout?.() ?? 0) || undefined),
      log: {
        info: (message) => {
          messages.send("info", message);
        },
        warn: (message) => {
          messages.send("warning", message);
        },
      },
      run: this.run,
      name,
      pending: this.#pending,
      unsaved: this.#isStateless ? "stateless" : skipsCheckpoints(this.#plugin.env) ? "checkpoints" : undefined,
      now: () => this.#settings.namedNow ?? new Date(),
    };
    return messages.settle(() => verb({ lifecycle: resources[type].lifecycle, ctx }));
  }

  /** For requests that belong to no resource. */
  async withApi<T>(work: (api: Api) => Promise<T>): Promise<T> {
    const messages = this.#messages("");
    return messages.settle(() => work(this.#api(messages)));
  }

  warn(urn: string, message: string): Promise<void> {
    return this.#log("warning", urn, message);
  }

  /** Resolves when the engine has the message, which it shows in the row of this resource. */
  #log(severity: Severity, urn: string, message: string, isPassing = false): Promise<void> {
    const engine = this.#engine;
    if (!engine) return Promise.resolve();
    const request = new LogRequest()
      .setSeverity(severity === "info" ? LogSeverity.INFO : LogSeverity.WARNING)
      .setUrn(urn)
      .setMessage(engineText(message))
      .setEphemeral(isPassing);
    return new Promise((resolve) => {
      // A message that does not arrive must not make the operation fail.
      engine.log(request, () => {
        resolve();
      });
    });
  }

  /** To the engine, for one resource. */
  #messages(urn: string): Messages {
    const pending: Promise<void>[] = [];
    return {
      send: (severity, message, isPassing) => {
        pending.push(this.#log(severity, urn, message, isPassing));
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

  #api(messages: Messages, timeoutMs?: number): Api {
    const onRetry = (message: string): void => {
      messages.send("info", message, true);
    };
    return {
      send: async (operation, parameters, body, options) =>
        this.#sender().send(operation, parameters, body, { ...options, onRetry, timeoutMs }),
    };
  }

  #sender(): Client {
    // The engine may have begun another operation before it was interrupted.
    if (this.#isCancelled) throw new ConfigError(["The update was cancelled, and nothing was sent."]);
    const { client } = this.#settings;
    const problems = requestProblems(this.run, this.#settings, this.#plugin.env);
    if (problems.length > 0) throw new ConfigError([...problems]);
    const { organization, tokenSource } = this.#settings;
    const deps = { env: this.#plugin.env, organization, tokenSource, stoppedMs: this.#stoppedMs };
    return (this.#client ??= new Client(client, deps));
  }

  /** Ends the requests under way, and sends none afterwards. Those that may have been sent are recorded as uncertain. */
  cancel(): void {
    this.#isCancelled = true;
    this.#client?.abort();
  }
}
