#!/usr/bin/env node
import "./node.js";
import { explain, run } from "./run.js";

process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  // A reader may stop early, as in `voiceplane … | head`: that is no failure.
  if (error.code === "EPIPE") return;
  process.stderr.write(`voiceplane: cannot print: ${explain(error)}\n`);
  process.exit(1);
});

void run(process.argv.slice(2), process);
