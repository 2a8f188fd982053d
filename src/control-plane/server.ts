import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { adminPrefix, answerAdmin, isForThisMachine } from "./admin.js";
import { failure, json, render, readBody, send, sendCut } from "./answers.js";
import { ControlPlaneError, messageOf } from "./errors.js";
import { Page, type PageDeps } from "./page/index.js";
import { handleRequest, type HandlerDeps, requestIdHeader } from "./requests.js";

type ServerDeps = HandlerDeps & PageDeps & { readonly expose: boolean };

/** Creates the server without listening: the page at `/`, the admin API below `/_control/`, the interface elsewhere. */
export function createHttpServer(deps: ServerDeps): Server {
  const page = new Page(deps);
  return createServer((request, response) => {
    const requestId = randomUUID();
    respond(deps, page, requestId, request, response).catch((error: unknown) => {
      answerWithFailure(deps, requestId, response, error);
    });
  });
}

async function respond(
  deps: ServerDeps,
  page: Page,
  requestId: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method = "", headers } = request;
  const url = request.url ?? "";
  const [path = ""] = url.split("?", 1);
  const peer = request.socket.remoteAddress ?? "";
  const body = await readBody(request);

  const incoming = { requestId, method, path, search: url.slice(path.length), body, peer, headers };
  if (page.answer(incoming, response)) return;
  if (path.startsWith(adminPrefix)) {
    send(response, answerAdmin(deps.control, deps.dialect, incoming));
    return;
  }

  // Else a page of another site could reach it, under a name of its own that means this machine: the tokens are public.
  if (!deps.expose && !isForThisMachine(headers)) {
    send(response, json(403, { error: otherName }));
    return;
  }
  const delivery = await handleRequest(deps, incoming);
  // A deployed server's Date header shows its own clock, which is the adjustable one here.
  response.setHeader("Date", deps.clock.now().toUTCString());
  if (delivery.kind === "whole") send(response, delivery.answer);
  if (delivery.kind === "cut") sendCut(response, delivery.answer);
  if (delivery.kind === "reset") request.socket.resetAndDestroy();
}

const otherName =
  "this control plane accepts loopback host names only, such as 127.0.0.1: start it with --expose to allow others";

/** Answers a request that failed inside the server, without a stack trace. */
function answerWithFailure(deps: ServerDeps, requestId: string, response: ServerResponse, error: unknown): void {
  // The client disconnected or the server is closing, so no answer can be sent.
  if (response.destroyed || response.headersSent || deps.closing.aborted) {
    response.socket?.destroy();
    return;
  }
  const reason = messageOf(error);
  deps.onProblem(reason);
  const outcome =
    error instanceof ControlPlaneError
      ? failure("SERVICE_UNAVAILABLE", `the request could not be stored: ${reason}`)
      : failure("INTERNAL_ERROR", `internal error: ${reason}`);
  send(response, render(deps.dialect, outcome, requestIdHeader(deps.dialect, requestId)));
}
