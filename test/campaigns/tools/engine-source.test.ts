import { once } from "node:events";
import { spawn } from "node:child_process";
import { accessSync, constants, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import path from "node:path";
import { createInterface } from "node:readline";
import { credentials, type ServiceError } from "@grpc/grpc-js";
import { AnalyzerClient } from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import {
  AnalyzeRequest,
  AnalyzerHandshakeRequest,
  AnalyzerResourceOptions,
  AnalyzerStackConfigureRequest,
  type AnalyzeResponse,
  type AnalyzerInfo,
} from "@pulumi/pulumi/proto/analyzer_pb.js";
import { Empty } from "google-protobuf/google/protobuf/empty_pb.js";
import { Struct } from "google-protobuf/google/protobuf/struct_pb.js";
import {
  InstallDependenciesRequest,
  ProgramInfo,
  RunPluginRequest,
  type InstallDependenciesResponse,
  type RunPluginResponse,
} from "@pulumi/pulumi/proto/language_pb.js";
import { LanguageRuntimeClient } from "@pulumi/pulumi/proto/language_grpc_pb.js";
import { listen } from "../../support/listen.js";
import {
  engineScript,
  evaluate,
  root,
  scripts,
  startNode,
  temporaryFolder,
  type ProcessResult,
} from "../../support/tools.js";

/** A `go` that records its arguments and "compiles" scripts into the folder after -o. */
const compiler = `
if [ "$1" = env ]; then printf 'go1.26.0\\nplan9\\nmips\\n'; exit 0; fi
echo "$CGO_ENABLED $GOWORK $GOFLAGS $GOOS $GOARCH $GOPROXY $*" >> "$GO_CALLS"
while [ "$1" != -o ]; do shift; done
for name in pulumi pulumi-language-yaml pulumi-converter-yaml; do
  printf "#!/bin/sh\\necho \${BUILT:-v3.259.0}\\n" > "$2$name"; chmod +x "$2$name"
done`;

interface Machine {
  calls: string;
  cache: string;
  get: () => Promise<ProcessResult>;
  getSdkGenerator: () => Promise<ProcessResult>;
}

/** A machine with this `go`, where no site is reachable. */
function machine(go: string, more: Record<string, string> = {}): Machine {
  const cache = temporaryFolder();
  const calls = path.join(temporaryFolder(), "calls");
  const env = {
    PATH: `${scripts({ go })}:/usr/bin:/bin`,
    GO_CALLS: calls,
    XDG_CACHE_HOME: cache,
    HOME: cache,
    HTTPS_PROXY: "http://127.0.0.1:9",
    ...more,
  };
  const program = path.join(root, "tools/engine/program.mjs");
  return {
    calls,
    cache,
    get: () => startNode([engineScript], env).ended,
    getSdkGenerator: () => startNode([program, "sdks"], env).ended,
  };
}

test("the CLI is built once, next to the language hosts and the plugin for dynamic resources", async () => {
  const { calls, get } = machine(compiler);
  const first = await get();
  const folder = first.stdout.trim();
  expect(readdirSync(folder).sort()).toEqual([
    "pulumi",
    "pulumi-converter-yaml",
    "pulumi-language-nodejs",
    "pulumi-language-yaml",
    "pulumi-resource-pulumi-nodejs",
  ]);
  for (const name of readdirSync(folder)) accessSync(path.join(folder, name), constants.X_OK);

  expect(await get()).toEqual({ code: 0, stdout: `${folder}\n`, stderr: "" });
  expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual([
    expect.stringMatching(
      /^0 off -mod=readonly plan9 mips {2}build -v -trimpath -ldflags -s -w -X \S+\/version\.Version=v3\.259\.0 -o \S+\/ github\.com\/pulumi\/pulumi\/pkg\/v3\/cmd\/pulumi github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-language-yaml github\.com\/pulumi\/pulumi-yaml\/cmd\/pulumi-converter-yaml$/,
    ),
  ]);
});

test("the build is for this machine, whatever the user's build settings are, with the user's module sources", async () => {
  const users = {
    GOFLAGS: "-mod=vendor",
    GOOS: "windows",
    GOARCH: "wasm",
    GOWORK: "/work",
    GOPROXY: "https://go.example.com",
  };
  const { calls, get } = machine(compiler, users);
  expect((await get()).code).toBe(0);
  expect(readFileSync(calls, "utf8")).toMatch(/^0 off -mod=readonly plan9 mips https:\/\/go\.example\.com build /);
});

test("a build with another version is deleted", async () => {
  const { get, cache } = machine(compiler, { BUILT: "v3.1.0" });
  expect((await get()).stderr).toContain("a build from source: go has built pulumi v3.1.0");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

/** Starts the language host from the cache, in a folder without node_modules, as the engine does. */
async function startLanguageHost() {
  const engine = (await machine(compiler).get()).stdout.trim();
  return spawn(process.execPath, [path.join(engine, "pulumi-language-nodejs"), "127.0.0.1:1"], {
    cwd: temporaryFolder(),
    stdio: ["pipe", "pipe", "inherit"],
  });
}

async function withLanguageHost(use: (client: LanguageRuntimeClient) => Promise<void>): Promise<void> {
  const host = await startLanguageHost();
  try {
    const [port] = (await once(createInterface(host.stdout), "line")) as [string];
    const client = new LanguageRuntimeClient(`127.0.0.1:${port}`, credentials.createInsecure());
    await use(client);
    client.close();
  } finally {
    host.kill();
  }
}

test("the language host runs alone and reports the SDK version that it supports", async () => {
  await withLanguageHost(async (client) => {
    const version = await new Promise<string>((resolve, reject) => {
      client.getPluginInfo(new Empty(), (error, info) => {
        if (error) reject(error);
        else resolve(info.getVersion());
      });
    });
    const sdk = JSON.parse(readFileSync(require.resolve("@pulumi/pulumi/package.json"), "utf8")) as { version: string };
    expect(version).toBe(sdk.version);
  });
});

test("a failed installation ends with an error, after the package manager's output", async () => {
  const folder = temporaryFolder();
  const options = Struct.fromJavaScript({
    packagemanager: path.join(scripts({ manager: "echo sorry; exit 4" }), "manager"),
  });
  const request = new InstallDependenciesRequest().setDirectory(folder).setInfo(new ProgramInfo().setOptions(options));
  await withLanguageHost(async (client) => {
    const stream = client.installDependencies(request);
    const output: string[] = [];
    stream.on("data", (chunk: InstallDependenciesResponse) => {
      output.push(Buffer.from(chunk.getStdout_asU8()).toString());
    });
    const [error] = (await once(stream, "error")) as [Error];
    expect(error.message).toContain(`in ${folder} ended with exit code 4`);
    expect(output.join("")).toBe("sorry\n");
  });
});

test("the language host ends with its engine, also with one that had ended before the host listened", async () => {
  const early = await startLanguageHost();
  early.stdin.end();
  expect(await once(early, "close")).toEqual([1, null]);

  const late = await startLanguageHost();
  await once(createInterface(late.stdout), "line");
  late.stdin.end();
  expect(await once(late, "close")).toEqual([1, null]);
});

/** What a plugin writes, and its error. */
async function outcome(client: LanguageRuntimeClient, request: RunPluginRequest): Promise<[string, string, string]> {
  const stream = client.runPlugin(request);
  const output = { stdout: "", stderr: "" };
  stream.on("data", (chunk: RunPluginResponse) => {
    output.stdout += Buffer.from(chunk.getStdout_asU8()).toString();
    output.stderr += Buffer.from(chunk.getStderr_asU8()).toString();
  });
  const error = await Promise.race([
    once(stream, "error").then(([error]) => (error as ServiceError).details),
    once(stream, "end").then(() => ""),
  ]);
  return [output.stdout, output.stderr, error];
}

test("a plugin that is a program runs with the engine's arguments and environment, and its exit code is reported", async () => {
  const folder = temporaryFolder();
  const runner = path.join(folder, "node_modules/@pulumi/pulumi/cmd/run-plugin");
  mkdirSync(runner, { recursive: true });
  const program = `const { MARK, PULUMI_NODEJS_TYPESCRIPT, HOME } = process.env;
    console.log([process.cwd(), ...process.argv.slice(2), MARK, PULUMI_NODEJS_TYPESCRIPT, HOME].join(" "));
    console.error("sorry");
    process.exitCode = Number(MARK);`;
  writeFileSync(path.join(runner, "index.js"), program);
  const cwd = temporaryFolder();
  const request = (code: string, options: object) =>
    new RunPluginRequest()
      .setKind("resource")
      .setInfo(new ProgramInfo().setProgramDirectory(folder).setOptions(Struct.fromJavaScript({ ...options })))
      .setPwd(cwd)
      .setArgsList(["127.0.0.1:1", "--flag"])
      .setEnvList(["MARK=twice", "HOME=/a=b", `MARK=${code}`]);
  await withLanguageHost(async (client) => {
    const said = `${cwd} ${folder} 127.0.0.1:1 --flag`;
    expect(await outcome(client, request("0", {}))).toEqual([`${said} 0 true /a=b\n`, "sorry\n", ""]);
    const failed = await outcome(client, request("3", { typescript: false }));
    expect(failed).toEqual([`${said} 3  /a=b\n`, "sorry\n", "the plugin ended with exit code 3"]);
  });
});

test("a policy pack that cannot start is an error that says why", async () => {
  const folder = temporaryFolder();
  const request = new RunPluginRequest().setKind("analyzer").setInfo(new ProgramInfo().setProgramDirectory(folder));
  await withLanguageHost(async (client) => {
    const message = `@pulumi/pulumi is not installed in ${folder}. Run "npm install" there (or "pulumi install").`;
    expect(await outcome(client, request)).toEqual(["", "", message]);
  });
});

test("a policy pack knows the stack's name and configuration, runs in its own folder, and ends with the call", async () => {
  // The pack connects to it, so that its end is noticed.
  const witness = createServer().unref();
  const connected = once(witness, "connection") as Promise<[Socket]>;
  const port = await listen(witness);
  const folder = temporaryFolder();
  symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  writeFileSync(path.join(folder, "package.json"), '{ "version": "1.0.0" }');
  const program = `const pulumi = require("@pulumi/pulumi");
    const { PolicyPack } = require("@pulumi/policy");
    const validateResource = (args, report) => (console.log("looking"), report)(JSON.stringify([
      pulumi.getOrganization(), pulumi.getProject(), pulumi.getStack(), new pulumi.Config("ns").get("key"),
      pulumi.runtime.isDryRun(), args.stackTags.get("team"), process.cwd(),
    ]));
    require("node:net").connect(Number(process.env.WITNESS)).on("error", () => {});
    new PolicyPack("it", { policies: [{ name: "tell", description: "What it sees.", validateResource }] });
`;
  writeFileSync(path.join(folder, "index.js"), program);
  const request = new RunPluginRequest()
    .setKind("analyzer")
    .setInfo(new ProgramInfo().setProgramDirectory(folder))
    .setArgsList(["127.0.0.1:1"])
    .setEnvList([`PATH=${String(process.env.PATH)}`, `WITNESS=${port}`]);
  await withLanguageHost(async (client) => {
    const stream = client.runPlugin(request);
    stream.on("error", () => undefined); // It is cancelled below.
    const [first] = (await once(stream, "data")) as [RunPluginResponse];
    const port = Buffer.from(first.getStdout_asU8()).toString().trim();
    const pack = new AnalyzerClient(`127.0.0.1:${port}`, credentials.createInsecure());
    const call = <T>(send: (done: (error: ServiceError | null, answer: T) => void) => unknown) =>
      new Promise<T>((resolve, reject) => {
        send((error, answer) => {
          if (error) reject(error);
          else resolve(answer);
        });
      });

    await call((done) => pack.handshake(new AnalyzerHandshakeRequest().setEngineAddress("127.0.0.1:1"), done));
    const stack = new AnalyzerStackConfigureRequest()
      .setOrganization("acme")
      .setProject("voice")
      .setStack("dev")
      .setDryRun(true);
    stack.getConfigMap().set("ns:key", "value");
    stack.getTagsMap().set("team", "sip");
    await call((done) => pack.configureStack(stack, done));
    const info = await call<AnalyzerInfo>((done) => pack.getAnalyzerInfo(new Empty(), done));
    expect(info.getPoliciesList().map((policy) => policy.getName())).toEqual(["tell"]);

    const resource = new AnalyzeRequest().setType("a:b:C").setOptions(new AnalyzerResourceOptions());
    const written = once(stream, "data") as Promise<[RunPluginResponse]>;
    const answer = await call<AnalyzeResponse>((done) => pack.analyze(resource.setProperties(new Struct()), done));
    const message = answer.getDiagnosticsList()[0]?.getMessage() ?? "";
    const seen = JSON.parse(message.split("\n").at(-1) ?? "") as unknown;
    expect(seen).toEqual(["acme", "voice", "dev", "value", true, "sip", folder]);
    expect(Buffer.from((await written)[0].getStdout_asU8()).toString()).toBe("looking\n");

    const [socket] = await connected;
    const gone = once(socket.resume(), "close");
    stream.cancel();
    await gone;
    pack.close();
  });
});

test("a Go version that cannot fetch a newer one is reported", async () => {
  const { get, cache } = machine("echo go1.20.3");
  expect((await get()).stderr).toContain("a build from source: go1.20.3 is too old, 1.21 is needed");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("a failed build shows go's output and leaves nothing behind", async () => {
  const { get, cache } = machine('[ "$1" = env ] && echo go1.26.0 && exit 0; echo "no space left" >&2; exit 1');
  const { code, stderr } = await get();
  expect(code).toBe(1);
  expect(stderr).toContain("go build failed:\nno space left");
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("the program that writes SDKs is built once, from the same modules, and not beside an engine", async () => {
  const { calls, cache, getSdkGenerator } = machine(compiler);
  const first = await getSdkGenerator();
  const [name = ""] = readdirSync(path.join(cache, "voiceplane/engine"));
  expect(name).toMatch(/^sdks-3\.259\.0-/);
  expect(first).toEqual({ code: 0, stdout: `${path.join(cache, "voiceplane/engine", name, "sdks")}\n`, stderr: "" });
  expect(await getSdkGenerator()).toEqual(first);
  expect(readFileSync(calls, "utf8")).toMatch(/^0 off -mod=readonly plan9 mips {2}build -v .* \.\/sdks\n$/);
});

test.each([
  [2, "echo go1.20.3", "go1.20.3 is too old, 1.21 is needed"],
  [
    2,
    '[ "$1" = env ] && echo go1.26.0 && exit 0; echo "Get https://proxy: dial tcp: no route" >&2; exit 1',
    "dial tcp: no route",
  ],
  [
    1,
    '[ "$1" = env ] && echo go1.26.0 && exit 0; echo "undefined: schema.BindSpec" >&2; exit 1',
    "undefined: schema.BindSpec",
  ],
])("it exits with %i where go is `%s`", async (code, go, message) => {
  const { getSdkGenerator, cache } = machine(go);
  const result = await getSdkGenerator();
  expect([result.code, result.stdout]).toEqual([code, ""]);
  expect(result.stderr).toContain(message);
  expect(readdirSync(path.join(cache, "voiceplane/engine"))).toEqual([]);
});

test("the language host finds nested, scoped and hoisted resource packages, and no others", async () => {
  const folder = temporaryFolder();
  const add = (where: string, manifest: object) => {
    mkdirSync(path.join(folder, where), { recursive: true });
    writeFileSync(path.join(folder, where, "package.json"), JSON.stringify(manifest));
  };
  add("node_modules/plain", { name: "plain", version: "1.0.0" });
  add("node_modules/@acme/dns", { name: "@acme/dns", version: "2.0.0", pulumi: { resource: true } });
  add("node_modules/plain/node_modules/deep", {
    name: "deep",
    version: "v3.1.0",
    pulumi: { resource: true, name: "deeper", server: "https://plugins.example.com" },
  });
  add("program", { name: "program" });
  const found = await evaluate(
    "engine/language-host/packages.mjs",
    `tools.resourcePackages(${JSON.stringify(path.join(folder, "program"))})`,
  );
  expect(found).toEqual(
    expect.arrayContaining([
      { name: "dns", version: "v2.0.0", server: "" },
      { name: "deeper", version: "v3.1.0", server: "https://plugins.example.com" },
    ]),
  );
  expect(found).toHaveLength(2);
});
