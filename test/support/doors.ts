/**
 * Both providers behind one door, as the engine uses them: plain values go in, and what it keeps comes out, with its own marks. What the
 * dynamic provider's host does is done here: it takes the marks off, and adds the provider's text, which the classes register.
 */
import { startControlPlane, type ControlPlane } from "../../src/control-plane/index.js";
import { halfMadeIn, startPlugin } from "./native/plugin";
import type { Values } from "./native/wire";
import { freshRequests } from "./requests";
import type { ServiceError } from "@grpc/grpc-js";

export interface DoorOptions {
  /** Over the control plane, a token for everything, and the organization "acme". */
  readonly config?: Values;
  readonly env?: Record<string, string>;
}

/** How a verb failed, and what the engine keeps of its resource. */
export class VerbError extends Error {
  constructor(
    message: string,
    readonly kept: { readonly id: string; readonly reasons: string[]; readonly state: Values } | undefined,
  ) {
    super(message);
  }
}

export interface Door {
  readonly plane: ControlPlane;
  configure(config: Values): Promise<void>;
  check(type: string, news: Values, olds?: Values): Promise<{ inputs: Values; reasons: string[] }>;
  create(type: string, inputs: Values): Promise<{ id: string; state: Values }>;
  read(type: string, id: string, state: Values): Promise<Values>;
  update(type: string, id: string, state: Values, news: Values): Promise<Values>;
  delete(type: string, id: string, state: Values): Promise<void>;
  /** What a check makes of right arguments. */
  inputsOf(type: string, args: Values, olds?: Values): Promise<Values>;
  /** The requests since the last call, such as `PUT /v1/… {"enabled":true}`. */
  requests(): string[];
  /** What the user was told since the last call. */
  said(): string[];
}

type Verbs = Pick<Door, "configure" | "check" | "create" | "read" | "update" | "delete" | "said">;

function doorOf(plane: ControlPlane, verbs: Verbs): Door {
  return {
    ...verbs,
    plane,
    async inputsOf(type, args, olds) {
      const { inputs, reasons } = await verbs.check(type, args, olds);
      expect(reasons).toEqual([]);
      return inputs;
    },
    requests: freshRequests(() => plane.control),
  };
}

const settingsOf = (plane: ControlPlane, config: Values = {}): Values => ({
  ...{ baseUrl: plane.url, token: "vp_dev_full", organization: "acme" },
  ...config,
});

async function native({ config, env = {} }: DoorOptions): Promise<Door> {
  const plugin = await startPlugin({ configured: false, env });
  const configure = async (settings: Values) => {
    await plugin.configure(settings);
  };
  await configure(settingsOf(plugin.plane, config));
  const failing = async <T>(running: Promise<T>): Promise<T> =>
    running.catch((error: unknown) => {
      throw new VerbError((error as ServiceError).details, halfMadeIn(error as ServiceError));
    });
  return doorOf(plugin.plane, {
    configure,
    check: async (type, news, olds) => plugin.check(type, news, { olds: olds ?? {} }),
    create: (type, inputs) => failing(plugin.create(type, inputs)),
    read: async (type, id, state) =>
      (await failing(plugin.read(type, id, state, { organization: "acme" }))).state ?? {},
    update: (type, id, state, news) => failing(plugin.update(type, id, state, news)),
    delete: (type, id, state) => failing(plugin.delete(type, id, state)),
    said: () => plugin.engine.messages.splice(0).map(({ message }) => message),
  });
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

const kinds: Readonly<Record<string, string>> = {
  RetentionPolicy: "retention-policy",
  NetworkPolicy: "network-policy",
  TrunkOutboundAuth: "trunk-outbound-auth",
  WebhookSecret: "webhook-secret",
};

/** By the frozen module, which must be its own exports, because the frozen text calls `require`. */
export function dynamicProviderOf(kind: string): DynamicProvider {
  // eslint-disable-next-line @typescript-eslint/no-require-imports
  return require(`../../src/provider/dynamic/${kind}`) as DynamicProvider;
}

export const providerText = (kind: string) => `exports.handler=()=>require("pulumi-voiceplane/dynamic/${kind}")`;

/** The value without any mark. */
function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== "object" || value === null) return value;
  if ("4dabf18193072939515e22adb298388d" in value) return plain((value as Values).value);
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
}

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function dynamic({ config, env = {} }: DoorOptions): Promise<Door> {
  const plane = await startControlPlane();
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
  cleanups.push(async () => {
    process.env = before;
    info.mockRestore();
    warn.mockRestore();
    await plane.close();
  });
  const providerOf = (type: string): DynamicProvider => {
    const provider = providers.get(type);
    if (!provider) throw new Error(`no provider of ${type}`);
    return provider;
  };
  const configure = async (settings: Values): Promise<void> => {
    const get = (key: string) => settings[key.replace("voiceplane:", "")] as string | undefined;
    for (const provider of providers.values())
      await provider.configure({ config: { get, require: (key) => get(key) ?? "" } });
  };
  await configure(settingsOf(plane, config));
  const given = (type: string, values: Values): Values => ({
    ...(plain(values) as Values),
    __provider: providerText(kinds[type] ?? ""),
  });
  const failing = async <T>(type: string, running: Promise<T>): Promise<T> =>
    running.catch((error: unknown) => {
      const { message, id, reasons, properties } = error as VerbError & { id?: string; reasons: string[]; properties: Values }; // prettier-ignore
      if (id === undefined) throw new VerbError(message, undefined);
      const { __provider, ...state } = properties;
      expect(__provider).toBe(providerText(kinds[type] ?? ""));
      throw new VerbError(message, { id, reasons, state });
    });
  return doorOf(plane, {
    configure,
    async check(type, news, olds = {}) {
      const { inputs, failures } = await providerOf(type).check(plain(olds) as Values, given(type, news));
      const reasons = failures.map(({ property, reason }) => (property === "" ? reason : `${property}: ${reason}`));
      return { inputs, reasons };
    },
    async create(type, inputs) {
      const { id, outs } = await failing(type, providerOf(type).create(given(type, inputs)));
      return { id, state: outs };
    },
    async read(type, id, state) {
      const { __provider, ...props } = (await failing(type, providerOf(type).read(id, given(type, state)))).props ?? {};
      return props;
    },
    update: async (type, id, state, news) =>
      (await failing(type, providerOf(type).update(id, given(type, state), given(type, news)))).outs,
    delete: (type, id, state) => failing(type, providerOf(type).delete(id, given(type, state))),
    said: () => said.splice(0),
  });
}

/** Opens a door: a provider in a process of its own, which talks to a control plane of its own. */
export const doors: readonly (readonly [provider: string, open: (options?: DoorOptions) => Promise<Door>])[] = [
  ["dynamic", (options = {}) => dynamic(options)],
  ["native", (options = {}) => native(options)],
];
