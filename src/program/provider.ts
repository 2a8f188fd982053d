import { RunError } from "@pulumi/pulumi/errors";
import { secret, type Input, type Output, output } from "@pulumi/pulumi/output";
import { ProviderResource, type ResourceOptions } from "@pulumi/pulumi/resource";
import { dynamicEngineProvider, type EngineProvider } from "./engine-provider.js";
import { providerNameProblem, readSettings, type ProviderSettings } from "../provider/settings.js";
import { diagnosticText, problem } from "../values/diagnostic.js";
import { isDefaultProvider } from "../values/engine.js";

/** Where another organization is, and its token. @category Organizations */
export interface ProviderArgs {
  /** Where the organization's control plane is, such as `"https://api.example.com"`; a path is kept. */
  baseUrl: Input<string>;
  /**
   * The organization's API token; kept as a secret. Default: the environment variable `VOICEPLANE_TOKEN_<NAME>`, which wins
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
 * The name is the organization's name: lower-case letters, digits and hyphens. It is part of the identity of all objects
 * managed through it, so keep it; and it names the variable that overrides the token: "eu-west" reads
 * `VOICEPLANE_TOKEN_EU_WEST`, never `VOICEPLANE_TOKEN`.
 *
 * Errors, at the first preview of a resource: no token; an address or a token that cannot be right.
 *
 * @example
 *
 * ```ts
 * import { Provider, RetentionPolicy } from "pulumi-voiceplane";
 *
 * const eu = new Provider("eu", { baseUrl: "https://eu.example.com" }); // the token is in VOICEPLANE_TOKEN_EU
 * new RetentionPolicy("eu-recordings", { resource: "recordings", onCreate: "overwrite", retentionDays: 30 }, { provider: eu });
 * ```
 *
 * @category Organizations
 */
export class Provider extends ProviderResource {
  /** @internal */
  static readonly engineProvider: EngineProvider = dynamicEngineProvider;
  /** The organization's name in previews and state: this provider's own name. */
  readonly organization: string;
  readonly #settings: Output<ProviderSettings>;

  /**
   * Declares the provider. It sends nothing.
   *
   * @param name The organization's name.
   * @param args Where it is, and its token.
   * @param opts The engine's options.
   * @throws RunError if the name is not valid.
   */
  constructor(name: string, args: ProviderArgs, opts?: ResourceOptions) {
    const wrong = isDefaultProvider(name) ? defaultName : providerNameProblem(name);
    if (wrong !== undefined) throw new RunError(diagnosticText(wrong));
    const token = args.token === undefined ? undefined : secret(args.token);
    // A program without type checking may give a text, which the provider judges.
    const allowInsecureHttp = output(args.allowInsecureHttp).apply((allow) => {
      const text = String(allow ?? false);
      return text === "false" ? undefined : text;
    });
    const { engineProvider } = new.target;
    const given = { baseUrl: args.baseUrl, token, allowInsecureHttp };
    super(engineProvider.package, name, engineProvider.providerInputs(name, given), opts);
    this.organization = name;
    this.#settings = output(given).apply((known) => {
      const all = { ...known, providerName: name, organization: undefined };
      return readSettings((key) => all[key], process.env);
    });
  }

  /** The settings, which only this package reads. @internal */
  get settings(): Output<ProviderSettings> {
    return this.#settings;
  }
}

/** The engine gives its own provider such a name, and an explicit one would get that one's token and address. */
const defaultName = problem(
  "provider-name",
  "a Provider of your own cannot be called default, as the engine calls the stack's: give it the name of its organization",
);
