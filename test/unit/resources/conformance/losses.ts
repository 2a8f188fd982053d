/** Ways in which the answer to a received request is lost or unreadable. */
import type { Socket } from "node:net";

/** The longest body that the clients of these tests read, in bytes. */
export const maxResponseBytes = 64 * 1024;

/** @param timePasses moves the client's clock past its time limit */
type Lose = (socket: Socket, timePasses: () => void) => void;

const begun = '{"success":true,"data":{"signing_secret":"whsec_CANARY_cut';
function answer(socket: Socket, headers: string, body: string | Buffer = ""): void {
  socket.write(`HTTP/1.1 200 OK\r\n${headers}\r\n\r\n`);
  socket.write(body);
}

export const losses = {
  reset: (socket) => {
    socket.resetAndDestroy();
  },
  close: (socket) => {
    socket.destroy();
  },
  silence: (_socket, timePasses) => {
    timePasses();
  },
  "silence in the body": (socket, timePasses) => {
    answer(socket, "content-length: 1000", begun);
    setImmediate(timePasses);
  },
  "cut body": (socket) => {
    answer(socket, "content-length: 1000", begun);
    socket.end();
  },
  "cut chunks": (socket) => {
    answer(socket, "transfer-encoding: chunked", `ff\r\n${begun}`);
    socket.end();
  },
  "no HTTP": (socket) => {
    socket.end("SSH-2.0-OpenSSH_9.9\r\n");
  },
  "endless headers": (socket) => {
    answer(socket, `content-length: 0\r\nx-padding: ${"x".repeat(40_000)}`);
  },
  "huge body": (socket) => {
    answer(socket, `content-length: ${maxResponseBytes + 1}`, "x".repeat(maxResponseBytes + 1));
  },
  "endless body": (socket) => {
    answer(socket, "x-length: none");
    const more = (): void => {
      while (!socket.destroyed && socket.write("x".repeat(8192)));
      if (!socket.destroyed) socket.once("drain", more);
    };
    more();
  },
} as const satisfies Record<string, Lose>;

export type Loss = keyof typeof losses;
