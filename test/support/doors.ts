/**
 * Both providers behind one door, as the engine uses them: plain values go in, and what it keeps comes out, with its own marks. What the
 * dynamic provider's host does is done here: it takes the marks off, and adds the provider's text, which the classes register.
 */
import type { ControlPlane } from "../../src/control-plane/index.js";
import { resources } from "../../src/resources/index.js";
import { afterTest } from "./after-test";
import { failureOf } from "./client/setup";
import { controlPlane, freshRequests } from "./control-plane";
import { settingsOf, startPlugin } from "./native/plugin";
import { checkedBy, unmarked, type Checked, type Values } from "./native/wire";

interface DoorOptions {
  /** Over the control plane, a token for everything, and the organization "acme". */
  readonly config?: Values;
  readonly env?: Record<string, string>;
}

/** What the engine keeps of a resource whose verb has failed. */
export interface Kept {
  readonly id: string;
  readonly reasons: string[];
  readonly state: Values;
}

export interface Failure {
  readonly message: string;
  readonly kept: Kept | undefined;
}

export interface Door {
  readonly plane: ControlPlane;
  configure(config: Values): Promise<unknown>;
  check(type: string, news: Values, olds?: Values, name?: string): Promise<Checked>;
  create(type: string, inputs: Values): Promise<{ id: string; state: Values }>;
  read(type: string, id: string, state: Values): Promise<{ state: Values }>;
  update(type: string, id: string, state: Values, news: Values): Promise<Values>;
  delete(type: string, id: string, state: Values): Promise<void>;
  /** The failure of a verb, which has to fail. */
  failureOf(verb: Promise<unknown>): Promise<Failure>;
  /** The inputs that a check makes of arguments, which have to be right. */
  inputsOf(type: string, args: Values, olds?: Values): Promise<Values>;
  /** The requests since the last call, such as `PUT /v1/… {"enabled":true}`. */
  requests(): string[];
  /** What the user was told since the last call. */
  said(): string[];
}

/** The verbs, as the engine's host calls them without types. */
export interface DynamicProvider {
  configure(request: { config: { get(key: string): string | undefined; require(key: string): string } }): Promise<void>;
  check(olds: Values, news: Values): Promise<{ inputs: Values; failures: { property: string; reason: string }[] }>;
  diff(id: string, olds: Values, news: Values): Promise<Values>;
  create(inputs: Values): Promise<{ id: string; outs: Values }>;
  read(id: string, state: Values): Promise<{ id?: string; props?: Values }>;
  update(id: string, olds: Values, news: Values): Promise<{ outs: Values }>;
  delete(id: string, state: Values): Promise<void>;
}

const kinds: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(resources).map(([type, { path }]) => [type, path]),
);

/** By the frozen module, which must be its own exports, because the frozen text calls `require`. */
export function dynamicProviderOf(kind: string): DynamicProvider {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require(`../../src/provider/dynamic/${kind}`) as DynamicProvider;
}

export const providerText = (kind: string) => `exports.handler=()=>require("pulumi-voiceplane/dynamic/${kind}")`;

/** Configures it as the host does, with keys of the stack's configuration. */
export const configured = (provider: DynamicProvider, config: Values): Promise<void> => {
  const get = (key: string) => config[key.replace("voiceplane:", "")] as string | undefined;
  return provider.configure({ config: { get, require: (key) => get(key) ?? "" } });
};

/** The error of a dynamic provider's verb, from which the host reads what is to be kept. */
type DynamicError = Error & { readonly id?: string; readonly reasons: string[]; readonly properties: Values };

export const errorOf = async (verb: Promise<unknown>): Promise<DynamicError> =>
  (await failureOf(verb, Error)) as DynamicError;

async function dynamic({ config, env = {} }: DoorOptions = {}): Promise<Door> {
  const plane = await controlPlane();
  const before = process.env;
  process.env = env;
  // The declared objects and the clients last as long as a provider's process.
  const providers = new Map<string, DynamicProvider>();
  jest.isolateModules(() => {
    for (const [type, kind] of Object.entries(kinds)) providers.set(type, dynamicProviderOf(kind));
  });
  const said: string[] = [];
  const note = (text: string) => void said.push(text.replace(/^(warning: )?voiceplane: /, ""));
  const info = jest.spyOn(console, "info").mockImplementation(note);
  const warn = jest.spyOn(console, "warn").mockImplementation(note);
  afterTest(() => {
    process.env = before;
    info.mockRestore();
    warn.mockRestore();
  });
  const providerOf = (type: string): DynamicProvider => {
    const provider = providers.get(type);
    if (!provider) throw new Error(`no provider of ${type}`);
    return provider;
  };
  const given = (type: string, values: Values): Values => ({
    ...(unmarked(values) as Values),
    __provider: providerText(kinds[type] ?? ""),
  });
  const door: Door = {
    plane,
    async configure(settings) {
      for (const provider of providers.values()) await configured(provider, settings);
    },
    async check(type, news, olds = {}, name = "it") {
      const declared = { ...given(type, news), __declaredAs: name };
      const { inputs, failures } = await providerOf(type).check(unmarked(olds) as Values, declared);
      return checkedBy(inputs, failures);
    },
    async create(type, inputs) {
      const { id, outs } = await providerOf(type).create(given(type, inputs));
      return { id, state: outs };
    },
    async read(type, id, state) {
      const { __provider, ...props } = (await providerOf(type).read(id, given(type, state))).props ?? {};
      return { state: props };
    },
    async update(type, id, state, news) {
      return (await providerOf(type).update(id, given(type, state), given(type, news))).outs;
    },
    delete: (type, id, state) => providerOf(type).delete(id, given(type, state)),
    async failureOf(verb) {
      const { message, id, reasons, properties } = await errorOf(verb);
      if (id === undefined) return { message, kept: undefined };
      const { __provider, ...state } = properties;
      expect(__provider).toMatch(/^exports\.handler=\(\)=>require\("pulumi-voiceplane\/dynamic\/[a-z-]+"\)$/);
      return { message, kept: { id, reasons, state } };
    },
    async inputsOf(type, args, olds) {
      const { inputs, reasons } = await door.check(type, args, olds);
      expect(reasons).toEqual([]);
      return inputs;
    },
    requests: freshRequests(() => plane.control),
    said: () => said.splice(0),
  };
  await door.configure(settingsOf(plane, config));
  return door;
}

/** Opens a door: a provider in a process of its own, which talks to a control plane of its own. */
export const doors: readonly (readonly [provider: string, open: (options?: DoorOptions) => Promise<Door>])[] = [
  ["dynamic", dynamic],
  ["native", startPlugin],
];
