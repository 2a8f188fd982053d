/** A server that plays a script of moves and records what it has really done. */
import type { Socket } from "node:net";
import { startRawServer } from "../../../support/client/raw-server.js";
import type { FakeTime } from "../../../support/client/fake-time.js";
import type { Answer } from "./answers.js";
import { losses, type Loss } from "./losses.js";

/**
 * What a conforming server may do with one request. It carries out a request that it answers with 2xx, may have carried
 * out one that it answers with 5xx or whose answer is lost, and never carries out one that it refuses.
 */
export type Move =
  | { readonly kind: "done"; readonly answer: Answer }
  | { readonly kind: "refused"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly answer: Answer; readonly commits: boolean }
  | { readonly kind: "lost"; readonly loss: Loss; readonly commits: boolean };

/** What a move was for its request. */
type Made = Pick<Move, "kind"> & { readonly commits?: boolean; readonly answer?: Answer };

export interface ScriptedServer {
  readonly baseUrl: string;
  readonly connections: () => number;
  /** Starts a new script. The last move repeats for all further requests. */
  play(script: readonly Move[], time: FakeTime): void;
  /** The moves since the script started. */
  readonly made: readonly Made[];
  /** The requests that were carried out since then. */
  commits(): number;
  close(): Promise<void>;
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  let script: readonly Move[] = [];
  let time: FakeTime | undefined;
  const made: Made[] = [];
  const server = await startRawServer([
    (socket) => {
      const move = script[Math.min(made.length, script.length - 1)];
      if (move === undefined) throw new Error("a request came before there was a script");
      made.push(move);
      if (move.kind === "lost") losses[move.loss](socket, () => time?.advance(20_000));
      else void write(socket, move.answer);
    },
  ]);
  return {
    baseUrl: server.baseUrl,
    connections: server.connections,
    made,
    play(moves, clock) {
      script = moves;
      time = clock;
      made.length = 0;
    },
    commits: () => made.filter(({ kind, commits }) => kind === "done" || commits).length,
    close: () => server.close(),
  };
}

/** Writes every piece in its own turn, so that the client receives them separately. */
async function write(socket: Socket, { status, headers, body, framing, pieces, interim }: Answer): Promise<void> {
  const bodiless = status === 204 || status === 304;
  const frame = { length: `content-length: ${body.length}`, chunked: "transfer-encoding: chunked", close: "connection: close" }; // prettier-ignore
  const lines = [...headers.map(([name, value]) => `${name}: ${value}`), ...(bodiless ? [] : [frame[framing]])];
  socket.write(`${interim}HTTP/1.1 ${status} Whatever\r\n${lines.map((line) => `${line}\r\n`).join("")}\r\n`, "latin1");
  if (bodiless) return;
  for (const piece of cut(body, pieces)) {
    if (pieces > 1) await new Promise(setImmediate);
    socket.write(framing === "chunked" ? chunk(piece) : piece);
  }
  if (framing === "chunked") socket.write("0\r\n\r\n");
  if (framing === "close") socket.end();
}

function chunk(piece: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${piece.length.toString(16)};x=1\r\n`), piece, Buffer.from("\r\n")]);
}

function cut(body: Buffer, pieces: number): Buffer[] {
  const size = Math.max(1, Math.ceil(body.length / pieces));
  return Array.from({ length: Math.ceil(body.length / size) }, (_, n) => body.subarray(n * size, (n + 1) * size));
}
