/** What a registration notes of the call stack, and that the limit of stack traces stays the program's own. */
import { RunError } from "@pulumi/pulumi/errors";
import { ComponentResource } from "@pulumi/pulumi/resource";
import { getMonitor } from "@pulumi/pulumi/runtime";
import { NetworkPolicy, RetentionPolicy, TrunkOutboundAuth, WebhookSecret } from "../../../src/program/index.js";
import { withoutStackTraces } from "../../../src/program/stack-frames.js";
import { asProgram, registered } from "../../support/program.js";

asProgram({ baseUrl: "https://api.example.com", token: "canary-token" });

interface Frame {
  getPc(): { getUri(): string; getLine(): number } | undefined;
}
interface Request {
  getName(): string;
  getSourceposition(): { getUri(): string; getLine(): number } | undefined;
  getStacktrace(): { getFramesList(): Frame[] } | undefined;
}

const noted = new Map<string, { source: string; frames: string[] }>();

beforeEach(() => {
  noted.clear();
  const monitor = getMonitor() as unknown as { registerResource(request: Request, done: unknown): unknown };
  const forward = monitor.registerResource.bind(monitor);
  monitor.registerResource = (request, done) => {
    const place = (position: { getUri(): string; getLine(): number } | undefined) =>
      position === undefined ? "" : `${position.getUri().split("/").at(-1) ?? ""}:${position.getLine()}`;
    noted.set(request.getName(), {
      source: place(request.getSourceposition()),
      frames: (request.getStacktrace()?.getFramesList() ?? []).map((frame) => place(frame.getPc())),
    });
    return forward(request, done);
  };
});

/** The line of this file that calls it. */
const line = () => Number(/stack-frames\.test\.ts:(\d+)/.exec(new Error().stack?.split("\n")[2] ?? "")?.[1]);
const file = "stack-frames.test.ts";

test("each class notes the line that declares the resource, and no other frame", async () => {
  const first = line() + 2;
  const all = [
    new RetentionPolicy("r", { resource: "recordings", retentionDays: 90 }),
    new NetworkPolicy("n", { networkPolicyId: "n-1", name: "HQ" }),
    new TrunkOutboundAuth("t", { trunkId: "t-1", cleared: true }),
    new WebhookSecret("w", { webhookId: "w-1", onCreate: "rotate" }),
  ];
  await registered(...all.map((resource) => resource.urn));
  expect(Object.fromEntries(noted)).toEqual(
    Object.fromEntries(
      ["r", "n", "t", "w"].map((name, index) => {
        const place = `${file}:${first + index}`;
        return [name, { source: place, frames: [place] }];
      }),
    ),
  );
});

test("the limit of stack traces is the program's own again after a declaration, and after one that fails", () => {
  const own = Error.stackTraceLimit;
  try {
    Error.stackTraceLimit = 7;
    new RetentionPolicy("limit", { resource: "recordings", retentionDays: 90 });
    expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toMatchObject({ value: 7, writable: true });
    const parent: unknown = { __transformations: [], getProvider: () => undefined };
    const wrongParent = { parent: parent as ComponentResource };
    const start = line();
    let failure: unknown;
    try {
      new NetworkPolicy("fails", { networkPolicyId: "n-2", name: "HQ" }, wrongParent);
    } catch (error) {
      failure = error;
    }
    expect(failure).toMatchObject({
      message: expect.stringContaining("Resource parent is not a valid Resource") as string,
    });
    // The user's own line.
    expect((failure as Error).stack).toContain(`${file}:${start + 3}:`);
    expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toMatchObject({ value: 7, writable: true });
  } finally {
    Error.stackTraceLimit = own;
  }
});

test("the program's transformations have their own limit, on the resource and on its parent", async () => {
  const frames: number[] = [];
  const transformation = () => {
    frames.push(new Error().stack?.split("\n").length ?? 0);
    return undefined;
  };
  const parent = new ComponentResource("test:index:Parent", "parent", {}, { transformations: [transformation] });
  const all = [
    new NetworkPolicy("child", { networkPolicyId: "n-3", name: "HQ" }, { parent }),
    new NetworkPolicy("own", { networkPolicyId: "n-4", name: "HQ" }, { transformations: [transformation] }),
  ];
  await registered(...all.map((resource) => resource.urn));
  expect(frames).toHaveLength(3);
  expect(Math.min(...frames)).toBeGreaterThan(6);
  expect(noted.get("own")?.source).toMatch(file);
});

test("a limit that the program has fixed is left as it is, and the resource is registered", async () => {
  const own = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") ?? {};
  try {
    const fixed = { configurable: true, get: () => 3, set: () => undefined };
    Object.defineProperty(Error, "stackTraceLimit", fixed);
    const policy = new TrunkOutboundAuth("fixed", { trunkId: "t-2", cleared: true });
    expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toMatchObject(fixed);
    await registered(policy.urn);
  } finally {
    Object.defineProperty(Error, "stackTraceLimit", own);
  }
  expect([...noted.keys()]).toEqual(["fixed"]);
});

test("without stack traces, a registration notes no frame, an error keeps its message, and the limit stays 0", async () => {
  const own = Error.stackTraceLimit;
  process.env.PULUMI_NODEJS_MONITOR = "127.0.0.1:1";
  try {
    const policy = withoutStackTraces(() => new NetworkPolicy("silent", { networkPolicyId: "n-5", name: "HQ" }));
    const limit = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
    expect(limit).toMatchObject({ value: 0, writable: true });
    await registered(policy.urn);
    expect(noted.get("silent")).toEqual({ source: "", frames: [] });
    const failing = () => {
      throw new RunError("a message");
    };
    expect(() => withoutStackTraces(failing)).toThrow("a message");
    expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toEqual(limit);
  } finally {
    Error.stackTraceLimit = own;
    delete process.env.PULUMI_NODEJS_MONITOR;
  }
});

test("in a process of the user's, the limit is the user's own again", async () => {
  const own = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit");
  const policy = withoutStackTraces(() => new NetworkPolicy("inline", { networkPolicyId: "n-7", name: "HQ" }));
  expect(Object.getOwnPropertyDescriptor(Error, "stackTraceLimit")).toEqual(own);
  await registered(policy.urn);
  expect(noted.get("inline")).toEqual({ source: "", frames: [] });
});

test("VOICEPLANE_DEBUG=1 keeps the stack traces, of a stack without code and of the classes", async () => {
  process.env.VOICEPLANE_DEBUG = "1";
  try {
    const own = Error.stackTraceLimit;
    const declare = () => new NetworkPolicy("debugged", { networkPolicyId: "n-6", name: "HQ" });
    const policy = withoutStackTraces(declare);
    expect(Error.stackTraceLimit).toBe(own);
    await registered(policy.urn);
    expect(noted.get("debugged")?.source).toMatch(file);
    expect(noted.get("debugged")?.frames.length).toBeGreaterThan(1);
  } finally {
    delete process.env.VOICEPLANE_DEBUG;
  }
});
