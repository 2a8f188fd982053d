/** Runs a Pulumi program without an engine: records what it registers, and answers as the provider would. */
import { mkdirSync, writeFileSync, copyFileSync } from "node:fs";
import { join } from "node:path";
import { getMonitor, setAllConfig, setMocks, type MockResourceArgs } from "@pulumi/pulumi/runtime";
import type { Output } from "@pulumi/pulumi/output";
import { temporaryFolder } from "./folders";

export interface Registration {
  type: string;
  name: string;
  inputs: Record<string, unknown>;
  /** The provider's name, if it is an explicit one. */
  provider: string | undefined;
  retainOnDelete: boolean;
  secretOutputs: string[];
  /** How long its creation may take. */
  createTimeout: string;
  /** The aliases that are not whole URNs: their types and names, where given. */
  aliases: { type?: string; name?: string }[];
}

/** The requests to the engine. The SDK's mocks pass on only a part of them. */
interface RegisterRequest {
  getType(): string;
  getName(): string;
  getRetainondelete(): boolean | undefined;
  getAdditionalsecretoutputsList(): string[];
  getCustomtimeouts(): { getCreate(): string } | undefined;
  getAliasesList(): { getSpec(): { getType(): string; getName(): string } | undefined }[];
}

const kinds = ["retention-policy", "network-policy", "trunk-outbound-auth", "webhook-secret"];
const environment = process.env;
let folder: string;
let registrations: Registration[];
let requests: RegisterRequest[];

/** A folder of a project. If the package is installed in it, it has only the manifest and empty provider files. */
function projectFolder(installs: boolean): string {
  const project = temporaryFolder();
  writeFileSync(join(project, "package.json"), '{"name":"program"}');
  if (!installs) return project;
  const installed = join(project, "node_modules/pulumi-voiceplane");
  mkdirSync(join(installed, "dist/provider/dynamic"), { recursive: true });
  copyFileSync(join(__dirname, "../../package.json"), join(installed, "package.json"));
  for (const kind of kinds) writeFileSync(join(installed, `dist/provider/dynamic/${kind}.js`), "");
  return project;
}

/** Call this once per file. Each test is one program, but they share the settings, which a program reads once. */
export function asProgram(config: Record<string, string>, { installed = true, preview = false } = {}): void {
  beforeAll(() => {
    process.env = {};
    const values = Object.entries(config).map(([key, value]) => [`voiceplane:${key}`, value] as const);
    setAllConfig(Object.fromEntries(values), ["voiceplane:token"]);
    folder = projectFolder(installed);
    jest.spyOn(process, "cwd").mockReturnValue(folder);
  });
  beforeEach(async () => {
    registrations = [];
    requests = [];
    await setMocks({ call: () => ({}), newResource: register }, "project", "stack", preview);
    const monitor = getMonitor() as unknown as { registerResource(request: RegisterRequest, done: unknown): unknown };
    const forward = monitor.registerResource.bind(monitor);
    jest.spyOn(monitor, "registerResource").mockImplementation((request, done) => {
      requests.push(request);
      return forward(request, done);
    });
  });
  afterAll(() => {
    process.env = environment;
    jest.restoreAllMocks();
  });
}

function register(args: MockResourceArgs): { id: string; state: Record<string, unknown> } {
  const request = requests.find((candidate) => candidate.getType() === args.type && candidate.getName() === args.name);
  registrations.push({
    type: args.type,
    name: args.name,
    inputs: args.inputs as Record<string, unknown>,
    provider: args.provider?.split("::").at(-2),
    retainOnDelete: request?.getRetainondelete() ?? false,
    secretOutputs: request?.getAdditionalsecretoutputsList() ?? [],
    createTimeout: request?.getCustomtimeouts()?.getCreate() ?? "",
    aliases: (request?.getAliasesList() ?? []).flatMap((alias) => {
      const spec = alias.getSpec();
      if (!spec) return [];
      const [type, name] = [spec.getType(), spec.getName()];
      return [{ ...(type && { type }), ...(name && { name }) }];
    }),
  });
  return { id: `${args.name}-id`, state: { ...(args.inputs as object), secret: `secret of ${args.name}` } };
}

/** What programs warn of without an engine. Call it in the test that expects something. */
export function warnings(): string[] {
  const seen: string[] = [];
  jest.spyOn(console, "warn").mockImplementation((text: string) => seen.push(text.replace("warning: [runtime] ", "")));
  return seen;
}

/** What is registered once all of `outputs` are known. */
export async function registered(...outputs: Output<unknown>[]): Promise<Registration[]> {
  for (const output of outputs) await valueOf(output);
  return registrations;
}

/** An output's value. Rejects with the error that made it fail. */
export function valueOf<T>(output: Output<T>): Promise<T> {
  return (output as unknown as { promise(): Promise<T> }).promise();
}

export function isSecret(output: Output<unknown>): Promise<boolean> {
  return (output as unknown as { isSecret: Promise<boolean> }).isSecret;
}
