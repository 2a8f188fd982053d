/** The page and the metrics of a fleet of 10,000 organizations, as a worker serves them after 30 nights. */
import { poorContrasts } from "../../support/page/contrast";
import { inBrowser } from "../../support/page/in-browser";
import type { ControlPlane } from "../../../src/control-plane/index";
import { asSuperuser } from "../../support/fleet/database";
import { newFleet, type Fleet } from "../../support/fleet/fleet";

jest.setTimeout(300_000);

const count = 10_000;
const markup = `<img src=x onerror="alert(1)"> & more`;

/** Of the newest night: 150 failed for one reason and 5 for others, 40 are overdue, 300 are held, 3 were rotated again, 2,000 are due in the next 14 days. */
const history = `
  insert into voiceplane_fleet.night (night, started_at, version)
    select to_char(n, 'FM00'), now() - make_interval(days => 30 - n), 'commit 0123456789ab' from generate_series(1, 30) as n;
  insert into voiceplane_fleet.result (night, organization, state, outcome, reason, rotations, next_due_date, notes, worker, log, finished_at, held)
    select night, 'customer-' || to_char(n, 'FM00000'), 'done',
      case when n <= 155 then 'failed' when n between 301 and 600 then 'held' when n % 50 = 0 then 'applied' else 'skipped' end,
      case when n <= 150 then 'organizations/customer-' || to_char(n, 'FM00000') || '.yaml:2 ' || $1 when n <= 155 then 'reason ' || n
        when n between 301 and 600 then 'deletes data: ' || $1 end,
      (n % 50 = 0 and n not between 301 and 600 and n > 155)::integer,
      case when n between 156 and 195 then current_date - 3 when n > 8000 then current_date + n % 14 else current_date + 60 end,
      case when n between 201 and 203 and night = '30' then
        '["crm was rotated again (an earlier run died while creating it)", "removed a stale lock (…)"]' else '[]' end::jsonb,
      'machine:1', case when n <= 150 then '/tmp/voiceplane-0/run-1/log' end, started_at + interval '1 minute',
      case when n between 301 and 600 then array['deletes data'] end
    from voiceplane_fleet.night, generate_series(1, ${count}) as n`;

async function served(): Promise<{ readonly fleet: Fleet; readonly url: string }> {
  const fleet = await newFleet({ FLEET_BUDGET: "" });
  for (let number = 1; number <= count; number += 1)
    fleet.write(`organizations/customer-${String(number).padStart(5, "0")}.yaml`, "");
  await fleet.prepare([]);
  const [nights = "", results = ""] = history.split(";");
  await fleet.query(nights);
  await fleet.query(results, [markup]);
  await fleet.query(`insert into voiceplane_fleet.decision (night, risk, decided_by, decided_at, reason)
    values ('30', null, '<b>root</b>', '2026-11-25 12:00Z', 'enough')`);
  await fleet.query("vacuum analyze voiceplane_fleet.result");
  const worker = await fleet.worker({ FLEET_METRICS: "127.0.0.1:0" });
  const [, url = ""] = /metrics at (http:\S+)metrics/.exec(worker.output()) ?? [];
  return { fleet, url };
}

inBrowser("the page of a fleet", ({ open }) => {
  test("10,000 organizations: nights, what needs attention, due dates and repeated rotations; bounded, readable, and nothing of it is markup", async () => {
    const { fleet, url } = await served();
    const scans = async () => {
      const database = fleet.database.PGDATABASE ?? "";
      const text =
        "select coalesce(sum(seq_scan), 0)::integer as scans from pg_stat_user_tables where relname = 'result'";
      return asSuperuser(database, async (client) => (await client.query<{ scans: number }>(text)).rows[0]?.scans);
    };
    const before = await scans();
    const response = await fetch(url);
    expect(response.status).toBe(200);
    expect((await response.text()).length).toBeLessThan(100_000);
    const metrics = await (await fetch(`${url}metrics`)).text();
    expect(metrics).toContain("\nfleet_failing_organizations 155\n");
    expect(metrics).toContain('\nfleet_held_organizations{risk="deletes data"} 300\n');
    expect(metrics).toContain('\nfleet_held_organizations{risk="cuts a trunk"} 0\n');
    expect(metrics).toContain("\nfleet_night_stopped 1\n");
    // However many nights are kept, none is read from end to end.
    expect(await scans()).toBe(before);
    for (const method of ["POST", "PUT", "DELETE"]) expect((await fetch(url, { method })).status).toBe(404);
    expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-[^']+';/);

    const page = await open({ url } as ControlPlane, { javaScriptEnabled: false });
    const rows = (name: string) => page.getByRole("table", { name }).locator("tbody tr");
    const textOf = async (name: string, row: number) => (await rows(name).nth(row).innerText()).replace(/\s+/g, " ");
    await page.getByText("10,000 organizations, as of").waitFor();
    expect(await rows("Nights").count()).toBe(14);
    expect(await textOf("Nights", 0)).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d commit 0123456789ab 191 applied, 9,354 skipped, 155 failed, 300 held, 191 rotations stopped by <b>root<\/b> at 2026-11-25 12:00: enough$/,
    );
    expect(await rows("Nights").nth(0).locator("rect").count()).toBe(6);
    await page.getByText("195 failed in their last run, or have a due date in the past.").waitFor();
    // The same reason is one row, though each file has its own name.
    expect(await rows("Needs attention").count()).toBe(7);
    expect(await textOf("Needs attention", 0)).toMatch(
      /^customer-00001, .*customer-00005, and 145 more failed \d{4}-\d\d-\d\d \d\d:\d\d organizations\/….yaml:2 <img src=x onerror="alert\(1\)"> & more Log of customer-00001: \/tmp\/voiceplane-0\/run-1\/log on machine:1$/,
    );
    expect(await textOf("Needs attention", 6)).toMatch(
      /^customer-00156, .*, and 35 more overdue since \d{4}-\d\d-\d\d$/,
    );
    await page.getByText("300 wait for a person: nothing of this was sent.").waitFor();
    expect(await rows("Held").count()).toBe(1);
    expect(await textOf("Held", 0)).toBe(
      "customer-00301, customer-00302, customer-00303, customer-00304, customer-00305, and 295 more " +
        `deletes data: ${markup} To let it go: npm run release -- 30 --risk deletes-data`,
    );
    const { height } = (await page.locator("body").boundingBox()) ?? { height: 0 };
    expect(height).toBeLessThan(3_500);
    expect(await page.locator("img, script").count()).toBe(0);
    expect(await rows("Due dates").count()).toBe(14);
    expect(await textOf("Due dates", 0)).toMatch(
      /^\d{4}-\d\d-\d\d 14\d: customer-08\d{3}, customer-08\d{3}, customer-08\d{3}, customer-08\d{3}, customer-08\d{3}, and 13\d more$/,
    );
    expect(await rows("Rotated again").allInnerTexts()).toEqual(
      ["customer-00201", "customer-00202", "customer-00203"].map(
        (name) =>
          expect.stringMatching(
            new RegExp(`^${name}\\s[\\s\\S]*crm was rotated again \\(an earlier run died while creating it\\)$`),
          ) as string,
      ),
    );

    for (const width of [1400, 390, 320]) {
      await page.setViewportSize({ width, height: 900 });
      expect([width, await page.evaluate("document.documentElement.scrollWidth <= innerWidth")]).toEqual([width, true]);
    }
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      const { seen, poor } = await page.evaluate<{ seen: number; poor: string[] }>(poorContrasts);
      expect(seen).toBeGreaterThan(100);
      expect([colorScheme, poor]).toEqual([colorScheme, []]);
    }

    // One that is overdue and has not failed.
    await fleet.query(
      "delete from voiceplane_fleet.result where outcome = 'failed' or organization > 'customer-00156'",
    );
    await page.reload();
    expect(await textOf("Needs attention", 0)).toMatch(/^customer-00156 overdue since \d{4}-\d\d-\d\d$/);
    await fleet.query("delete from voiceplane_fleet.night");
    await page.reload();
    expect(await page.getByText("None.").count()).toBe(5);
  });
});
