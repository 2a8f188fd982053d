/**
 * Prints the path of a program that writes the SDKs of a package schema with Pulumi's own generators. It is built once, with Go, from
 * the sources that the engine is built from:
 *
 *     "$(node tools/engine/sdks.mjs)" schema.json 0.1.0 FOLDER
 *
 * Exits with 2 where Go or its module proxy is missing, and with 1 where the build fails for another reason.
 */
import process from "node:process";
import { createProgress } from "../progress.mjs";
import { sdkGenerator } from "./from-source.mjs";

/** What `go` or its absence says on a machine that cannot build. */
const noGo = /go is not on PATH|is too old|dial tcp|module lookup disabled/;

const log = createProgress(process.stderr);
try {
  const file = await sdkGenerator({ log, env: process.env });
  log.stop();
  console.log(file);
} catch (error) {
  log.line(error.message);
  process.exitCode = noGo.test(error.message) ? 2 : 1;
}
