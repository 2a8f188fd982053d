import { RunError } from "@pulumi/pulumi/errors";
import { secret, type Input, type Output, output } from "@pulumi/pulumi/output";
import { ProviderResource, type ResourceOptions } from "@pulumi/pulumi/resource";
import { getEngine, getMonitor } from "@pulumi/pulumi/runtime/settings";
import { getStackResource } from "@pulumi/pulumi/runtime/stack";
import { singleProcessRun, type EngineRun } from "../resources/lifecycle.js";
import { joinRun } from "../provider/run-notes.js";
import { dynamicProvider, type EngineProvider } from "./engine-provider.js";
import { readSettings, sharedVariableProblem, tokenVariableOf, type ProviderSettings } from "../provider/settings.js";

/** Where another organization is, and its token. @category Organizations */
export interface ProviderArgs {
  /** Where the organization's control plane is, such as `"https://api.example.com"`; a path is kept. */
  baseUrl: Input<string>;
  /**
   * The organization's API token; kept as a secret. Default: the environment variable `VOICEPLANE_TOKEN_<LABEL>`, which wins
   * over this.
   */
  token?: Input<string> | undefined;
  /** Allows `http:` to another machine, where anybody on the network path can read the token. Default: `false`. */
  allowInsecureHttp?: Input<boolean> | undefined;
}

/**
 * Another organization than the one of the stack's configuration: `new Provider("eu", { baseUrl, token })`, then
 * `{ provider: eu }` as an option of resources, or `{ providers: [eu] }` of components.
 *
 * The name is the organization's label. It is part of the identity of all objects managed through it, so keep it; and it
 * names the variable that overrides the token: "eu" reads `VOICEPLANE_TOKEN_EU`, never `VOICEPLANE_TOKEN`. Two names
 * that stand for one variable, such as "eu-west" and "eu.west", are refused.
 *
 * Errors, at the first preview of a resource: no token; an address or a token that cannot be right.
 *
 * @example
 *
 * ```ts
 * import { Provider, RetentionPolicy } from "pulumi-voiceplane";
 *
 * const eu = new Provider("eu", { baseUrl: "https://eu.example.com" }); // the token is in VOICEPLANE_TOKEN_EU
 * new RetentionPolicy("eu-recordings", { resource: "recordings", retentionDays: 30 }, { provider: eu });
 * ```
 *
 * @category Organizations
 */
export class Provider extends ProviderResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicProvider;
  /** The organization's name in previews and state: this provider's own name. */
  readonly label: string;
  readonly #settings: Output<ProviderSettings>;

  /**
   * Declares the provider. It sends nothing.
   *
   * @param name The organization's label.
   * @param args Where it is, and its token.
   * @param opts The engine's options.
   * @throws RunError if another provider of the program would take its token from the same variable.
   */
  constructor(name: string, args: ProviderArgs, opts?: ResourceOptions) {
    requireOwnVariable(name);
    const token = args.token === undefined ? undefined : secret(args.token);
    const allowInsecureHttp = output(args.allowInsecureHttp).apply((allow) => (allow ? "true" : undefined));
    const { engineProvider } = new.target;
    super(
      engineProvider.package,
      name,
      engineProvider.providerInputs(name, { baseUrl: args.baseUrl, token, allowInsecureHttp }),
      opts,
    );
    this.label = name;
    this.#settings = output([args.baseUrl, token, args.allowInsecureHttp] as const).apply(([baseUrl, known, allow]) => {
      const allowInsecureHttp = String(allow ?? false);
      const values = { label: name, baseUrl, token: known, account: undefined, allowInsecureHttp };
      return readSettings((key) => values[key], process.env);
    });
  }

  /** For this package's own functions. @internal */
  get settings(): Output<ProviderSettings> {
    return this.#settings;
  }
}

/** Checked whether or not the variable is set: on another machine it may be, and would send a token to the wrong organization. */
function requireOwnVariable(label: string): void {
  const { labels } = currentProgramRun();
  const variable = tokenVariableOf(label);
  const other = labels.get(variable) ?? label;
  if (other !== label) {
    throw new RunError(sharedVariableProblem(label, other));
  }
  labels.set(variable, label);
}

/** What one run of a program has declared. A process may have several runs: the Automation API runs programs in its own. */
export interface ProgramRun {
  /** Names of the resources by the objects that they declare. */
  readonly declaredObjects: Map<string, string>;
  /** Labels of explicit providers by the variables that their tokens are taken from. */
  readonly labels: Map<string, string>;
  /** The program's notes for the providers. */
  readonly engineRun: EngineRun;
  /** Of the default provider, once they have been asked for. */
  settings?: ProviderSettings;
}

/**
 * By the run's stack resource: nothing else distinguishes runs. Shared by all copies of this module in a process, such as the one inside
 * `pulumi-voiceplane/stack`: a second note-taker would remove the notes of the first.
 */
const runs = shared("pulumi-voiceplane.runs", () => new WeakMap<object, ProgramRun>());

/** The key of all programs of the process that have neither a stack nor mocks. */
const noStack = shared("pulumi-voiceplane.noStack", () => ({}));

function shared<T>(name: string, make: () => T): T {
  const all = globalThis as Record<symbol, unknown>;
  return (all[Symbol.for(name)] ??= make()) as T;
}

/** The caller's run. A callback of an output may be called in a later run: it has to use the run that it was made in. */
export function currentProgramRun(): ProgramRun {
  // A program that runs with mocks has no stack: each setMocks begins another run.
  const key = getStackResource() ?? getMonitor() ?? noStack;
  const run = runs.get(key) ?? { declaredObjects: new Map(), labels: new Map(), engineRun: joinEngineRun() };
  runs.set(key, run);
  return run;
}

function joinEngineRun(): EngineRun {
  const engine = getEngine() as { getChannel(): { getTarget(): string } } | undefined;
  const port = /:(\d+)$/.exec(engine?.getChannel().getTarget() ?? "")?.[1];
  return port === undefined ? singleProcessRun() : joinRun(Number(port), "program");
}
