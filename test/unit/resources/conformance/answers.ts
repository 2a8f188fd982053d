/** Random HTTP answers that a server of the interface may send. */
import fc from "fast-check";
import { anyCharacter } from "../../../support/properties.js";
import { spellings, token } from "./canaries.js";

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  readonly framing: "length" | "chunked" | "close";
  /** The body, split into writes. */
  readonly pieces: number;
  /** Sent before the answer itself, such as early hints. */
  readonly interim: string;
}

/** A complete answer with status 2xx that reports no failure. */
export interface Success extends Answer {
  /** What the client must return for the body. */
  readonly data: unknown;
  /** The same for a rotation, whose data must never be lost. */
  readonly rotated?: unknown;
}

const text = fc.oneof(fc.string({ maxLength: 30 }), fc.string({ unit: anyCharacter, maxLength: 10 }));

export const anyJson: fc.Arbitrary<unknown> = fc.jsonValue({ maxDepth: 4 });

const extraMembers = fc.dictionary(
  fc.oneof(fc.constantFrom("request_id", "message", "meta", "status", "error", "warnings"), text),
  anyJson,
  { maxKeys: 3 },
);

interface Body {
  readonly bytes: Buffer;
  readonly data: unknown;
  readonly rotated?: unknown;
}

const ofJson = (json: unknown, data: unknown): Body => {
  const parsed: unknown = data === undefined ? undefined : JSON.parse(JSON.stringify(data));
  return { bytes: Buffer.from(JSON.stringify(json)), data: parsed, rotated: parsed };
};

function withExtra(value: unknown, extra: object): unknown {
  if (Array.isArray(value)) return value;
  if (value === null) return Object.keys(extra).length > 0 ? extra : undefined;
  return typeof value === "object" ? { ...extra, ...value } : value;
}

/** An envelope with this data, in one of the forms that the interface and deployed servers use. */
export const envelopeOf = (data: fc.Arbitrary<unknown>): fc.Arbitrary<Body> =>
  fc
    .tuple(extraMembers, data)
    .map(([extra, value]) => ofJson({ ...extra, success: true, data: value }, withExtra(value, extra)));

/** No JSON. A rotation keeps what it says. */
const emptyHanded: fc.Arbitrary<Body> = fc
  .constantFrom("", "OK", "<!doctype html><html><title>done</title></html>", '{"success":true,"data":{"a":', "\0")
  .map((body) => ({ bytes: Buffer.from(body), data: undefined, rotated: body === "" ? undefined : body }));

const bareJson = fc
  .oneof(
    fc.array(anyJson),
    fc.dictionary(fc.constantFrom("id", "name", "key", "webhook"), anyJson, { minKeys: 1 }),
    fc.integer(),
  )
  .map((json) => ofJson(json, json));

export const anyBody = fc.oneof({ weight: 4, arbitrary: envelopeOf(anyJson) }, emptyHanded, bareJson);

type Encode = (body: Buffer) => Buffer;

/** The same characters: the bytes, and what the header says about them. */
const charsets: readonly (readonly [contentType: string | undefined, encode: Encode])[] = [
  ["application/json", (body) => body],
  ["application/json; charset=utf-8", (body) => body],
  ['APPLICATION/JSON;CHARSET="UTF-8"', (body) => body],
  ["application/problem+json", (body) => body],
  ["text/html", (body) => body],
  ["application/octet-stream; charset=no-such", (body) => body],
  ["application/json; charset=iso-8859-1", (body) => body],
  ["not a content type", (body) => body],
  [undefined, (body) => body],
  [undefined, (body) => (body.length > 0 ? Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), body]) : body)],
];

const wireHeaders = fc.array(
  fc.tuple(
    fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/).map((name) => `x-any-${name}`),
    fc.stringMatching(/^[\x21-\x7e]{0,40}$/),
  ),
  { maxLength: 60 },
);

const wire = fc.record({
  more: wireHeaders,
  requestId: fc.option(fc.stringMatching(/^[\w-]{1,40}$/), { nil: undefined }),
  framing: fc.constantFrom("length", "length", "chunked", "close"),
  pieces: fc.integer({ min: 1, max: 4 }),
  interim: fc.constantFrom("", "", "", "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n"),
});

/** A complete success with one of `bodies`. */
export const successWith = (bodies: fc.Arbitrary<Body>): fc.Arbitrary<Success> =>
  fc
    .record({
      wire,
      body: bodies,
      status: fc.constantFrom(200, 200, 200, 201, 202, 203, 207, 226, 299),
      charset: fc.constantFrom(...charsets),
    })
    .map(({ wire: { more, requestId, ...rest }, body, status, charset }) => {
      const bytes = charset[1](body.bytes);
      return {
        ...rest,
        status,
        data: body.data,
        rotated: body.rotated,
        body: bytes,
        headers: headers(more, requestId, charset[0]),
      };
    });

/** 204: no content. */
export const noContent: fc.Arbitrary<Success> = wire.map(({ more, requestId, ...rest }) => ({
  ...rest,
  status: 204,
  data: undefined,
  body: Buffer.alloc(0),
  headers: headers(more, requestId, undefined),
}));

function headers(
  more: [string, string][],
  requestId: string | undefined,
  contentType: string | undefined,
): [string, string][] {
  const known = { "x-request-id": requestId, "content-type": contentType };
  return [...more, ...Object.entries(known).flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))]; // prettier-ignore
}

/** Texts in errors. Some repeat the token. */
const words = fc.oneof(
  text,
  fc.constantFrom(...spellings).map((spell) => `no access for ${spell(token)}`),
);

/** As it is in JSON of an unknown shape, which is shown as it came. */
const saidOnce = fc.oneof(text, fc.constantFrom(`no access for ${token}`));

/** Errors of the contract, and other bodies. */
export const errorBody: fc.Arbitrary<Buffer> = fc
  .record({ code: fc.oneof(words, fc.integer()), message: words, json: anyJson, title: words, once: saidOnce })
  .chain(({ code, message, json, title, once }) =>
    fc.constantFrom<unknown>(
      { success: false, error: { code, message } },
      { success: false, error: { code, message }, data: json },
      { error: once },
      once,
      json,
      [json],
      Buffer.from(`<!doctype html><html><head><title>${title}</title></head><body>${message}</body></html>`),
      Buffer.from(message),
      Buffer.from('{"success":false,"error":{"code":"CUT","mess'),
      Buffer.of(0xff, 0xfe, 0x22),
      Buffer.alloc(0),
    ),
  )
  .map((body) => (Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))));

/**
 * An answer that is not a success: `statuses` from 300 on. Redirects point to `elsewhere`, with the token in the query.
 */
export const refusalWith = (
  statuses: fc.Arbitrary<number>,
  bodies: fc.Arbitrary<Buffer> = errorBody,
  elsewhere: () => string = () => "/elsewhere",
): fc.Arbitrary<Answer> =>
  fc
    .record({ wire, status: statuses, body: bodies, echoes: fc.boolean() })
    .map(({ wire: { more, requestId, ...rest }, status, body, echoes }) => {
      const known = headers(more, echoes ? token : requestId, "application/json");
      const location = `${elsewhere()}?t=${encodeURIComponent(token)}`;
      return {
        ...rest,
        status,
        // By the standard these two have no body.
        body: status === 304 ? Buffer.alloc(0) : body,
        headers: status < 400 ? [...known, ["location", location]] : known,
      };
    });
