/**
 * Starts the receiver with the secrets of this folder's stack: `node serve.ts`. In production, the stack writes them to a store, and
 * `load` reads them from there.
 */
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import { receiver, type Secrets } from "./receiver.ts";

const outputs = ["stack", "output", "crmSecrets", "--show-secrets", "--json", "--stack", process.env.STACK ?? "dev"];

async function load(): Promise<Secrets> {
  const { stdout } = await promisify(execFile)("pulumi", outputs);
  return JSON.parse(stdout) as Secrets;
}

function handle(body: Buffer): Promise<void> {
  console.log(`an event of ${body.length} bytes`);
  return Promise.resolve();
}

const port = Number(process.env.PORT ?? 8080);
const server = receiver(load, handle).listen(port, "127.0.0.1", () => {
  console.log(`listening on ${JSON.stringify(server.address())}`);
});
