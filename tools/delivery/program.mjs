/**
 * Runs one recipe of examples/delivery as an `up` would, with mocks instead of the engine, and prints what it
 * registers:
 *
 *     node program.mjs vault.ts '{"secret":"new","previousSecret":"old"}'
 *
 * The second argument is the webhook resource's output. Runs in a folder that has the recipes and their packages.
 */
import path from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { runtime, secret } from "@pulumi/pulumi";

const [recipe = "", known = "{}"] = process.argv.slice(2);
const registrations = [];
/** The names of the resources that a resource waits for, by its own name. */
const dependencies = {};

function outputsOf({ type, inputs }) {
  if (type !== "pulumi-nodejs:dynamic/voiceplane:WebhookSecret") return inputs;
  // The engine marks these outputs, because the class asks it to. Mocks do not.
  const secrets = Object.entries(JSON.parse(known)).map(([name, value]) => [name, secret(value)]);
  const rotationState = secrets.length === 0 ? "adopted" : "rotated";
  return { ...inputs, rotationState, ...Object.fromEntries(secrets) };
}

await runtime.setMocks(
  {
    call: () => ({}),
    newResource: (args) => {
      const { type, name, inputs, provider } = args;
      registrations.push({ type, name, inputs, provider, dependencies: dependencies[name] });
      return { id: `${name}-id`, state: outputsOf(args) };
    },
  },
  "receivers",
  "dev",
  false,
);

const monitor = runtime.getMonitor();
const register = monitor.registerResource.bind(monitor);
monitor.registerResource = (request, done) => {
  dependencies[request.getName()] = request.getDependenciesList().map((urn) => urn.split("::").at(-1));
  return register(request, done);
};

let failure;
// An error inside an `apply` fails the program, as in the engine's own host.
process.on("unhandledRejection", (error) => {
  failure = { message: error.message, isRunError: error.__pulumiRunError === true };
});
process.once("beforeExit", () => {
  process.stdout.write(JSON.stringify({ registrations, failure }));
});

await import(pathToFileURL(path.resolve(recipe)).href);
