#!/usr/bin/env node
/** The command's process. It says in one line which Node is needed, because an old one fails in a later import. */
import { nodeProblem } from "../node-version.js";

async function start(): Promise<void> {
  const { explain, run } = await import("./run.js");
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader may stop early, as in `voiceplane … | head`: that is no failure.
    if (error.code === "EPIPE") return;
    process.stderr.write(`voiceplane: cannot print: ${explain(error)}\n`);
    process.exit(1);
  });
  await run(process.argv.slice(2), process);
}

const unsupportedNode = nodeProblem();
if (unsupportedNode === undefined) void start();
else {
  process.stderr.write(`${unsupportedNode}\n`);
  process.exitCode = 1;
}
