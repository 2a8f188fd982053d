/** What is true of every setting. The rules of one kind are in its own file, and what a change sends in changes.test.ts. */
import type { Fault } from "../../../src/control-plane/index.js";
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { retentionPolicy } from "../../../src/resources/retention-policy.js";
import type { Values } from "../../../src/resources/lifecycle.js";
import { anyRowId } from "../../support/ids.js";
import { settings } from "../../support/resources/settings.js";
import { ids, messageOf, world } from "../../support/world.js";

const lost: Fault = { operation: "*", connection: "reset", commit: true };

describe.each(settings)("a $type", ({ type, lifecycle, id, args, state, request, change, changed, undo, undone }) => {
  const program = (more: Values = {}) => ({ it: { ...args, ...more } });
  const said = (text: string) => `warning: ${type} "${id}" of acme: ${text}`;

  /** A world in which it has been set, and whose journal and log are empty. */
  async function set(more: Values = {}) {
    const the = await world(lifecycle);
    await the.engine.up(program(more));
    the.forgetRequests();
    the.engine.said();
    return the;
  }

  test("is set by one request, and neither the same program nor a refresh sends anything", async () => {
    const { engine, journal } = await world(lifecycle);
    expect(await engine.up(program())).toEqual({ it: "create" });
    expect(journal()).toEqual([request]);
    expect(engine.outputsOf("it")).toEqual({ organization: "acme", requestId: anyRowId, ...state });
    await engine.refresh();
    expect(await engine.up(program())).toEqual({ it: "same" });
    expect(journal()).toEqual([]);
  });

  describe("on destroy", () => {
    test("stays as it is, and says so, because previews of some programs only say `delete`", async () => {
      const { engine, journal } = await set();
      await engine.destroy();
      expect(journal()).toEqual([]);
      expect(engine.said()).toEqual([
        said('stays as it was last set, because onDelete is "retain". Nothing was sent.'),
      ]);
    });

    test("gets what onDelete says, silently; a refusal is an error, and the next destroy tries again", async () => {
      const { engine, journal, faults } = await set(undo);
      faults({ operation: "*", status: 403, count: 1 });
      expect(await messageOf(engine.destroy())).toContain("was refused: 403");
      await engine.destroy();
      expect(journal()).toEqual([undone, undone]);
      expect(engine.said()).toEqual([]);
    });

    test("or refresh through another organization's provider gets nothing, and says so", async () => {
      const { engine, journal } = await set(undo);
      engine.around = { ...engine.around, organization: "other" };
      await engine.refresh();
      await engine.destroy();
      expect(journal()).toEqual([]);
      const nothing = "this provider talks to other, so nothing was sent and the";
      expect(engine.said()).toEqual([
        said(`${nothing} state is kept as it is.`),
        said(`${nothing} object there stays as it is.`),
      ]);
    });
  });

  describe("that has two names for a moment", () => {
    test("is as declared after a rename: the old name's delete sends nothing and says so", async () => {
      const { engine, journal } = await set(undo);
      await engine.up({ renamed: program(undo).it });
      expect(journal()).toEqual([request]);
      expect(engine.said()).toEqual([said("still declared by this program, so deleting it here sent nothing.")]);
    });

    test("is as declared also after a rename that was interrupted before the delete", async () => {
      const { engine, journal, forgetRequests } = await set(undo);
      await engine.up({ renamed: program(undo).it }, { interruptBeforeDeletes: true });
      forgetRequests();
      await engine.up({ renamed: program(undo).it });
      expect(journal()).toEqual([]);
    });

    test("is set again by --replace and a taint, and not deleted", async () => {
      const { engine, journal } = await set(undo);
      expect(await engine.up(program(undo), { replace: ["it"] })).toEqual({ it: "replace" });
      expect(journal()).toEqual([request]);
    });
  });

  test("of another organization is a replacement, and the old organization's object stays as it is", async () => {
    const { engine, journal } = await set(undo);
    engine.around = { ...engine.around, organization: "other" };
    expect(engine.preview(program(undo)).it).toEqual({ step: "replace", lines: ["~ organization: acme => other"] });
    await engine.up(program(undo));
    expect(journal()).toEqual([request]);
    expect(engine.said()).toEqual([
      said("this provider talks to other, so nothing was sent and the object there stays as it is."),
    ]);
  });

  describe("whose request lost its answer", () => {
    test("keeps its old values and inputs, and is sent again", async () => {
      const { engine, faults, journal, forgetRequests } = await set();
      faults({ operation: "*", status: 501, commit: true, count: 1 });
      const message = await messageOf(engine.up(program(change)));
      expect(message).toContain("Whether it was carried out is unknown; sending it again does no harm.");
      expect(engine.inputsOf("it")).toMatchObject(args);
      expect(engine.outputsOf("it")).toMatchObject({ ...state, uncertain: "update" });
      forgetRequests();
      expect(await engine.up(program(change))).toEqual({ it: "update" });
      expect(journal()).toEqual([changed]);
      expect(engine.outputsOf("it")).toEqual({ organization: "acme", requestId: anyRowId, ...state, ...change });
    });

    test("is sent in its old form where the change is taken back, also after a refresh, and the preview says why", async () => {
      const { engine, faults, journal, forgetRequests } = await set();
      faults(lost);
      await messageOf(engine.up(program(change)));
      faults();
      await engine.refresh();
      forgetRequests();
      engine.said();
      expect(engine.preview(program()).it).toEqual({ step: "update", lines: [] });
      expect(engine.said()).toEqual([said("it is unknown whether its last request was carried out.")]);
      expect(await engine.up(program())).toEqual({ it: "update" });
      expect(journal()).toEqual([request]);
      expect(await engine.up(program())).toEqual({ it: "same" });
    });

    test("on its create is kept, and sent again", async () => {
      const { engine, faults, journal, forgetRequests } = await world(lifecycle);
      faults(lost);
      await messageOf(engine.up(program()));
      faults();
      forgetRequests();
      await engine.refresh();
      expect(await engine.up(program())).toEqual({ it: "update" });
      expect(journal()).toEqual([request]);
      expect(await engine.up(program())).toEqual({ it: "same" });
    });

    test("is another thing than one that was refused, which leaves nothing uncertain", async () => {
      const { engine, faults } = await set();
      faults({ operation: "*", status: 403, count: 1 });
      await messageOf(engine.up(program(change)));
      expect(await engine.up(program())).toEqual({ it: "same" });
    });
  });

  describe("with reassertAfter", () => {
    const again = program({ reassertAfter: "7d" });

    test("is sent once when due, and the preview names the date", async () => {
      const { engine, journal, today } = await set({ reassertAfter: "7d" });
      today("2026-01-07");
      expect(engine.preview(again).it).toEqual({ step: "same", lines: [] });
      today("2026-01-08");
      expect(engine.preview(again).it).toEqual({
        step: "update",
        lines: ["~ reassertOn: 2026-01-08 => 2026-01-15"],
      });
      await engine.up(again);
      expect(await engine.up(again)).toEqual({ it: "same" });
      expect(journal()).toEqual([request]);
    });

    test("is due still after a request that failed", async () => {
      const { engine, faults, journal, forgetRequests, today } = await set({ reassertAfter: "7d" });
      today("2026-01-08");
      faults({ operation: "*", status: 403, count: 1 });
      await messageOf(engine.up(again));
      forgetRequests();
      await engine.up(again);
      expect(journal()).toEqual([request]);
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

    test("sends nothing when that is added or removed", async () => {
      const { engine, journal } = await set();
      expect(await engine.up(again)).toEqual({ it: "same" });
      expect(await engine.up(program())).toEqual({ it: "same" });
      expect(engine.inputsOf("it")).not.toHaveProperty("reassertOn");
      expect(journal()).toEqual([]);
    });
  });
});

describe("an object whose create lost its answer must neither be forgotten nor block", () => {
  const kept = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" };
  const once = { operation: "*", status: 500, count: 1 } as const;

  test("an id that the server answers 500 for can be corrected, and its delete blocks nothing", async () => {
    const { engine, plane, journal, forgetRequests } = await world(networkPolicy);
    const args = { onCreate: "overwrite", name: "HQ", onDelete: { name: "Undone" } };
    expect(await messageOf(engine.up({ office: { networkPolicyId: "a-typo", ...args } }))).toContain(
      "A 500 may also mean an unknown id: check the id first.",
    );
    expect(engine.outputsOf("office")).toMatchObject({ uncertain: "create" });
    forgetRequests();
    await engine.up({ office: { networkPolicyId: ids.office, ...args } });
    expect(journal()).toEqual([
      `PATCH /v1/network-policies/${ids.office} {"name":"HQ"}`,
      'PATCH /v1/network-policies/a-typo {"name":"Undone"}',
    ]);
    expect(engine.said()[0]).toContain(
      'warning: NetworkPolicy "a-typo" of acme: was never confirmed, and is left as it is: PATCH /v1/network-policies/a-typo failed: 500',
    );
    expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
  });

  test.each([400, 404, 410, 422])("a denial by %i lets it go, lost once or twice", async (status) => {
    for (const times of [1, 2]) {
      const { engine, faults } = await world(retentionPolicy);
      for (let n = 0; n < times; n++) {
        faults(once);
        await messageOf(engine.up({ kept }));
      }
      expect(engine.outputsOf("kept")).toMatchObject({ uncertain: "create" });
      faults({ operation: "*", status });
      await engine.destroy();
      expect(engine.said().join()).toContain("was never confirmed, and is left as it is");
    }
  });

  test.each<[string, Fault]>([
    ["a wrong token", { operation: "*", status: 401 }],
    ["a missing right", { operation: "*", status: 403 }],
    ["too many requests", { operation: "*", status: 429, retryAfter: 3600 }],
    ["a server that fails", { operation: "*", status: 500 }],
    ["a server that is away", { operation: "*", status: 503 }],
    ["a lost answer", { operation: "*", connection: "reset" }],
  ])("%s does not end its delete: the next destroy tries again", async (_name, fault) => {
    const { engine, journal, forgetRequests, faults } = await world(retentionPolicy);
    faults({ ...once, commit: true });
    await messageOf(engine.up({ kept }));
    faults(fault);
    await messageOf(engine.destroy());
    faults();
    forgetRequests();
    await engine.destroy();
    expect(journal()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}']);
  });

  test("one that was confirmed once is never left behind because a later answer was lost", async () => {
    const { engine, faults } = await world(retentionPolicy);
    await engine.up({ kept });
    faults(once);
    await messageOf(engine.up({ kept: { ...kept, retentionDays: 91 } }));
    faults({ operation: "*", status: 404 });
    expect(await messageOf(engine.destroy())).toContain("was refused: 404");
  });
});

test("an object that nobody declares any more is deleted although others are declared", async () => {
  const { engine, journal, forgetRequests } = await world(retentionPolicy);
  const a = { resource: "recordings", onCreate: "overwrite", retentionDays: 90, onDelete: "disable" };
  const b = { resource: "conversations", onCreate: "overwrite", retentionDays: 10 };
  await engine.up({ a, b });
  forgetRequests();
  await engine.up({ b });
  expect(journal()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":false}']);
});
