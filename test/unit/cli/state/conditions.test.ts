/** The one list of what may be wrong, which each command asks. */
import { conditionsIn, isProblem, sentenceFor } from "../../../../src/cli/state/conditions";
import { readStackState } from "../../../../src/cli/state/state";
import { everything, exported, setting, well } from "./exports";

const found = (text: string, now?: string) =>
  conditionsIn(readStackState(JSON.parse(text)), now === undefined ? undefined : new Date(now));

test("every condition is found once, uncertain first, and an adopted object is no problem", () => {
  const all = found(everything, "2026-11-21T12:00:00Z");
  expect(all.map(({ name, subject }) => `${name}: ${subject}`)).toEqual([
    "uncertain: lost",
    "pending: updating WebhookSecret crm",
    "pending: updating urn:pulumi:prod::acme::aws:s3/bucket:Bucket::logs",
    "unread: silent",
    "due: audit",
    "adopted: recordings",
  ]);
  expect(all.filter((each) => !isProblem(each)).map(({ subject }) => subject)).toEqual(["recordings"]);
  expect(all.find(({ name }) => name === "pending")?.object?.name).toBe("crm");
  expect(found(well, "2026-11-21T12:00:00Z")).toEqual([]);
});

test("what is due today is done by an update of today, and a report, which knows no date, leaves it out", () => {
  const text = exported([setting("RetentionPolicy", "audit", { reassertOn: "2026-11-20" }, {})]);
  expect([found(text, "2026-11-20T23:59:00Z"), found(text)].flat()).toEqual([]);
  expect(found(text, "2026-11-21T00:00:00Z")).toMatchObject([{ name: "due" }]);
});

test("each is a sentence with one remedy", () => {
  expect(found(everything).slice(0, 2).map(sentenceFor)).toEqual([
    "lost is uncertain: its last request may have been carried out: run the same update again, which sends it once more",
    "pending: updating WebhookSecret crm: an update was interrupted here: run the same update again, after `pulumi cancel` if the stack is locked",
  ]);
});
