/** What a client writes of each attempt that has ended: a debug line, and a line of the request log. Nothing reads either. */
import { appendFileSync } from "node:fs";
import { tried } from "../values/any.js";
import { given } from "../values/environment.js";
import { redact } from "../values/text.js";
import type { ParsedAnswer } from "./answer.js";
import type { AttemptResult } from "./attempt.js";
import type { RequestFacts } from "./error-texts.js";
import type { SendOptions } from "./operations.js";
import { outcomeOfAttempt } from "./refusal.js";
import type { ClientDeps } from "./settings.js";

interface EndedAttempt {
  readonly request: Pick<RequestFacts, "operation" | "method" | "path"> & Pick<SendOptions, "requestId">;
  /** From 1. */
  readonly number: number;
  /** ms since the epoch. */
  readonly startedAt: number;
  readonly endedAt: number;
  readonly result: AttemptResult;
  /** What `result` means: a 2xx may say in its body that it is not a success. */
  readonly answer: ParsedAnswer;
}

type Observer = (attempt: EndedAttempt) => void;

/** Writes what the environment asks for, with neither the token nor a body. */
export function attemptObserver({ env, debug, organization }: ClientDeps, token: string): Observer {
  const file = given(env.VOICEPLANE_REQUEST_LOG);
  const isDebugging = env.VOICEPLANE_DEBUG === "1";
  return ({ request, number, startedAt, endedAt, result, answer }) => {
    if (file === undefined && !isDebugging) return;
    const { requestId: id, operation, method } = request;
    const path = redact(request.path, [token]);
    const isAnswered = result.kind === "answered";
    const status = isAnswered ? result.status : undefined;
    const code = isAnswered ? undefined : result.error.code && redact(result.error.code, [token]);
    const ms = Math.round(endedAt - startedAt);
    if (isDebugging)
      debug(`voiceplane: ${method} ${path}, attempt ${number}: ${status ?? code ?? result.kind} after ${ms} ms`);
    if (file === undefined) return;
    const outcome = answer.kind === "success" ? answer.kind : outcomeOfAttempt(answer);
    const time = new Date(endedAt).toISOString();
    const about = { id, time, organization, attempt: number, operation, method, path };
    appendLine(file, { ...about, result: result.kind, status, code, outcome, ms });
  };
}

/** An audit of what was sent, as lines of JSON. It never fails: the request may have been carried out. */
function appendLine(file: string, line: object): void {
  // Several processes append, and one may be killed meanwhile. So each line is one write, and begins with a line end.
  tried(() => {
    appendFileSync(file, `\n${JSON.stringify(line)}\n`, { mode: 0o600 });
  });
}
