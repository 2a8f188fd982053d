/** What is true of every setting. The rules of one kind are in its own file, and what a change sends in changes.test.ts. */
import type { Fault } from "../../../src/control-plane/index.js";
import type { Values } from "../../../src/values/any.js";
import { settings, type Setting } from "../../support/resources/settings.js";
import { lifecycles, type SettingType } from "../../support/resources/table.js";
import { anyRequestId } from "../../support/ids.js";
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

    /** Sets it, and empties journal and log. */
    async function set(more: Values = {}): Promise<World> {
      const the = await world(lifecycle);
      await the.engine.up(program(more));
      the.forgetRequests();
      the.engine.said();
      return the;
    }

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

    test("names each member of its body to reports, and the control plane keeps it", async () => {
      const { engine, plane } = await world(lifecycle);
      await engine.up(program());
      await engine.up(program(change));
      const bodies = plane.control.journal().map(({ body }) => body as Values | null);
      const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const members = new Set(bodies.flatMap((body) => Object.keys(body ?? {})));
      expect([...members].sort()).toEqual(lifecycle.bodyProperties.map(inSnakeCase).sort());
      expect(Object.values(plane.control.state()).flat()).toContainEqual(expect.objectContaining(bodies.at(-1) ?? {}));
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

      test("is refused where onDelete sends; otherwise a replacement, and the old organization's object stays as it is", async () => {
        const sending = await set(undo);
        sending.engine.around = { ...sending.engine.around, organization: "other" };
        expect(() => sending.engine.preview(program(undo))).toThrow("belongs to the organization acme");
        const { engine, journal } = await set();
        engine.around = { ...engine.around, organization: "other" };
        expect(engine.preview(program()).it).toEqual({ step: "replace" });
        await engine.up(program());
        expect(journal()).toEqual([request]);
        expect(engine.said()).toEqual([said(`${nothing} object there stays as it is.`)]);
      });
    });

    test("is as declared after a rename, and again: the old name's delete sends nothing and says so", async () => {
      const { engine, journal } = await set(undo);
      await engine.up({ renamed: program(undo).it });
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

    describe("after a request whose answer is lost,", () => {
      async function afterLoss(before: Values | undefined, declared: Values): Promise<World> {
        const the = await world(lifecycle);
        if (before) await the.engine.up(program(before));
        the.faults(lost);
        await messageOf(the.engine.up(program(declared)));
        the.faults();
        the.journal();
        the.engine.said();
        return the;
      }

      test("is sent again, although the change was reverted and the state refreshed; the preview says why", async () => {
        const { engine, journal } = await afterLoss({}, change);
        expect(engine.preview(program()).it).toEqual({ step: "update" });
        expect(engine.said()).toEqual([`${doubt} It is sent once more.`]);
        await engine.refresh();
        expect(engine.outputsOf("it")).toMatchObject({ ...state, uncertain: "update" });
        expect(await engine.up(program())).toEqual({ it: "update" });
        expect(journal()).toEqual([request]);
        expect(await engine.up(program())).toEqual({ it: "same" });
      });

      test("that was its create, is sent again", async () => {
        const { engine, journal } = await afterLoss(undefined, {});
        await engine.refresh();
        expect(await engine.up(program())).toEqual({ it: "update" });
        expect(engine.said()).toEqual([`${doubt} It is sent once more.`]);
        expect(journal()).toEqual([request]);
        expect(await engine.up(program())).toEqual({ it: "same" });
      });

      test("is said by what ends without a request: a retaining delete, a rename, another organization's delete", async () => {
        const adopted = { renamed: { ...args, onCreate: "adopt" } };
        for (const [declared, organization, ends] of [
          [{}, "acme", said('stays as it was last set, because onDelete is "retain". Nothing was sent.')],
          [adopted, "acme", said("still declared by this program, so deleting it here sent nothing.")],
          [{}, "other", said("this provider talks to other, so nothing was sent and the object there stays as it is.")],
        ] as const) {
          const { engine, journal } = await afterLoss({}, change);
          engine.around = { ...engine.around, organization };
          await engine.up(declared);
          expect(journal()).toEqual([]);
          expect(engine.said().toSorted()).toEqual([doubt, ends].toSorted());
        }
      });
    });

    test("whose request was refused is as before", async () => {
      const { engine, faults } = await set();
      faults(refused);
      await messageOf(engine.up(program(change)));
      expect(await engine.up(program())).toEqual({ it: "same" });
    });

    describe("with reassertAfter", () => {
      const again = program({ reassertAfter: "7d" });

      test("is sent once when due, also if that was refused once, and the state has the next date", async () => {
        const { engine, journal, faults, today } = await set({ reassertAfter: "7d" });
        today("2026-01-07");
        expect(engine.preview(again).it).toEqual({ step: "same" });
        today("2026-01-08");
        faults(refused);
        await messageOf(engine.up(again));
        expect(engine.preview(again).it).toEqual({ step: "update" });
        await engine.up(again);
        expect(engine.inputsOf("it")).toMatchObject({ reassertOn: "2026-01-15" });
        expect(await engine.up(again)).toEqual({ it: "same" });
        expect(journal()).toEqual([request, request]);
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
