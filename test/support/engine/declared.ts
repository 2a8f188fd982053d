/** Programs for both providers, declared once: in YAML over the plugin, which as JavaScript are over the dynamic provider. */
import { join } from "node:path";
import { stringify } from "yaml";
import { resources } from "../../../src/resources/index";
import { seeded } from "../ids";
import { organizationConfig, projectYaml, sharedInstallation } from "./installation";

export const providers = ["dynamic", "native"] as const;
export type Provider = (typeof providers)[number];

const modules = { dynamic: "pulumi-voiceplane", native: "pulumi-voiceplane/native" };
const classes = [...Object.keys(resources), "Organization", "Provider", "listWebhooks"];

/** As in Pulumi.yaml. */
export interface YamlProgram {
  readonly config?: Readonly<Record<string, unknown>>;
  readonly resources?: Readonly<Record<string, unknown>>;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** @param type such as "RetentionPolicy" */
export const resource = (type: string, properties: object, options?: object) => ({
  type: `voiceplane:${type}`,
  properties,
  ...(options && { options }),
});

/** The policy for recordings. */
export const recordings = (retentionDays: number, more: object = {}, options?: object) =>
  resource("RetentionPolicy", { resource: "recordings", onCreate: "overwrite", retentionDays, ...more }, options);

/** The webhook "crm" of a new organization, which is rotated when it is created. */
export const crm = (more: object = {}, options?: object) =>
  resource("WebhookSecret", { webhookId: seeded.crm, onCreate: "rotate", ...more }, options);

/** A provider for the organization at this address. */
export const explicitProvider = (baseUrl: string, token?: string) => ({
  type: "pulumi:providers:voiceplane",
  properties: { baseUrl, ...(token !== undefined && { token: { "fn::secret": token } }) },
});

/** The files of a project with this program: in YAML, or in JavaScript after an import of the classes. */
export function filesOf(provider: Provider, program: YamlProgram | string): Record<string, string> {
  // The engine finds the plugin among the programs of the packages that are installed.
  const plugin = { name: "voiceplane", path: join(sharedInstallation(), "node_modules/.bin") };
  const overPlugin = { name: "test", plugins: { providers: [plugin] } };
  if (provider === "native" && typeof program !== "string") {
    const config = { ...program.config, ...organizationConfig };
    return { "Pulumi.yaml": stringify({ ...overPlugin, runtime: "yaml", ...program, config }) };
  }
  const runtime = { name: "nodejs", options: { typescript: false } };
  const native = { ...overPlugin, runtime, config: organizationConfig };
  const prelude = `const { ${classes.join(", ")} } = require("${modules[provider]}");\n`;
  return {
    "Pulumi.yaml": provider === "native" ? stringify(native) : projectYaml,
    "index.js": prelude + (typeof program === "string" ? program : inJavaScript(program)),
  };
}

interface Declared {
  readonly type: string;
  readonly properties?: object;
  readonly options?: object;
}

/** The same program in JavaScript: one line for each resource, in the same order. A resource has to be declared before those that name it. */
export function inJavaScript({ resources = {}, outputs = {} }: YamlProgram): string {
  const declared = Object.entries(resources).map(([name, resource]) => {
    const { type, properties = {}, options = {} } = resource as Declared;
    // "pulumi:providers:voiceplane" is the class Provider.
    const of = type.startsWith("pulumi:providers:") ? "Provider" : type.slice(type.lastIndexOf(":") + 1);
    return `$[${JSON.stringify(name)}] = new ${of}(${JSON.stringify(name)}, ${expression(properties)}, ${expression(options)});`;
  });
  const exported = Object.entries(outputs).map(
    ([name, value]) => `exports[${JSON.stringify(name)}] = ${expression(value)};`,
  );
  return ["const $ = {};", ...declared, ...exported, ""].join("\n");
}

function expression(value: unknown): string {
  const reference = typeof value === "string" ? /^\$\{([\w-]+)((?:\.\w+)*)\}$/.exec(value) : null;
  if (reference !== null) return `$[${JSON.stringify(reference[1])}]${reference[2] ?? ""}`;
  if (Array.isArray(value)) return `[${value.map(expression).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if ("fn::secret" in value) return `require("@pulumi/pulumi").secret(${expression(value["fn::secret"])})`;
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${expression(member)}`);
  return `{ ${members.join(", ")} }`;
}
