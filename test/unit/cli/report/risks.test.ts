import { failOnIn } from "../../../../src/cli/stack/report-options";
import { InvalidArgumentError } from "../../../../src/cli/commander";
import { compareRisks } from "../../../../src/cli/report/changes/risks";
import { exitCodeOf, type Outcome } from "../../../../src/cli/report/exit-codes";
import type { Risk } from "../../../../src/lifecycle/effects/effect";

const nothing: Outcome = { complete: true, changeCount: 0, editCount: 0, risks: [] };
const due: Outcome = { ...nothing, changeCount: 2 };
const changes: Outcome = { ...nothing, changeCount: 2, editCount: 1 };
const deletion: Outcome = { ...changes, risks: ["deletes data", "stops managing"] };
const rotation: Outcome = { ...changes, risks: ["rotates a secret"] };
const failed: Outcome = { ...nothing, complete: false };
const outcomes = [nothing, due, changes, deletion, rotation, failed];

test.each([
  // nothing, due, changes, deletion, rotation, failed
  [undefined, [0, 0, 0, 0, 0, 1]],
  ["changes", [0, 2, 2, 2, 2, 1]],
  ["risks", [0, 0, 0, 2, 2, 1]],
  ["edits", [0, 0, 2, 2, 2, 1]],
  ["none", [0, 0, 0, 0, 0, 1]],
  ["deletes-data", [0, 0, 0, 2, 0, 1]],
  ["deletes data", [0, 0, 0, 2, 0, 1]],
  ["rotates-a-secret, stops-managing", [0, 0, 0, 2, 2, 1]],
  ["edits,deletes-data", [0, 0, 2, 2, 2, 1]],
  ["narrows-access,widens-access,cuts-a-trunk", [0, 0, 0, 0, 0, 1]],
])("--fail-on %s", (text, codes) => {
  const failOn = text === undefined ? undefined : failOnIn(text);
  expect(outcomes.map((outcome) => exitCodeOf(outcome, failOn))).toEqual(codes);
});

test("risks are sorted by the worst, then by the next", () => {
  const lists: Risk[][] = [[], ["stops managing"], ["deletes data"], ["deletes data", "weakens a guard"]];
  expect([...lists].sort(compareRisks)).toEqual([lists[3], lists[2], lists[1], lists[0]]);
  expect(compareRisks(["deletes data"], ["deletes data"])).toBe(0);
});

test.each(["", "everything", "deletes-data,", "constructor"])("--fail-on %j is refused", (text) => {
  expect(() => failOnIn(text)).toThrow(
    new InvalidArgumentError(
      "It takes one of these, or several joined by commas: changes, risks, edits, none, sends-the-token-elsewhere, " +
        "deletes-data, cuts-a-trunk, rotates-a-secret, forgets-a-secret, narrows-access, widens-access, weakens-a-guard, " +
        "stops-managing.",
    ),
  );
});
