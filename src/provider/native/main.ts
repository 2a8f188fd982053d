/** The plugin's process: `pulumi-resource-voiceplane [flags] [the engine's address]`. Its first line of output is its port. */
import { flushCompileCache } from "node:module";
import { messageOf } from "../../values/any.js";
import { nodeProblem } from "../../node-version.js";
import { engineAddress } from "../engine-watch.js";

// The bundler replaces these.
declare const pluginVersion: string;
declare const pluginSchema: string;

async function main(): Promise<void> {
  const problem = nodeProblem();
  if (problem !== undefined) throw new Error(problem);
  // Only now: an old Node may fail in them, and the watch on the engine begins first.
  const { serve } = await import("./serve.js");
  const plugin = { version: pluginVersion, schema: pluginSchema, env: process.env };
  const { port, isLoaded } = await serve(plugin, engineAddress());
  // The engine ends this process by SIGINT, with which Node does not write its compile cache. What is written is never added to, so a
  // process that only answers the schema does not write it.
  process.once("SIGINT", () => {
    if (isLoaded()) flushCompileCache();
    process.kill(process.pid, "SIGINT");
  });
  process.stdout.write(`${port}\n`);
}

main().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exit(1);
});
