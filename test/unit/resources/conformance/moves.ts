/** Random scripts of moves. */
import fc from "fast-check";
import { anyBody, errorBody, noContent, refusalWith, successWith, type Answer, type Success } from "./answers.js";
import { losses, type Loss } from "./losses.js";
import type { Move } from "./server.js";

const retryAfter = fc.oneof(
  fc.integer({ min: 0, max: 90 }).map(String),
  fc.constantFrom("Thu, 01 Jan 2026 00:00:05 GMT", "Fri, 31 Dec 9999 23:59:59 GMT", "soon", "-1", "1e400", "9".repeat(400)), // prettier-ignore
);

const rateLimit: fc.Arbitrary<Answer> = fc
  .tuple(refusalWith(fc.constant(429)), fc.option(retryAfter, { nil: undefined }))
  .map(([answer, wait]) =>
    wait === undefined ? answer : { ...answer, headers: [...answer.headers, ["retry-after", wait]] },
  );

const sayingNo: fc.Arbitrary<Answer> = fc
  .tuple(
    successWith(anyBody),
    fc.constantFrom('{"success":false}', '{"success":false,"error":{"code":"NO"},"data":{}}'),
  )
  .map(([answer, body]) => ({ ...answer, body: Buffer.from(body), headers: [] }));

/** Any status except 2xx. 401 and 429 are more frequent. */
const refusedStatus = fc.oneof(
  fc.integer({ min: 300, max: 499 }).filter((status) => status !== 429),
  fc.constantFrom(301, 302, 307, 308, 304, 400, 401, 402, 403, 404, 405, 407, 409, 413, 422, 426, 451),
);

const refused = (elsewhere?: () => string): fc.Arbitrary<Move> =>
  fc
    .oneof({ weight: 3, arbitrary: refusalWith(refusedStatus, errorBody, elsewhere) }, rateLimit, sayingNo)
    .map((answer) => ({ kind: "refused", answer }));

const failed = (bodies: fc.Arbitrary<Buffer>): fc.Arbitrary<Move> =>
  fc.record({
    kind: fc.constant("failed"),
    answer: refusalWith(fc.oneof(fc.integer({ min: 500, max: 599 }), fc.constantFrom(500, 502, 503, 504)), bodies),
    commits: fc.boolean(),
  });

const lost: fc.Arbitrary<Move> = fc.record({
  kind: fc.constant("lost"),
  loss: fc.constantFrom(...(Object.keys(losses) as Loss[])),
  commits: fc.boolean(),
});

export interface Moves {
  readonly successes?: fc.Arbitrary<Success>;
  /** The statuses of 5xx answers. */
  readonly errorBodies?: fc.Arbitrary<Buffer>;
  /** The target of redirects. */
  readonly elsewhere?: () => string;
}

export const anySuccess = fc.oneof({ weight: 5, arbitrary: successWith(anyBody) }, noContent);

export function anyMove({
  successes = anySuccess,
  errorBodies = errorBody,
  elsewhere,
}: Moves = {}): fc.Arbitrary<Move> {
  const done = successes.map((answer): Move => ({ kind: "done", answer }));
  return fc.oneof(done, refused(elsewhere), failed(errorBodies), lost).map(readable);
}

/** The same move. Counterexamples print it as one line. */
function readable(move: Move): Move {
  return Object.assign({ ...move }, { [fc.toStringMethod]: () => describe(move) });
}

function describe(move: Move): string {
  const fate = "commits" in move && move.commits ? ", carried out" : "";
  if (move.kind === "lost") return `${move.kind}: ${move.loss}${fate}`;
  const { status, headers, body, framing, pieces } = move.answer;
  const wire = `${JSON.stringify(headers)} ${JSON.stringify(body.toString("latin1"))}`;
  return `${move.kind}${fate}: ${status} ${wire} by ${framing} in ${pieces}`;
}

export const anyScript = (moves: Moves = {}): fc.Arbitrary<Move[]> =>
  fc.array(anyMove(moves), { minLength: 1, maxLength: 4 });
