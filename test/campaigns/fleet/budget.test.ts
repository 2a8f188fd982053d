/**
 * Bad nights with the real engine: one mistake in a template reaches all organizations at once. What was changed when the night stopped? With
 * more of them: `FLEET_TEST_ORGANIZATIONS=40 npx jest test/campaigns/fleet/budget`.
 */
import { ids } from "../../support/engine/organization";
import { newFleet, type Fleet } from "../../support/fleet/fleet";

const count = Number(process.env.FLEET_TEST_ORGANIZATIONS ?? 8);
jest.setTimeout(300_000 + count * 60_000);

const names = Array.from({ length: count }, (_, index) => `customer-${String(index + 1).padStart(3, "0")}`);

interface Template {
  readonly days?: number;
  readonly step?: string;
  readonly range?: string;
}

const fileOf = ({ days = 365, step = "", range = "203.0.113.0/24" }: Template): string => `onCreate: adopt
retention:
  recordings: { days: ${days}${step} }
networkPolicies:
  office: { id: ${ids.office}, sourceCidr: ${range} }
`;
const shortened = fileOf({ days: 30, step: ", allowShortening: { from: 365, to: 30 }" });

const write = (fleet: Fleet, file: string): void => {
  for (const name of names) fleet.write(`organizations/${name}.yaml`, file);
};

/** Whose server got a request that changes something, since the last call. */
const changed = (fleet: Fleet): string[] =>
  names.filter((name) =>
    fleet
      .plane(name)
      .requests()
      .some((request) => !request.startsWith("GET ")),
  );

const outcomes = async (fleet: Fleet): Promise<Record<string, number>> => {
  const counts: Record<string, number> = {};
  for (const { outcome } of Object.values(await fleet.rows())) counts[outcome ?? ""] = (counts[outcome ?? ""] ?? 0) + 1;
  return counts;
};

const newestNight = async (fleet: Fleet): Promise<string> =>
  (await fleet.query<{ night: string }>("select max(night) as night from voiceplane_fleet.night"))[0]?.night ?? "";

/** All adopted, so that nothing was sent, and two workers. */
async function adopted(env: NodeJS.ProcessEnv = {}): Promise<Fleet> {
  const fleet = await newFleet({ FLEET_BUDGET: "", ...env });
  for (const name of names) {
    const { control } = await fleet.declare(name, fileOf({}));
    control.seed({ organization: { callerAddress: "203.0.113.7" } });
  }
  await fleet.prepare(names);
  await fleet.worker();
  await fleet.worker();
  expect((await fleet.night()).code).toBe(0);
  expect(await outcomes(fleet)).toEqual({ applied: count });
  expect(changed(fleet)).toEqual([]);
  fleet.calls();
  return fleet;
}

/** A night that does not end well, and changes one organization. */
async function badNight(fleet: Fleet, file: string): Promise<{ first: string; output: string }> {
  write(fleet, file);
  const { code, output } = await fleet.night();
  expect(code).toBe(1);
  const [first = "", ...more] = changed(fleet);
  expect([first, ...more]).toEqual([expect.stringMatching(/^customer-/)]);
  return { first, output };
}

test(`${count} organizations: a template that deletes data changes one, and the others go on when a person releases them`, async () => {
  const fleet = await adopted();
  const { first, output } = await badNight(fleet, shortened);
  expect(await outcomes(fleet)).toEqual({ applied: 1, held: count - 1 });
  const rows = await fleet.rows();
  const held = Object.values(rows).find(({ outcome }) => outcome === "held");
  expect(held).toMatchObject({ held: ["deletes data"], requests: 0, state: "done" });
  expect(held?.reason).toMatch(
    /^deletes data \(the budget of 1 is spent\): recordings: 365 → 30 days; .*deletes what is older/,
  );
  const night = await newestNight(fleet);
  const command = `npm run release -- ${night} --risk deletes-data`;
  expect(output).toContain(`${count - 1} held`);
  expect(output).toContain(command);

  // A person has looked at the first one.
  expect(await fleet.succeed("release", night, "--risk", "deletes-data")).toBe(
    `deletes data: ${count - 1} organizations released`,
  );
  await fleet.finished();
  expect(changed(fleet)).toEqual(names.filter((name) => name !== first));
  expect(await outcomes(fleet)).toEqual({ applied: count });
  expect(await fleet.succeed("summary")).toMatch(
    /^night of \S+\ndeletes data released by \S+@\S+ at \d{4}-\d\d-\d\d \d\d:\d\d\n/,
  );

  // With nothing to do, nothing is previewed and nobody is asked.
  fleet.calls();
  expect((await fleet.night()).code).toBe(0);
  expect(await outcomes(fleet)).toEqual({ skipped: count });
  expect([fleet.calls(), names.flatMap((name) => fleet.plane(name).requests())]).toEqual([[], []]);
});

test(`${count} organizations: a range that locks the worker out stops the night after one, and says how to get back in`, async () => {
  const fleet = await adopted();
  const { first, output } = await badNight(fleet, fileOf({ range: "203.0.113.128/25" }));
  expect(await outcomes(fleet)).toEqual({ failed: 1, held: count - 1 });
  const rows = await fleet.rows();
  expect(rows[first]?.reason).toMatch(
    /^it has locked the worker out \(.*403.*\): correct its allowed range in its file, and set it on the platform's pages or from an address inside/,
  );
  const other = names.find((name) => name !== first) ?? "";
  expect(rows[other]?.reason).toContain(`stopped by the fleet: ${first} has locked the worker out`);
  expect(output).toContain(`stopped by the fleet at `);

  // Nobody releases a stopped night. With corrected files, the next one is well, but for the one that is locked out.
  expect(await fleet.run("release", [await newestNight(fleet)])).toMatchObject({
    code: 1,
    output: expect.stringMatching(
      /^the night was stopped by the fleet: .*; start another one: npm run night$/,
    ) as string,
  });
  write(fleet, fileOf({}));
  expect((await fleet.night()).code).toBe(1);
  const again = await fleet.rows();
  expect(names.filter((name) => again[name]?.outcome === "failed")).toEqual([first]);
  expect(again[first]?.reason).toContain("403");
  expect(changed(fleet)).toEqual([first]);
});
