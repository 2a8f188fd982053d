/** The plugin's process: `pulumi-resource-voiceplane [the engine's address]`. Its first line of output is its port. */
import { providerTelemetry } from "../../telemetry/index.js";
import { engineAddress, watchEngine } from "../engine-watch.js";
import { serve } from "./serve.js";

// The bundler replaces these.
declare const pluginVersion: string;
declare const pluginSchema: string;

const engine = engineAddress();

const plugin = {
  version: pluginVersion,
  schema: pluginSchema,
  env: process.env,
  telemetry: providerTelemetry(),
};

serve(plugin, engine).then(
  ({ port }) => {
    process.stdout.write(`${port}\n`);
    if (engine !== undefined) exitWith(engine);
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  },
);

/** A provider that outlives its engine would send requests that no state records. Either sign may come first. */
function exitWith(address: string): void {
  const parent = process.ppid;
  const end = () => process.exit(1);
  watchEngine(address, end);
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, 200).unref();
}
