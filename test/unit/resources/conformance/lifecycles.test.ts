/** The resources, called as the engine calls them, against every server that the interface allows. */
import fc from "fast-check";
import { Client } from "../../../../src/client/client.js";
import { outcomeOf } from "../../../../src/client/errors.js";
import { LostAnswerError } from "../../../../src/lifecycle/lost-answer.js";
import type { ResourceType } from "../../../../src/resources/index.js";
import type { Values } from "../../../../src/values/any.js";
import { FakeTime } from "../../../support/client/fake-time.js";
import { Engine } from "../../../support/played-engine.js";
import { anyJson, envelopeOf, successWith } from "./answers.js";
import { expectNoSecret, secretNumber, token } from "./canaries.js";
import { maxResponseBytes } from "./losses.js";
import { anyScript } from "./moves.js";
import { lifecycles, types } from "../../../support/resources/table.js";
import { property } from "../../../support/resources/property.js";
import { startScriptedServer, type Move, type ScriptedServer } from "./server.js";

let server: ScriptedServer;

beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

/** A resource's first declaration and its changed one. Both send a request. */
interface Declared {
  readonly first: Values;
  readonly then: Values;
}

const declared: Record<ResourceType, Declared> = {
  RetentionPolicy: {
    first: { resource: "recordings", onCreate: "overwrite", retentionDays: 30 },
    then: { resource: "recordings", onCreate: "overwrite", retentionDays: 60 },
  },
  NetworkPolicy: {
    first: { networkPolicyId: "np_1", onCreate: "overwrite", name: "Office" },
    then: { networkPolicyId: "np_1", onCreate: "overwrite", name: "Home" },
  },
  TrunkOutboundAuth: {
    first: { trunkId: "t_1", cleared: true },
    then: { trunkId: "t_1", cleared: true, triggers: { n: 1 } },
  },
  WebhookSecret: {
    first: { webhookId: "wh_1", onCreate: "rotate" },
    then: { webhookId: "wh_1", onCreate: "rotate", triggers: { n: 1 } },
  },
};

interface Up {
  readonly error: unknown;
  readonly said: string[];
  readonly last: Move["kind"] | undefined;
  readonly commits: number;
  readonly outputs: Values | undefined;
}

/** Runs one `up` for each script, with the first declaration and then the changed one. */
async function ups(
  type: ResourceType,
  scripts: readonly (readonly Move[])[],
  check: (up: Up, before: Values | undefined) => void,
): Promise<void> {
  const { first, then } = declared[type];
  const time = new FakeTime();
  const client = new Client({ baseUrl: server.baseUrl, token }, time, { maxResponseBytes });
  const around = { organization: "acme", api: client, now: () => new Date("2026-01-01T12:00:00Z") };
  const engine = new Engine(lifecycles[type], around);
  try {
    for (const [n, script] of scripts.entries()) {
      server.play(script, time);
      const before = engine.outputsOf("it");
      const error: unknown = await engine.up({ it: n === 0 ? first : { ...then } }).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      const outputs = engine.outputsOf("it");
      check({ error, said: engine.said(), last: server.made.at(-1)?.kind, commits: server.commits(), outputs }, before);
    }
  } finally {
    await client.close();
  }
}

/** Rotations have the most rules. */
const anyType = fc.constantFrom(...types, "WebhookSecret", "WebhookSecret");
const secret = secretNumber(1);

const places: readonly unknown[] = [
  secret,
  { signing_secret: secret },
  { webhook: { id: "wh_1", secret } },
  { key: secret, meta: { previous_secret_expires_at: null } },
  { value: { hidden: [secret] } },
  [secret],
];

/** Data of a rotation: the secret in the expected place, in another place, or nowhere. */
const rotationData = fc.oneof(
  fc.constantFrom<unknown>(
    ...places,
    { "4dabf18193072939515e22adb298388d": "c44067f5952c0a294b673a41bacd8c17", path: "/etc/passwd", secret: 7 },
    "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
    null,
  ),
  anyJson,
);
const script = anyScript({ successes: successWith(envelopeOf(rotationData)) });

property(
  "an up succeeds exactly if the server confirms the request; otherwise its error is known, and the state has what may have happened",
  fc.tuple(anyType, fc.array(script, { minLength: 1, maxLength: 4 })),
  async ([type, scripts]) => {
    await ups(type, scripts, ({ error, said, last, commits, outputs }, before) => {
      expect(error === undefined).toBe(last === undefined || last === "done");
      expectNoSecret(said);
      // The engine would read it as an asset or another special value.
      expect(JSON.stringify(outputs ?? {})).not.toMatch(/"4dabf18193072939515e22adb298388d":/);
      expect(outputs?.secret).not.toBe("04da6b54-80e4-46f7-96ec-b56ff0331ba9");
      if (type === "WebhookSecret") expect(commits).toBeLessThanOrEqual(1);
      if (error === undefined) return;
      expectNoSecret(error);
      expect(error instanceof LostAnswerError || outcomeOf(error) !== "unknown").toBe(true);
      if (type !== "WebhookSecret") return;
      if (commits > 0) expect(outputs).toMatchObject({ rotationState: "uncertain" });
      // What was known before is still known.
      for (const key of ["secret", "previousSecret", "data"]) expect(outputs?.[key]).toEqual(before?.[key]);
    });
  },
  200,
);

/** Puts a secret into any place of a complete answer, JSON or not. */
const tellingAnswer = fc.oneof(
  successWith(envelopeOf(fc.oneof(...places.map((place) => fc.constant(place))))),
  successWith(
    fc.constantFrom(
      ...[
        { success: true, signing_secret: secret },
        { success: true, data: null, webhook: { id: "wh_1", key: secret } },
        { success: true, data: { id: "wh_1" }, meta: { hidden: secret } },
        secret,
      ].map((said) => ({
        bytes: Buffer.from(typeof said === "string" ? said : JSON.stringify(said)),
        data: undefined,
      })),
    ),
  ),
);

property(
  "the state has the secret of a rotation's answer, wherever the answer holds it",
  tellingAnswer,
  async (answer) => {
    await ups("WebhookSecret", [[{ kind: "done", answer }]], ({ outputs }) => {
      expect(JSON.stringify(outputs)).toContain(secret);
    });
  },
  75,
);
