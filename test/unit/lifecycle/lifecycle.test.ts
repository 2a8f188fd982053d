import { diagnosticText, type Diagnostic } from "../../../src/values/diagnostic";
import { unknownValue, containsUnknown } from "../../../src/values/engine.js";
import { inspect } from "node:util";
import { keepStateIfLost, LostAnswerError } from "../../../src/lifecycle/lost-answer.js";
import type { Context } from "../../../src/lifecycle/context.js";
import { objectKeys } from "../../../src/lifecycle/object.js";
import { NoteSet, type Note } from "../../../src/lifecycle/notes.js";
import { withRules } from "../../../src/resources/definition.js";
import { retentionPolicyLifecycle } from "../../../src/resources/retention-policy/lifecycle.js";
import { webhookSecretLifecycle } from "../../../src/resources/webhook-secret/lifecycle.js";
import { anyRequestId } from "../../support/ids.js";
import { checkContext } from "../../support/resources/check-context.js";

const contextOf = (address: string, organization = "acme"): Context => checkContext({ address, organization });

const inputs = {
  organization: "acme",
  resource: "recordings",
  onCreate: "overwrite",
  retentionDays: 90,
  enabled: true,
  onDelete: "retain",
} as const;

test("an error that carries state shows none of it", async () => {
  const state = { organization: "acme", secret: "canary-5f1c" };
  const error: unknown = await keepStateIfLost(() => Promise.reject(new Error("lost")), state).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LostAnswerError);
  expect((error as LostAnswerError).state).toEqual(state);
  expect((error as LostAnswerError).stack).toBe("LostAnswerError: lost");
  expect(inspect(error, { depth: 9 }) + JSON.stringify(error) + String((error as Error).stack)).not.toContain("canary");
});

test("a value is found to be unknown at any depth", () => {
  expect(containsUnknown({ a: [{ b: unknownValue }] })).toBe(true);
  expect(containsUnknown({ a: [{ b: `${unknownValue} ` }], [unknownValue]: 1, c: null })).toBe(false);
});

describe("onDelete", () => {
  const { onCreate: _create, onDelete: _delete, ...short } = inputs;

  test.each([
    ["is not there", short],
    ["is written, as in an import file", inputs],
  ])('where "retain" %s in the state, nothing changes and a delete sends nothing', async (_what, state) => {
    const ctx = contextOf("https://a.example.com", "acme");
    expect(retentionPolicyLifecycle.diff(ctx, state, inputs)).toEqual({ changes: false });
    expect(retentionPolicyLifecycle.diff(ctx, state, { ...inputs, onDelete: "disable" })).toEqual({ changes: true });
    // The context's client refuses every request.
    await expect(retentionPolicyLifecycle.delete(ctx, state)).resolves.toBeUndefined();
  });
});

describe("where requests go", () => {
  const lifecycle = withRules(retentionPolicyLifecycle);
  const args = { resource: "recordings", onCreate: "overwrite", retentionDays: 90 } as const;
  const [here, there] = ["https://a.example.com", "https://b.example.com"];
  const checked = (address: string, olds: object = {}) => lifecycle.check(contextOf(address), olds, args).inputs;
  const stateAt = (address: string) =>
    ({ organization: "acme", resource: "recordings", retentionDays: 90, enabled: true, address }) as const;

  test("is an input beside the organization's name, with a previous one if it is another", () => {
    for (const olds of [{}, checked(here)]) {
      expect(checked(here, olds)).toMatchObject({ organization: "acme", address: here });
      expect(checked(here, olds)).not.toHaveProperty("__movedFrom");
    }
    expect(checked(there, checked(here))).toMatchObject({ address: there, __movedFrom: here });
  });

  test("is an update that sends nothing where it is another address", async () => {
    const inputs = checked(there, checked(here));
    expect(lifecycle.diff(contextOf(there), stateAt(here), inputs)).toEqual({ changes: true });
    const updated = await lifecycle.update(contextOf(there), stateAt(here), inputs);
    expect(updated).toEqual({ ...stateAt(there), requestId: anyRequestId });
    expect(lifecycle.diff(contextOf(there), updated, checked(there, inputs))).toEqual({ changes: false });
  });

  test("is no update where it is not known", () => {
    expect(lifecycle.diff(contextOf(""), stateAt(here), checked("", checked(here)))).toEqual({ changes: false });
  });

  test("is where nothing is known of a setting yet, if it is another address", () => {
    const warnings: string[] = [];
    const log = { info: () => undefined, warn: (warning: Diagnostic) => void warnings.push(diagnosticText(warning)) };
    for (const address of [here, there]) {
      const ctx = { ...contextOf(address), log };
      lifecycle.diff(ctx, stateAt(here), lifecycle.check(ctx, checked(here), { ...args, retentionDays: 120 }).inputs);
    }
    expect(warnings).toEqual([
      'RetentionPolicy "recordings" of acme: this update deletes data. [deletes-data]',
    ]);
  });

  test("is not kept by ignoreChanges", () => {
    const olds = checked(here);
    const { inputs, problems } = lifecycle.check(contextOf(there), olds, { ...args, address: here });
    expect({ inputs, problems }).toMatchObject({ inputs: { address: there, __movedFrom: here }, problems: [] });
  });
});

describe("a delete, by what the processes of the run have noted", () => {
  const lifecycle = withRules(retentionPolicyLifecycle);
  const state = { ...inputs, onDelete: "disable" } as const;
  const here = "https://a.example.com";
  const namesOf = (organization: string, address?: string) =>
    objectKeys(retentionPolicyLifecycle, "recordings", { organization, address });
  const noted = (says: "declared" | "registered", keys: string[]): Note[] => keys.map((key) => ({ says, key }));
  const [own, others] = [namesOf("acme"), namesOf("other", "https://b.example.com")];
  const [ownDeclared, othersDeclared] = [noted("declared", own), noted("declared", others)];
  const whyIncomplete = new Error("the notes cannot be read");
  const setOf = (notes: Note[]): NoteSet => {
    const set = new NoteSet();
    for (const note of notes) set.add(note);
    return set;
  };
  /** What a delete sends; it rejects as the delete does. */
  async function sentBy(providers: Note[], program: Note[], more: { whyIncomplete?: Error } = {}): Promise<unknown[]> {
    const sent: unknown[] = [];
    const ctx: Context = {
      ...contextOf(here),
      api: { send: (...request) => Promise.resolve(void sent.push(request.slice(0, 3))) },
      run: {
        note: () => undefined,
        notes: () => ({ providers: setOf(providers), program: setOf(program), ...more }),
      },
    };
    await lifecycle.delete(ctx, state).catch((error: unknown) => {
      expect(sent).toEqual([]);
      throw error;
    });
    return sent;
  }

  test.each([
    ["nobody declares the object", [], []],
    ["others are declared", othersDeclared, othersDeclared],
  ])("is sent where %s", async (_what, providers, program) => {
    expect(await sentBy(providers, program)).toEqual([
      ["putRetentionPolicy", { resource: "recordings" }, { retention_days: 90, enabled: false }],
    ]);
  });

  test.each([
    ["the program declares the object and is still to register it", [], ownDeclared, {}],
    ["the program has registered another one", [], [...ownDeclared, ...noted("registered", others)], {}],
    [
      "a provider declares it under another name of the organization at the same address",
      noted("declared", namesOf("acme-eu", here)),
      [],
      {},
    ],
    ["a provider declares it, even if other notes may be missing", ownDeclared, [], { whyIncomplete }],
  ])("is not sent where %s", async (_what, providers, program, more) => {
    expect(await sentBy(providers, program, more)).toEqual([]);
  });

  test("fails where the program has registered the object and this run leaves it out, or notes may be missing", async () => {
    await expect(sentBy([], [...ownDeclared, ...noted("registered", own)])).rejects.toThrow(
      /^RetentionPolicy "recordings" of acme: .*nothing was sent.*--target.*--run-program/,
    );
    await expect(sentBy([], [], { whyIncomplete })).rejects.toBe(whyIncomplete);
  });

  test("of a webhook fails where notes may be missing, unless its state has no secret to lose", async () => {
    const notes = () => ({ providers: setOf([]), program: setOf([]), whyIncomplete });
    const ctx = { ...contextOf(here), run: { note: () => undefined, notes } };
    const deleting = (known: object) => {
      const adopted = { organization: "acme", webhookId: "wh_1", rotationCount: 0, rotationState: "adopted" } as const;
      return withRules(webhookSecretLifecycle).delete(ctx, { ...adopted, ...known });
    };
    await expect(deleting({ secret: "s3cret" })).rejects.toBe(whyIncomplete);
    await expect(deleting({ data: { key: "s3cret" } })).rejects.toBe(whyIncomplete);
    await deleting({});
  });
});

describe("ignoreChanges, by which the engine hands the old computed inputs in again", () => {
  const day = (date: string) => ({ ...contextOf("", "acme"), now: () => new Date(`${date}T00:00:00Z`) });
  const webhook = withRules(webhookSecretLifecycle);
  const args = { webhookId: "wh_1", onCreate: "rotate", rotateAfter: "90d" };

  test.each([
    ["a date keeps it, so that it never comes", { ...args, rotateOn: "2026-04-01" }],
    ["everything keeps everything", { ...args, organization: "acme", rotateOn: "2026-04-01" }],
  ])("of %s", (_what, kept) => {
    const olds = webhook.check(day("2026-01-01"), {}, args).inputs;
    expect(olds.rotateOn).toBe("2026-04-01");
    const { inputs, problems } = webhook.check(day("2026-05-01"), olds, kept);
    // No event of the engine has the option, so the inputs say it.
    expect({ inputs, problems }).toEqual({ inputs: { ...olds, __ignored: ["rotateOn"] }, problems: [] });
    expect(webhook.check(day("2026-05-02"), inputs, args).inputs).toMatchObject({ __due: "2026-04-01" });
    expect(webhook.check(day("2026-05-02"), inputs, args).inputs).not.toHaveProperty("__ignored");
  });

  test("of the organization's name keeps it, and nothing is sent to another one", async () => {
    const olds = webhook.check(day("2026-01-01"), {}, args).inputs;
    const elsewhere = { ...day("2026-01-02"), organization: "other" };
    const { inputs, problems } = webhook.check(elsewhere, olds, { ...args, organization: "acme" });
    expect({ inputs, problems }).toEqual({ inputs: olds, problems: [] });
    const state = { organization: "acme", webhookId: "wh_1", rotationCount: 0, rotationState: "adopted" } as const;
    expect(await webhook.update(elsewhere, state, { ...inputs, triggers: { n: 1 } })).toEqual(state);
  });

  test("is no way to write them: a value that is not the old one is refused", () => {
    const olds = webhook.check(day("2026-01-01"), {}, args).inputs;
    const { problems } = webhook.check(day("2026-01-02"), olds, { ...args, rotateOn: "2027-01-01" });
    expect(problems.map(({ path }) => path)).toEqual([["rotateOn"]]);
  });
});
