/** The receiver of examples/delivery, compiled. */
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { read } from "./documents";
import { temporaryFolder } from "../folders";

export interface Secrets {
  secret?: string;
  previousSecret?: string;
}

type Receiver = (load: () => Promise<Secrets>, handle: (body: Buffer) => Promise<void>, now: () => number) => Server;

export function exampleReceiver(): Receiver {
  const source = read("examples/delivery/receiver.ts");
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.CommonJS } });
  const file = join(temporaryFolder(), "receiver.cjs");
  writeFileSync(file, outputText);
  return (createRequire(file)(file) as { receiver: Receiver }).receiver;
}
