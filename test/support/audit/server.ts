/**
 * A control plane that leaks: it repeats the token and the current webhook secret wherever an answer has room for them.
 * A webhook secret belongs only in `data` of a rotation.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { listenInTest } from "../after-test";
import { hasProc, ofEachProcess } from "../machine";
import { canary, type Canary } from "./canaries";

/** How an operation fails: with a status, or with a lost answer after the rotation. */
type Failure = number | "lost";

/** Closes after the test. */
export async function startTalkativeServer() {
  const secrets: Canary[] = [];
  const commandLines = new Set<string>();
  let failures: Readonly<Record<string, Failure>> = {};

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await text(request);
    // On Linux every user of the machine can read them.
    if (hasProc) for (const line of ofEachProcess("cmdline").values()) commandLines.add(line.replaceAll("\0", " "));
    const token = (request.headers.authorization ?? "").replace("Bearer ", "");
    const failure = failures[request.method ?? ""];
    const isRotation = request.method === "POST";
    const rotates = isRotation && !(typeof failure === "number" && failure < 500);
    if (rotates) secrets.push(canary(`webhook secret ${String(secrets.length + 1)}`));
    if (failure === "lost") {
      request.socket.destroy();
      return;
    }
    const secret = rotates ? { signing_secret: secrets.at(-1)?.text } : {};
    // The list has no secret: a server that lists secrets leaks them by itself.
    const data = request.method === "GET" ? { webhooks: [{ id: "crm" }, { id: "billing" }] } : { token, ...secret };
    const body = failure === undefined ? { success: true, data } : errorBody(request, secrets.at(-1)?.text ?? "");
    response.writeHead(failure ?? 200, {
      "content-type": "application/json",
      "x-request-id": (isRotation ? secrets.at(-1)?.text : undefined) ?? token,
      ...(failure === 302 && { location: `https://elsewhere.example.com/?token=${encodeURIComponent(token)}` }),
      "set-cookie": `token=${encodeURIComponent(token)}`,
    });
    response.end(JSON.stringify(body));
  };

  const server = createServer((request, response) => void serve(request, response));
  const port = await listenInTest(server);
  return {
    url: `http://127.0.0.1:${port}`,
    /** All secrets that the server has issued so far. */
    secrets,
    /** The command lines of all processes of the machine, collected during requests. */
    commandLines,
    /** How the next requests fail, by method. A method that is not named succeeds. */
    fail(next: Readonly<Record<string, Failure>>): void {
      failures = next;
    },
  };
}

/**
 * Repeats the values as plain text, URL-encoded, in JSON, and where a cut to 300 characters leaves a part. The code is cut
 * too, for some methods in the middle of a character. Only a failed rotation has the secret where there is room for words.
 */
function errorBody({ method, headers: { authorization = "" } }: IncomingMessage, secret: string): object {
  const token = authorization.replace("Bearer ", "");
  const repeated = [token, encodeURIComponent(token), JSON.stringify({ token })];
  const words = method === "POST" ? [secret, `secret=${secret};`, ...repeated] : repeated;
  return {
    success: false,
    error: {
      code: `${token}${method === "PUT" ? "x" : ""}${"\u{1f600}".repeat(200)}`,
      message: `${words.join(" ")} ${"-".repeat(180)}${token}`,
    },
    data: { token, signing_secret: secret },
  };
}
