/** Runs a Pulumi program without an engine: records what it registers, and answers as the provider would. */
import { getMonitor, setAllConfig, setMocks, type MockResourceArgs } from "@pulumi/pulumi/runtime";
import type { Output } from "@pulumi/pulumi/output";
import type { RegisterResourceRequest } from "@pulumi/pulumi/proto/resource_pb.js";
import { temporaryFolder } from "./folders";
import { registrationOf, type Registration } from "./native/engine";

const environment = process.env;
let registrations: Registration[];
let requests: RegisterResourceRequest[];

/** Call this once per file. Each test is one program, but they share the settings, which a program reads once. */
export function asProgram(config: Record<string, string>, { preview = false } = {}): void {
  beforeAll(() => {
    process.env = {};
    const values = Object.entries(config).map(([key, value]) => [`voiceplane:${key}`, value] as const);
    setAllConfig(Object.fromEntries(values), ["voiceplane:token"]);
    jest.spyOn(process, "cwd").mockReturnValue(temporaryFolder());
  });
  beforeEach(async () => {
    registrations = [];
    requests = [];
    await setMocks({ call: () => ({}), newResource: register }, "project", "stack", preview);
    const monitor = getMonitor() as unknown as {
      registerResource(request: RegisterResourceRequest, done: unknown): unknown;
    };
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

/** By the request to the engine, of which the SDK's mocks pass on only a part. The provider is its name, if it is an explicit one. */
function register({ type, name, inputs, provider = "" }: MockResourceArgs): { id: string; state: object } {
  const request = requests.find((each) => each.getType() === type && each.getName() === name);
  // That of an earlier test may arrive late.
  if (request) {
    registrations.push({
      ...registrationOf(request),
      inputs: inputs as Record<string, unknown>,
      provider: provider.split("::").at(-2) ?? "",
      retainOnDelete: request.getRetainondelete() ?? false,
    });
  }
  return { id: `${name}-id`, state: { ...(inputs as object), secret: `secret of ${name}` } };
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
