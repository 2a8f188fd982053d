/**
 * Prints the path of the Go program in the folder `codegen`, which is built once, from the sources that the engine is built from:
 *
 *     "$(node tools/engine/program.mjs codegen)" sdks schema.json FOLDER    writes the SDKs of a package schema
 *
 * Exits with 2 where Go or its module proxy is missing, and with 1 where the build fails for another reason.
 */
import process from "node:process";
import { printFound } from "../progress.mjs";
import { ownProgram } from "./from-source.mjs";

/** What `go` or its absence says on a machine that cannot build. */
const noGo = /go is not on PATH|is too old|dial tcp|module lookup disabled/;

await printFound(
  (log) => ownProgram(process.argv[2], { log, env: process.env }),
  ({ message }) => (noGo.test(message) ? 2 : 1),
);
