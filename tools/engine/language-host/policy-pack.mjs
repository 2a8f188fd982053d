/**
 * The engine tells a policy pack the stack's name and configuration in a call, `ConfigureStack`. Packs read them from
 * their environment when they start. So this server answers that call, starts the pack with them, and passes all later
 * calls on to it, as the official host does.
 */
import grpc from "@grpc/grpc-js";
import services from "@pulumi/pulumi/proto/analyzer_grpc_pb.js";
import messages from "@pulumi/pulumi/proto/analyzer_pb.js";

const unlimited = { "grpc.max_receive_message_length": -1, "grpc.max_send_message_length": -1 };

/** Messages are passed on as they are, also those of a newer SDK. */
const asIs = (bytes) => bytes;
const asBytes = {
  requestSerialize: asIs,
  requestDeserialize: asIs,
  responseSerialize: asIs,
  responseDeserialize: asIs,
};

/** Node programs read these variables. Configuration as arguments would show its secrets in the process list. */
function environmentOf(stack) {
  return {
    PULUMI_NODEJS_ORGANIZATION: stack.getOrganization(),
    PULUMI_NODEJS_PROJECT: stack.getProject(),
    PULUMI_NODEJS_STACK: stack.getStack(),
    PULUMI_NODEJS_DRY_RUN: String(stack.getDryRun()),
    PULUMI_CONFIG: JSON.stringify(Object.fromEntries(stack.getConfigMap().entries())),
  };
}

/**
 * @param {(env: NodeJS.ProcessEnv) => Promise<string>} startPack starts the pack and resolves to its port. Called once.
 * @param {AbortSignal} signal ends the server.
 * @returns {Promise<number>} the server's port.
 */
export async function servePolicyPack({ startPack, signal }) {
  let pack;

  const start = async (env, stack) => {
    const client = new grpc.Client(`127.0.0.1:${await startPack(env)}`, grpc.credentials.createInsecure(), unlimited);
    signal.addEventListener("abort", () => client.close());
    if (!stack) return client;
    await send(client, services.AnalyzerService.configureStack, stack).catch((error) => {
      if (error.code !== grpc.status.UNIMPLEMENTED) throw error; // An older pack has no such call.
    });
    return client;
  };

  const ownAnswers = {
    handshake: () => new messages.AnalyzerHandshakeResponse().serializeBinary(),
    configureStack(stack) {
      pack ??= start(environmentOf(messages.AnalyzerStackConfigureRequest.deserializeBinary(stack)), stack);
      pack.catch(() => {}); // The next call reports it.
      return new messages.AnalyzerStackConfigureResponse().serializeBinary();
    },
  };
  // Without a stack, as for `pulumi policy publish`, the pack starts without its name and configuration.
  const passOn = (method) => async (message) => send(await (pack ??= start({})), method, message);

  const server = new grpc.Server(unlimited);
  for (const [name, method] of Object.entries(services.AnalyzerService)) {
    server.addService({ [name]: { ...method, ...asBytes } }, { [name]: unary(ownAnswers[name] ?? passOn(method)) });
  }
  signal.addEventListener("abort", () => server.tryShutdown(() => {}));
  return new Promise((resolve, reject) => {
    const credentials = grpc.ServerCredentials.createInsecure();
    server.bindAsync("127.0.0.1:0", credentials, (error, port) => (error ? reject(error) : resolve(port)));
  });
}

function send(client, { path }, message) {
  return new Promise((resolve, reject) => {
    client.makeUnaryRequest(path, asIs, asIs, message, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

/** Makes a gRPC method of a function from bytes to bytes. A pack's error is passed on with its code. */
const unary = (answer) => (call, callback) => {
  Promise.resolve()
    .then(() => answer(call.request))
    .then(
      (bytes) => callback(null, Buffer.from(bytes)),
      (error) => callback({ code: error.code ?? grpc.status.UNKNOWN, details: error.details ?? error.message }),
    );
};
