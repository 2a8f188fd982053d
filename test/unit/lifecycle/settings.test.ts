/** What is true of every setting. The rules of one kind are in its own file, and what a change sends in changes.test.ts. */
import type { Fault } from "../../../src/control-plane/index.js";
import type { Values } from "../../../src/values/any.js";
import { settings, type Setting } from "../../support/resources/settings.js";
import { lifecycles, type SettingType } from "../../support/resources/table.js";
import { dying, type Dying } from "../../support/resources/dying.js";
import { anyRequestId } from "../../support/ids.js";
import type { Program } from "../../support/played-engine.js";
import { ids, messageOf, world, type World } from "../../support/world.js";

const lost: Fault = { operation: "*", connection: "reset", commit: true };
const refused: Fault = { operation: "*", status: 403, count: 1 };

describe.each(Object.entries(settings) as [SettingType, Setting][])(
  "a %s",
  (type, { id, args, state, request, change, changed, undo, undone, loses }) => {
    const lifecycle = lifecycles[type];
    const program = (more: Values = {}) => ({ it: { ...args, ...more } });
    const said = (text: string) => `warning: ${type} "${id}" of acme: ${text}`;
    const doubt = said(`it is unknown whether its last request was carried out${loses}.`);

    /** The lines that say it: one, of the request if that has a risk. */
    const doubts = ({ engine }: World) =>
      [...engine.said(), ...engine.risks()].filter((line) => /last request (may have been|was) carried out/.test(line));

    /** Sets it, and empties journal and log. */
    async function setIn<W extends World>(the: W, more: Values = {}): Promise<W> {
      await the.engine.up(program(more));
      the.forgetRequests();
      the.engine.said();
      return the;
    }
    const set = async (more: Values = {}) => setIn(await world(lifecycle), more);

    test("is set by one request, and neither the same program nor a refresh nor a destroy sends anything", async () => {
      const { engine, journal } = await world(lifecycle);
      expect(await engine.up(program())).toEqual({ it: "create" });
      expect(journal()).toEqual([request]);
      expect(engine.outputsOf("it")).toEqual({ organization: "acme", requestId: anyRequestId, ...state });
      await engine.refresh();
      expect(await engine.up(program())).toEqual({ it: "same" });
      await engine.destroy();
      expect(journal()).toEqual([]);
      // Previews of some programs only say `delete`.
      expect(engine.said()).toEqual([
        said('stays as it was last set, because onDelete is "retain". Nothing was sent.'),
      ]);
    });

    test("gets what onDelete says, silently; a refusal is an error, and the next destroy tries again", async () => {
      const { engine, journal, faults } = await set(undo);
      faults(refused);
      expect(await messageOf(engine.destroy())).toContain("was refused: 403");
      await engine.destroy();
      expect(journal()).toEqual([undone, undone]);
      expect(engine.said()).toEqual([]);
    });

    describe("through another organization's provider", () => {
      const nothing = "this provider talks to other, so nothing was sent and the";

      test("gets nothing from a refresh or destroy, which say so", async () => {
        const { engine, journal } = await set(undo);
        engine.around = { ...engine.around, organization: "other" };
        await engine.refresh();
        await engine.destroy();
        expect(journal()).toEqual([]);
        expect(engine.said()).toEqual([
          said(`${nothing} state is kept as it is.`),
          said(`${nothing} object there stays as it is.`),
        ]);
      });

      test("is a replacement, and the old organization's object stays as it is", async () => {
        const { engine, journal } = await set(undo);
        engine.around = { ...engine.around, organization: "other" };
        expect(engine.preview(program(undo)).it).toEqual({ step: "replace", lines: ["~ organization: acme => other"] });
        await engine.up(program(undo));
        expect(journal()).toEqual([request]);
        expect(engine.said()).toEqual([said(`${nothing} object there stays as it is.`)]);
      });
    });

    test("is as declared after a rename, also one that is interrupted: the old name's delete sends nothing and says so", async () => {
      const { engine, journal } = await set(undo);
      await engine.up({ renamed: program(undo).it }, { interruptBeforeDeletes: true });
      expect(journal()).toEqual([request]);
      await engine.up({ renamed: program(undo).it });
      expect(journal()).toEqual([]);
      expect(engine.said()).toEqual([said("still declared by this program, so deleting it here sent nothing.")]);
    });

    test("is set again by --replace and a taint, and not deleted", async () => {
      const { engine, journal } = await set(undo);
      expect(await engine.up(program(undo), { replace: ["it"] })).toEqual({ it: "replace" });
      expect(journal()).toEqual([request]);
    });

    describe.each(["whose answer is lost", "that dies with its run"])("after a request %s,", (how) => {
      const dies = how.includes("dies");

      async function lose({ engine, diesAfter, faults, journal }: Dying, declared: Program) {
        if (dies) await diesAfter(() => engine.up(declared));
        else {
          faults(lost);
          await messageOf(engine.up(declared));
          faults();
        }
        journal();
        engine.said();
      }

      test("is sent again, although the change was reverted and the state refreshed; the preview says why", async () => {
        const the = await setIn(await dying(lifecycle));
        const { engine, journal } = the;
        await lose(the, program(change));
        expect(engine.preview(program()).it).toEqual({ step: "update", lines: [] });
        expect(doubts(the)).toHaveLength(1);
        await engine.refresh();
        expect(engine.outputsOf("it")).toMatchObject({ ...state, uncertain: "update" });
        expect(await engine.up(program())).toEqual({ it: "update" });
        expect(journal()).toEqual([request]);
        expect(await engine.up(program())).toEqual({ it: "same" });
      });

      test("that was its create, is sent again, and the update says why where the state says so", async () => {
        const the = await dying(lifecycle);
        const { engine, journal } = the;
        await lose(the, program());
        await engine.refresh();
        engine.risks();
        expect(await engine.up(program())).toEqual({ it: dies ? "create" : "update" });
        expect(doubts(the)).toHaveLength(dies ? 0 : 1);
        expect(journal()).toEqual([request]);
        expect(await engine.up(program())).toEqual({ it: "same" });
      });

      test("is said by what ends without a request: a retaining delete, an adoption by another name, another organization's delete", async () => {
        const retained = said('stays as it was last set, because onDelete is "retain". Nothing was sent.');
        const renamed = said("still declared by this program, so deleting it here sent nothing.");
        const adopted = { renamed: { ...args, onCreate: "adopt" } };
        for (const [declared, organization, ends] of [
          [{}, "acme", retained],
          [adopted, "acme", renamed],
          [{}, "other", said("this provider talks to other, so nothing was sent and the object there stays as it is.")],
        ] as const) {
          const the = await setIn(await dying(lifecycle));
          await lose(the, program(change));
          the.engine.around = { ...the.engine.around, organization };
          await the.engine.up(declared);
          expect(the.journal()).toEqual([]);
          expect(the.engine.said().toSorted()).toEqual([doubt, ends].toSorted());
        }
      });

      test("is not said of an object that the same run has set under another name", async () => {
        const the = await setIn(await dying(lifecycle));
        await lose(the, program(change));
        await the.engine.up({ renamed: program().it });
        expect(the.journal()).toEqual([request]);
        expect(the.engine.said()).toEqual([said("still declared by this program, so deleting it here sent nothing.")]);
      });
    });

    test.each([
      ["is repeated by the next destroy", {}, undone],
      ["is followed by what the program declares again", program(undo), request],
    ])("a delete that dies with its run %s", async (_what, declared, expected) => {
      const the = await setIn(await dying(lifecycle), undo);
      const { engine, diesAfter, journal } = the;
      await diesAfter(() => engine.up({}));
      journal();
      engine.risks();
      await engine.up(declared);
      expect(doubts(the)).toHaveLength(1);
      expect(journal()).toEqual([expected]);
    });

    test("whose request was refused is as before", async () => {
      const { engine, faults } = await setIn(await dying(lifecycle));
      faults(refused);
      await messageOf(engine.up(program(change)));
      expect(await engine.up(program())).toEqual({ it: "same" });
    });

    describe("with reassertAfter", () => {
      const again = program({ reassertAfter: "7d" });

      test("is sent once when due, also if that was refused once, and the preview names the date", async () => {
        const { engine, journal, faults, today } = await set({ reassertAfter: "7d" });
        today("2026-01-07");
        expect(engine.preview(again).it).toEqual({ step: "same", lines: [] });
        today("2026-01-08");
        faults(refused);
        await messageOf(engine.up(again));
        expect(engine.preview(again).it).toEqual({
          step: "update",
          lines: ["~ reassertOn: 2026-01-08 => 2026-01-15"],
        });
        await engine.up(again);
        expect(await engine.up(again)).toEqual({ it: "same" });
        expect(journal()).toEqual([request, request]);
      });

      test("keeps its date under a clock that is behind, and the warning says what to do", async () => {
        const { engine, journal, clock } = await set({ reassertAfter: "7d" });
        clock("2020-01-01");
        await engine.up(again);
        expect(engine.said()).toEqual([
          said(
            "reassertOn 2026-01-08 is more than a period after today, 2020-01-01: fix this machine's clock, or remove reassertAfter once.",
          ),
        ]);
        clock("2026-01-02");
        expect(await engine.up(again)).toEqual({ it: "same" });
        expect(journal()).toEqual([]);
      });
    });

    describe("that is adopted", () => {
      const adopting = (more: Values = {}) => program({ onCreate: "adopt", ...more });

      test("gets no request, and its state says that it was not confirmed", async () => {
        const { engine, journal } = await world(lifecycle);
        expect(await engine.up(adopting())).toEqual({ it: "create" });
        await engine.refresh();
        expect(await engine.up(adopting())).toEqual({ it: "same" });
        // Other arguments, onCreate too, are stored.
        await engine.up(program({ reassertAfter: "7d" }));
        expect(journal()).toEqual([]);
        expect(engine.outputsOf("it")).toEqual({
          organization: "acme",
          ...state,
          confirmed: false,
          requestId: anyRequestId,
        });
      });

      test("is confirmed by its first request, if that is neither refused nor lost", async () => {
        const { engine, faults, journal } = await world(lifecycle);
        await engine.up(adopting());
        faults(refused);
        await messageOf(engine.up(adopting(change)));
        expect(engine.outputsOf("it")).toMatchObject({ ...state, confirmed: false });
        faults(lost);
        await messageOf(engine.up(adopting(change)));
        expect(engine.outputsOf("it")).toMatchObject({ ...state, confirmed: false, uncertain: "update" });
        faults();
        journal();
        await engine.up(adopting(change));
        expect(journal()).toEqual([changed]);
        expect(engine.outputsOf("it")).not.toHaveProperty("confirmed");
      });

      test("is adopted again by a replacement, also with other values: the server keeps what it has", async () => {
        const { engine, journal } = await world(lifecycle);
        await engine.up(adopting());
        await engine.up(adopting(change), { replace: ["it"] });
        await engine.up({ renamed: adopting(change).it });
        expect(journal()).toEqual([]);
        expect(engine.outputsOf("renamed")).toMatchObject({ ...change, confirmed: false });
      });
    });
  },
);

describe("an object whose create lost its answer must neither be forgotten nor block:", () => {
  const kept = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" };
  const once: Fault = { operation: "*", status: 500, commit: true, count: 1 };

  async function afterLostCreate() {
    const the = await world(lifecycles.RetentionPolicy);
    the.faults(once);
    await messageOf(the.engine.up({ kept }));
    expect(the.engine.outputsOf("kept")).toMatchObject({ uncertain: "create" });
    return the;
  }

  test("an id that the server answers 500 for can be corrected, and its delete blocks nothing", async () => {
    const { engine, plane, journal, forgetRequests } = await world(lifecycles.NetworkPolicy);
    const args = { onCreate: "overwrite", name: "HQ", onDelete: { name: "Undone" } };
    expect(await messageOf(engine.up({ office: { networkPolicyId: "a-typo", ...args } }))).toContain(
      "A 500 may also mean an unknown id: check the id first.",
    );
    forgetRequests();
    await engine.up({ office: { networkPolicyId: ids.office, ...args } });
    expect(journal()).toEqual([
      `PATCH /v1/network-policies/${ids.office} {"name":"HQ"}`,
      'PATCH /v1/network-policies/a-typo {"name":"Undone"}',
    ]);
    expect(engine.said()[1]).toContain(
      'warning: NetworkPolicy "a-typo" of acme: was never confirmed, and is left as it is: PATCH /v1/network-policies/a-typo failed: 500',
    );
    expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
  });

  test.each([400, 404, 410, 422])("a denial by %i lets it go, also after a second loss", async (status) => {
    const { engine, faults } = await afterLostCreate();
    faults(once);
    await messageOf(engine.up({ kept }));
    faults({ operation: "*", status });
    await engine.destroy();
    expect(engine.said().join()).toContain("was never confirmed, and is left as it is");
  });

  test.each<Partial<Fault>>([
    { status: 401 },
    { status: 403 },
    { status: 429, retryAfter: 3600 },
    { status: 500 },
    { status: 503 },
    { connection: "reset" },
  ])("%j does not end its delete: the next destroy tries again", async (fault) => {
    const { engine, journal, forgetRequests, faults } = await afterLostCreate();
    faults({ operation: "*", ...fault });
    await messageOf(engine.destroy());
    faults();
    forgetRequests();
    await engine.destroy();
    expect(journal()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}']);
  });

  test("one that was confirmed once is never left behind because a later answer was lost", async () => {
    const { engine, faults } = await world(lifecycles.RetentionPolicy);
    await engine.up({ kept });
    faults(once);
    await messageOf(engine.up({ kept: { ...kept, retentionDays: 91 } }));
    faults({ operation: "*", status: 404 });
    expect(await messageOf(engine.destroy())).toContain("was refused: 404");
  });
});
