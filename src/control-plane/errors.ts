/**
 * The control plane cannot start or cannot store. The message is one line with the problem and its fix.
 *
 * @category Errors
 * @hideconstructor
 */
export class ControlPlaneError extends Error {
  /** The name of the class. */
  override readonly name = "ControlPlaneError";
}

/** Messages for the SQLite result codes that a user can fix. */
const storageProblems: Record<number, (file: string) => string> = {
  // SQLITE_BUSY, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB
  5: (file) => `${file} is in use by another process: stop that one, or choose another file`,
  8: (file) => `${file} cannot be written: make it writable, or choose another file`,
  10: (file) => `${file} could not be read or written: check its disk, or choose another file`,
  11: (file) => `${file} is damaged: move it away to start with a new one, or choose another file`,
  13: (file) => `the disk of ${file} is full: free some space, or choose another file`,
  14: (file) => `${file} cannot be opened or created: check that its folder may be written, or choose another file`,
  26: (file) => `${file} is not a control plane's file: choose another file`,
};

/** Turns an SQLite error into a ControlPlaneError with a fix. Returns any other error unchanged. */
export function explainStorageError(error: unknown, file: string): unknown {
  const { errcode } = factsOf(error);
  // The low byte is the primary code. The other bytes are variants of it.
  const problem = typeof errcode === "number" ? storageProblems[errcode & 0xff] : undefined;
  return problem === undefined ? error : new ControlPlaneError(problem(file), { cause: error });
}

/** Turns an error of `listen` into a ControlPlaneError with a fix. Returns any other error unchanged. */
export function explainListenError(error: unknown, host: string, port: number): unknown {
  const problems: Readonly<Partial<Record<string, string>>> = {
    EADDRINUSE: `port ${port} on ${host} is in use: stop the program that listens there, or choose another port (0 for any free one)`,
    EACCES: `port ${port} may not be opened by this user: choose one above 1023`,
    EADDRNOTAVAIL: `${host} is not an address of this machine: choose another host`,
    ERR_SOCKET_BAD_PORT: `${port} is not a port: choose one from 1 to 65535, or 0 for any free one`,
    ENOTFOUND: `${host} is not a known host name: choose another host`,
  };
  const problem = problems[String(factsOf(error).code)];
  return problem === undefined ? error : new ControlPlaneError(problem, { cause: error });
}

/** `instanceof Error` is false for Node's own errors under test runners, which use another realm. */
export function factsOf(error: unknown): Record<string, unknown> {
  return Object(error) as Record<string, unknown>;
}

export function messageOf(error: unknown): string {
  return String(factsOf(error).message ?? error);
}
