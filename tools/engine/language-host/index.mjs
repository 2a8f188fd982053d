/**
 * `pulumi-language-nodejs`: describes Node programs to the engine and runs them.
 *
 * The official host is a Go program that only the official release has, so an engine that is built from source uses
 * this one. It serves the part of the `LanguageRuntime` service that operations on a stack need. Code generation and
 * debuggers are answered with UNIMPLEMENTED.
 *
 * Usage (by the engine): pulumi-language-nodejs [flags] ENGINE-ADDRESS. The first line on stdout is the port.
 */
/* global HOST_VERSION -- set when bundled: the version of the SDK inside */
import grpc from "@grpc/grpc-js";
import empty from "google-protobuf/google/protobuf/empty_pb.js";
import services from "@pulumi/pulumi/proto/language_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/language_pb.js";
import plugins from "@pulumi/pulumi/proto/plugin_pb.js";
import { exitWithEngine } from "./engine-watch.mjs";
import { installedDependencies, resourcePackages } from "./packages.mjs";
import { runPlugin } from "./plugins.mjs";
import { installDependencies, runProgram, stopChildren } from "./programs.mjs";

/** The options under `runtime:` of Pulumi.yaml. */
const optionsOf = (info) => info?.getOptions()?.toJavaScript() ?? {};

/** An environment of "NAME=value". The last of several values of a name counts. */
const environmentOf = (lines) => Object.fromEntries(lines.map((line) => line.split(/=(.*)/s, 2)));

/** Makes a gRPC method of an async function. The user sees its error as a message without a stack. */
const unary = (method) => (call, callback) => {
  Promise.resolve()
    .then(() => method(call.request))
    .then(
      (response) => callback(null, response),
      (error) => callback({ code: grpc.status.UNKNOWN, details: error.message }),
    );
};

let engineAddress = process.argv.at(-1);

const host = {
  handshake: unary((request) => {
    engineAddress = request.getEngineAddress();
    return new messages.LanguageHandshakeResponse();
  }),

  getPluginInfo: unary(() => new plugins.PluginInfo().setVersion(HOST_VERSION)),

  getRequiredPackages: unary((request) => {
    const found = resourcePackages(request.getInfo().getProgramDirectory());
    const response = new messages.GetRequiredPackagesResponse();
    for (const { name, version, server } of found) {
      response.addPackages(
        new plugins.PackageDependency().setKind("resource").setName(name).setVersion(version).setServer(server),
      );
    }
    return response;
  }),

  run: unary(async (request) => {
    const info = request.getInfo();
    const outcome = await runProgram({
      engine: engineAddress,
      monitor: request.getMonitorAddress(),
      project: request.getProject(),
      stack: request.getStack(),
      organization: request.getOrganization(),
      rootDirectory: info.getRootDirectory(),
      directory: info.getProgramDirectory(),
      entryPoint: info.getEntryPoint(),
      args: request.getArgsList(),
      dryRun: request.getDryrun(),
      parallel: request.getParallel(),
      config: Object.fromEntries(request.getConfigMap().entries()),
      secretKeys: request.getConfigsecretkeysList(),
      options: optionsOf(info),
    });
    return new messages.RunResponse().setError(outcome.error).setBail(outcome.bail);
  }),

  installDependencies(call) {
    const info = call.request.getInfo();
    const send = (setter) => (chunk) => call.write(new messages.InstallDependenciesResponse()[setter](chunk));
    installDependencies({
      directory: call.request.getDirectory() || info.getProgramDirectory(),
      manager: optionsOf(info).packagemanager ?? "npm",
      onStdout: send("setStdout"),
      onStderr: send("setStderr"),
    }).then(
      () => call.end(),
      (error) => call.emit("error", { code: grpc.status.UNKNOWN, details: error.message }),
    );
  },

  runPlugin(call) {
    const { request } = call;
    const info = request.getInfo();
    const over = new AbortController();
    call.on("cancelled", () => over.abort());
    const send = (setter) => (chunk) => call.write(new messages.RunPluginResponse()[setter](chunk));
    runPlugin({
      kind: request.getKind(),
      directory: info.getProgramDirectory(),
      cwd: request.getPwd(),
      args: request.getArgsList(),
      env: environmentOf(request.getEnvList()),
      options: optionsOf(info),
      onStdout: send("setStdout"),
      onStderr: send("setStderr"),
      signal: over.signal,
    }).then(
      () => call.end(),
      (error) => call.emit("error", { code: grpc.status.UNKNOWN, details: error.message }),
    );
  },

  about: unary(() => new messages.AboutResponse().setExecutable(process.execPath).setVersion(process.version)),

  getProgramDependencies: unary((request) => {
    const response = new messages.GetProgramDependenciesResponse();
    for (const { name, version } of installedDependencies(request.getInfo().getProgramDirectory())) {
      response.addDependencies(new messages.DependencyInfo().setName(name).setVersion(version));
    }
    return response;
  }),

  runtimeOptionsPrompts: unary(() => new messages.RuntimeOptionsResponse()),

  cancel: unary(() => {
    stopChildren();
    return new empty.Empty();
  }),
};

exitWithEngine(stopChildren);

const server = new grpc.Server({ "grpc.max_receive_message_length": -1 });
server.addService(services.LanguageRuntimeService, host);
server.bindAsync("127.0.0.1:0", grpc.ServerCredentials.createInsecure(), (error, port) => {
  if (error) throw error;
  console.log(port);
});
