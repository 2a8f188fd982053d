/**
 * The budget of a night: how many organizations may do what has a risk, until a person releases it. The first one does it alone. The others
 * follow when it has succeeded, and the control plane still lets the worker in.
 */
import { readFileSync } from "node:fs";
import { refusalOf, risks, type PlannedChange } from "pulumi-voiceplane/apply";
import { parse } from "yaml";
import { explained, inTransaction, type Queryable } from "./database.ts";
import { lockNight, stopNight, type Night } from "./nights.ts";
import { organizationNames, stackFileOf } from "./settings.ts";

/** No request can find out whether deleted data or a cut trunk were meant: a person looks after the first organization. */
const usual = "deletes-data=1,cuts-a-trunk=1,narrows-access=5%,rotates-a-secret=5%";

let known: ReadonlyMap<string, string> | undefined;

/** By risk: a number of organizations, or a share of all. */
export const budget = (): ReadonlyMap<string, string> => (known ??= budgetOf(process.env.FLEET_BUDGET ?? ""));

function budgetOf(text: string): ReadonlyMap<string, string> {
  if (text === "off") return new Map();
  return new Map(
    (text === "" ? usual : text).split(",").map((part) => {
      const [, label = "", limit = ""] = /^([a-z-]+)=(\d+%?)$/.exec(part.trim()) ?? [];
      return [riskOf(label, `FLEET_BUDGET is off, or a list such as ${usual}`), limit];
    }),
  );
}

/** @param expected what the error says */
export function riskOf(label: string, expected: string): string {
  const risk = risks.find((each) => each === label.replaceAll("-", " "));
  if (risk === undefined)
    throw new Error(`${expected}: the risks are ${risks.map((each) => each.replaceAll(" ", "-")).join(", ")}`);
  return risk;
}

/** At least one. */
function limitOf(risk: string): number {
  const text = budget().get(risk) ?? "";
  const number = parseInt(text, 10);
  return Math.max(1, text.endsWith("%") ? Math.floor((organizationNames().length * number) / 100) : number);
}

/** Why a run sends nothing now. */
export type Hold =
  /** Until the first organization has done it. */
  | { readonly kind: "wait"; readonly reason: string }
  /** Until a person releases these risks. */
  | { readonly kind: "held"; readonly reason: string; readonly risks: readonly string[] };

/** What of it is in the budget. A date or a lost answer needs nobody's release. */
const limitedIn = (changes: readonly PlannedChange[]): PlannedChange[] =>
  changes.filter(({ edited, risks }) => edited && risks.some((risk) => budget().has(risk)));

/** Takes what a run needs of the budget, or says why it has to wait. To try again takes nothing more. */
export async function spend(
  client: Queryable,
  { night }: Night,
  organization: string,
  changes: readonly PlannedChange[],
  token: string,
): Promise<Hold | undefined> {
  const limited = limitedIn(changes);
  const needed = risks.filter((risk) => budget().has(risk) && limited.some((change) => change.risks.includes(risk)));
  if (needed.length === 0) return undefined;
  const hold = await inTransaction(client, async (): Promise<Hold | undefined> => {
    const stop = await lockNight(client, night);
    if (stop !== undefined) return { kind: "held", reason: stop, risks: [] };
    const { rows } = await client.query<Use>(useQuery, [night, organization, needed]);
    const sentences = limited.map(({ text }) => text).join("; ");
    const over = rows.flatMap((use) => overBudget(use) ?? []);
    if (over.length > 0)
      return { kind: "held", reason: `${over.join(", ")}: ${sentences}`, risks: rows.filter(overBudget).map(riskIn) };
    const ahead = rows.find((use) => !isFree(use) && !use.isChecked);
    if (ahead) return { kind: "wait", reason: `${ahead.first ?? ""} does it first (${ahead.risk})` };
    await client.query(
      `insert into voiceplane_fleet.spent (night, organization, risk) select $1, $2, unnest($3::text[]) on conflict do nothing`,
      [night, organization, needed],
    );
    return undefined;
  });
  if (hold) return hold;
  // What an earlier try has found out stays: that try may have locked the worker out.
  await client.query(
    "update voiceplane_fleet.spent set was_admitted = coalesce(was_admitted, $3) where night = $1 and organization = $2",
    [night, organization, (await refusal(organization, token)) === undefined],
  );
  return undefined;
}

interface Use {
  readonly risk: string;
  readonly isReleased: boolean;
  /** Whether this organization has it from an earlier try. */
  readonly isOwn: boolean;
  readonly used: number;
  readonly isChecked: boolean;
  readonly first: string | null;
  readonly isFirstDone: boolean;
}

const useQuery = `select needed.risk,
    exists (select from voiceplane_fleet.decision where night = $1 and decision.risk = needed.risk) as "isReleased",
    count(*) filter (where organization = $2) > 0 as "isOwn", count(organization) as used,
    coalesce(bool_or(is_checked), false) as "isChecked",
    (array_agg(organization order by spent_at))[1] as first,
    coalesce((array_agg(state = 'done' order by spent_at))[1], true) as "isFirstDone"
  from unnest($3::text[]) with ordinality as needed (risk, place)
    left join (voiceplane_fleet.spent left join voiceplane_fleet.result using (night, organization))
      on night = $1 and spent.risk = needed.risk
  group by needed.risk, place order by place`;

const riskIn = ({ risk }: Use): string => risk;

const isFree = ({ isReleased, isOwn, used }: Use): boolean => isReleased || isOwn || used === 0;

function overBudget(use: Use): string | undefined {
  const { risk, used, isChecked, first, isFirstDone } = use;
  if (isFree(use)) return undefined;
  if (!isChecked) return isFirstDone ? `${risk} (${first ?? ""} was first, and did not succeed)` : undefined;
  return used < limitOf(risk) ? undefined : `${risk} (the budget of ${limitOf(risk)} is spent)`;
}

/** What a run found out afterwards. */
export interface Check {
  /** That the organization has locked the worker out, and what to do. */
  readonly lockout?: string;
  readonly note?: string;
}

/**
 * After a run that has taken something of the budget: if the control plane refuses the worker now, and did not before, the night is stopped.
 *
 * @param succeeded whether the run did all that it had to
 */
export async function check(
  client: Queryable,
  { night }: Night,
  organization: string,
  token: string,
  succeeded: boolean,
): Promise<Check> {
  const own = [night, organization];
  const unchecked = await client.query<{ wasAdmitted: boolean | null }>(
    `select was_admitted as "wasAdmitted" from voiceplane_fleet.spent
      where night = $1 and organization = $2 and not is_checked`,
    own,
  );
  if (unchecked.rows.length === 0) return {};
  const answer = await refusal(organization, token).then(
    (refused) => ({ refused }),
    (error: unknown) => ({ problem: explained(error) }),
  );
  if ("problem" in answer) return { note: `whether it still lets the worker in is not known (${answer.problem})` };
  if (answer.refused !== undefined && unchecked.rows.some(({ wasAdmitted }) => wasAdmitted)) {
    await stopNight(client, night, "the fleet", `${organization} has locked the worker out`);
    return { lockout: `it has locked the worker out (${answer.refused}): ${wayBack}` };
  }
  if (succeeded)
    await client.query(
      "update voiceplane_fleet.spent set is_checked = true where night = $1 and organization = $2",
      own,
    );
  return {};
}

const wayBack =
  "correct its allowed range in its file, and set it on the platform's pages or from an address inside the range that is allowed now";

/** How the control plane refuses the worker; undefined if it does not. */
async function refusal(organization: string, token: string): Promise<string | undefined> {
  const file = parse(readFileSync(stackFileOf(organization), "utf8")) as { config?: Record<string, string | boolean> };
  const { config = {} } = file;
  const { VOICEPLANE_BASE_URL: baseUrl = String(config["voiceplane:baseUrl"] ?? "") } = process.env;
  return refusalOf({ baseUrl, token, allowInsecureHttp: String(config["voiceplane:allowInsecureHttp"]) === "true" });
}
