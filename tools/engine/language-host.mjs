/**
 * `pulumi-language-nodejs`: the engine starts it for programs in JavaScript and TypeScript, and it starts Node for them.
 *
 * The official host is a Go program that only the official release has, so an engine that is built from source uses this one. It serves
 * what programs and policy packs need, and answers anything else with UNIMPLEMENTED: no installation of packages or plugins, no code
 * generation, no debugger, and no stack name or configuration in a policy pack.
 *
 * Usage (by the engine): pulumi-language-nodejs [flags] ENGINE-ADDRESS. The first line on stdout is the port.
 */
/* global HOST_VERSION -- set when bundled: the version of the SDK inside */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import path from "node:path";
import process from "node:process";
import grpc from "@grpc/grpc-js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";

/** The exit code of a program that has already reported its error to the user. */
const EXIT_ERROR_ALREADY_SHOWN = 32;

const children = new Set();

function stopChildren() {
  for (const child of children) child.kill("SIGTERM");
}

/**
 * Starts a program of the SDK that the folder has installed, such as "cmd/run", with the options below `runtime:` in its project
 * file.
 */
function startNode(name, folder, info, args, options) {
  const { nodeargs = "", typescript = true } = info.getOptions()?.toJavaScript() ?? {};
  const nodeArgs = nodeargs.split(" ").filter((arg) => arg !== "");
  const env = { ...options.env, PULUMI_NODEJS_TYPESCRIPT: String(typescript !== false) };
  const runner = findInSdk(name, folder);
  const child = spawn(process.execPath, [...nodeArgs, runner, ...args], { cwd: folder, ...options, env });
  children.add(child);
  child.once("close", () => children.delete(child));
  return child;
}

/** Resolved as the user's program itself would. */
function findInSdk(name, folder) {
  try {
    return createRequire(path.join(folder, "index.js")).resolve(`@pulumi/pulumi/${name}`);
  } catch {
    throw new Error(`@pulumi/pulumi is not installed in ${folder}. Run "npm install" there.`);
  }
}

let engineAddress = process.argv.at(-1);

async function runProgram(request) {
  const info = request.getInfo();
  const folder = info.getProgramDirectory();
  const flags = {
    monitor: request.getMonitorAddress(),
    engine: engineAddress,
    organization: request.getOrganization(),
    project: request.getProject(),
    stack: request.getStack(),
    "root-directory": info.getRootDirectory(),
    pwd: folder,
    parallel: request.getParallel(),
  };
  const args = Object.entries(flags).flatMap(([name, value]) => (value ? [`--${name}=${value}`] : []));
  if (request.getDryrun()) args.push("--dry-run");
  const child = startNode("cmd/run", folder, info, [...args, info.getEntryPoint() || ".", ...request.getArgsList()], {
    stdio: ["ignore", "inherit", "inherit"],
    env: {
      ...process.env,
      // Configuration is passed in the environment: as arguments, its secrets would show in the process list.
      PULUMI_CONFIG: JSON.stringify(Object.fromEntries(request.getConfigMap().entries())),
      PULUMI_CONFIG_SECRET_KEYS: JSON.stringify(request.getConfigsecretkeysList()),
    },
  });
  const [code, signal] = await once(child, "close");
  const isShown = code === EXIT_ERROR_ALREADY_SHOWN;
  const error = code === 0 || isShown ? "" : `the program ended with ${signal ?? `exit code ${code}`}`;
  return new messages.RunResponse().setError(error).setBail(isShown);
}

/** Runs a policy pack until it ends or the engine cancels the call. The first line of its output is its port. */
async function runPolicyPack(call) {
  const { request } = call;
  if (request.getKind() !== "analyzer") throw new Error("this host runs no plugins but policy packs");
  const folder = request.getInfo().getProgramDirectory();
  const child = startNode("cmd/run-policy-pack", folder, request.getInfo(), [...request.getArgsList(), folder], {
    stdio: ["ignore", "pipe", "pipe"],
    env: Object.fromEntries(request.getEnvList().map((line) => line.split(/=(.*)/s, 2))),
  });
  call.on("cancelled", () => child.kill("SIGKILL"));
  child.stdout.on("data", (chunk) => call.write(new messages.RunPluginResponse().setStdout(chunk)));
  child.stderr.on("data", (chunk) => call.write(new messages.RunPluginResponse().setStderr(chunk)));
  const [code, signal] = await once(child, "close");
  if (code !== 0 && !call.cancelled) throw new Error(`the policy pack ended with ${signal ?? `exit code ${code}`}`);
}

/** Makes a gRPC method of a function. The user sees its error as a message without a stack. */
const unary = (method) => (call, callback) => {
  Promise.resolve()
    .then(() => method(call.request))
    .then(
      (response) => callback(null, response),
      (error) => callback({ code: grpc.status.UNKNOWN, details: error.message }),
    );
};

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(services.LanguageRuntimeService, {
  handshake: unary((request) => {
    engineAddress = request.getEngineAddress();
    return new messages.LanguageHandshakeResponse();
  }),
  getPluginInfo: unary(() => new plugins.PluginInfo().setVersion(HOST_VERSION)),
  // The engine loads each plugin when a program needs it. Nothing could be downloaded before.
  getRequiredPackages: unary(() => new messages.GetRequiredPackagesResponse()),
  run: unary(runProgram),
  runPlugin: (call) => {
    runPolicyPack(call).then(
      () => call.end(),
      (error) => call.emit("error", { code: grpc.status.UNKNOWN, details: error.message }),
    );
  },
  cancel: unary(() => {
    stopChildren();
    return new empty.Empty();
  }),
});
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});

/** An engine that is killed, or fails early, says nothing to its language hosts, but it holds the other end of their standard input. */
function exit() {
  stopChildren();
  process.exit(1);
}
process.on("SIGINT", exit).on("SIGTERM", exit);
process.stdin.on("end", exit).on("error", exit).resume();
