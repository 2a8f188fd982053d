/** What is known of a step from the others, which all that a report says rests on. */
import { readdirSync } from "node:fs";
import { readPreviewOrUpdate } from "../../../../src/cli/pulumi/preview-or-update";
import { situationsOf, type Situation } from "../../../../src/cli/report/situations";
import { resources } from "../../../../src/resources/index";
import { recording, recordingFile, reportOf } from "../../../support/recorded";

const situations = async (name: string): Promise<readonly Situation[]> =>
  situationsOf(readPreviewOrUpdate(recording(name)), {
    nameOf: (urn) => urn.split("::").at(-1) ?? "",
    placeOf: () => undefined,
    memory: { isPending: () => false },
  });

const recordings = readdirSync(recordingFile("")).filter((name) => name.endsWith(".digest"));

test.each(recordings)(
  "of %s, each verb that the engine calls is run once, and of a rename also what an alias would send",
  async (name) => {
    const expected = (await situations(name)).flatMap(
      ({ step: { op, before }, lifecycle: { type }, declarer, renamedTo }) => [
        ...(op === "create" || op === "replace" ? [`${type} create`] : []),
        ...(op === "update" ? [`${type} update`] : []),
        ...((op === "delete" || op === "replace") && before && !declarer ? [`${type} delete`] : []),
        ...(renamedTo ? [`${type} update`] : []),
      ],
    );
    const called: string[] = [];
    const verbs = Object.values(resources).flatMap(({ lifecycle }) =>
      (["create", "update", "delete"] as const).map((verb) => {
        const original = lifecycle[verb].bind(lifecycle) as (...values: unknown[]) => Promise<never>;
        return jest.spyOn(lifecycle, verb).mockImplementation((...values: unknown[]) => {
          called.push(`${lifecycle.type} ${verb}`);
          return original(...values);
        });
      }),
    );
    await reportOf(recording(name));
    for (const verb of verbs) verb.mockRestore();
    const isDelete = (call: string) => call.endsWith(" delete");
    const others = (calls: readonly string[]) => calls.filter((call) => !isDelete(call)).sort();
    expect(others(called)).toEqual(others(expected));
    // A delete is not run if nothing may be sent for it.
    expect(expected).toEqual(expect.arrayContaining(called));
    expect(called.length).toBeLessThanOrEqual(expected.length);
  },
);

const linksOf = (all: readonly Situation[]) => {
  const named = (situation: Situation | undefined) => situation?.name;
  return Object.fromEntries(
    all
      .filter(({ step }) => step.op !== undefined)
      .map(({ name, step, declarer, renamedTo, former }) => [
        `${step.op} ${name}`,
        { declarer: named(declarer), renamedTo: named(renamedTo), former: named(former) },
      ]),
  );
};

test("an object with another name is found from both sides", async () => {
  expect(linksOf(await situations("renamed-entries.digest"))).toMatchObject({
    "delete org-crm": { declarer: "org-payments", renamedTo: "org-payments" },
    "create org-payments": { former: "org-crm" },
  });
});

test("an object that stays is declared by its own step, and was not renamed", async () => {
  for (const { step, declarer, renamedTo } of await situations("unchanged.digest")) {
    expect([declarer?.step, renamedTo]).toEqual([step, undefined]);
  }
});
