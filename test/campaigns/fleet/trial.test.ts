import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { freePort, startPostgres } from "../../../tools/fleet/postgres-server";
import { blocks, read } from "../../support/docs/documents";
import { newFleet, type Fleet } from "../../support/fleet/fleet";
import { listen } from "../../support/listen";

jest.setTimeout(600_000);

test("npm run fleet adopts organizations, applies them in a first night, and starts no CLI in the second", async () => {
  const fleet = await newFleet();
  const output = await fleet.succeed("../../tools/fleet/trial.ts", "--organizations", "2", "--workers", "2");
  const [first, second] = output.split("== the second night");
  // With more organizations, and other names, dates and seconds.
  const shown = blocks.filter(
    ({ file, text }) => file === "examples/fleet/README.md" && text.startsWith("== the first"),
  );
  const lines = shown.flatMap(({ text }) => text.split("\n").filter((line) => line !== "…"));
  const withoutNumbers = (text: string): string => text.replaceAll(/(?<=trial-)\w+(?=-)|\d+/g, "0");
  expect(lines.length).toBeGreaterThan(5);
  for (const line of lines) expect(withoutNumbers(output)).toContain(withoutNumbers(line));
  expect(first?.match(/^trial-\w+-00[12] +applied/gm)).toHaveLength(2);
  expect(second?.match(/^trial-\w+-00[12] +skipped/gm)).toHaveLength(2);
  const [, query = ""] = /psql -Atc \\"(.*?)\\"/.exec(read("docs/operate/run-stacks-unattended.md")) ?? [];
  const name = /^trial-\w+-001/m.exec(output)?.[0] ?? "";
  const rows = await fleet.query(query.replace("acme", name));
  expect(rows.length).toBeGreaterThan(0);
  expect(fleet.calls().filter((call) => call.startsWith("up "))).toHaveLength(2);

  // A trial beside a real fleet would take its jobs.
  await fleet.succeed("setup");
  expect(await fleet.run("../../tools/fleet/trial.ts", [])).toMatchObject({
    code: 1,
    output: expect.stringMatching(/the database \w+ has a fleet: set PGDATABASE to one of the trial's own$/) as string,
  });
});

const statesOf = (fleet: Fleet) =>
  fleet.query("select schemaname || '.' || tablename as state from pg_tables where tablename = 'pulumi_state'");

test("setup leaves the state that was there where Pulumi sees it, and refuses a database in which it would be hidden", async () => {
  // The names of setup.sql: a role's own name is the first schema in which PostgreSQL looks.
  const fleet = await newFleet({ PULUMI_DIY_BACKEND_PARALLEL: "1" }, "fleet");
  await fleet.declare("acme", "retention:\n  recordings: { days: 90 }\n");
  await fleet.succeed("adopt", "acme", "--base-url", "in the file");
  await fleet.succeed("setup");
  expect(await fleet.stacks()).toEqual(["acme"]);
  expect(await statesOf(fleet)).toEqual([{ state: "public.pulumi_state" }]);

  // As an earlier setup did, after which the CLI of 3.259 makes another table. That of 3.274 goes on to the next schema.
  await fleet.query("create schema fleet");
  expect(await fleet.stacks()).toEqual((await fleet.seesOtherSchemas()) ? ["acme"] : []);
  const remedy = "alter role fleet in database fleet set search_path = public";
  expect(await fleet.run("setup", [])).toEqual({
    code: 1,
    output: `Pulumi looks for its state in the schema fleet, and it is in public: run ${remedy}`,
  });
  await fleet.query(remedy);
  await fleet.succeed("setup");
  expect(await fleet.stacks()).toEqual(["acme"]);
});

test("PostgreSQL starts on another port if one is taken while the database is made", async () => {
  const taken = createServer();
  const port = await listen(taken);
  const ports = [port];
  const postgres = await startPostgres(undefined, async () => ports.shift() ?? freePort());
  expect(postgres.env.PGPORT).not.toBe(String(port));
  await postgres.stop();
  taken.close();
});

test("npm run preview shows what the next run of an organization would change, and sends nothing", async () => {
  const fleet = await newFleet();
  const acme = await fleet.declare("acme", "retention:\n  recordings: { days: 90 }\n");
  await fleet.prepare(["acme"]);
  const { code, output } = await fleet.run("preview", ["acme"]);
  expect(output).toContain("RetentionPolicy");
  expect(code).toBe(0);
  expect(acme.requests()).toEqual([]);
  expect(await fleet.run("preview", ["globex"])).toEqual({
    code: 1,
    output: "there is no organizations/globex.yaml",
  });

  // A database that does not have the stack gets it, with the salt of the file.
  const stackFile = join(fleet.folder, "stacks/Pulumi.acme.yaml");
  const checkedIn = readFileSync(stackFile, "utf8");
  const stored = async () =>
    (await fleet.query("select from pulumi_state where key like '%/stacks/fleet/acme.json%'")).length;
  await fleet.query("delete from pulumi_state");
  expect(await stored()).toBe(0);
  await fleet.succeed("adopt", "acme", "--base-url", "in the file");
  expect(readFileSync(stackFile, "utf8")).toBe(checkedIn);
  expect(await stored()).toBeGreaterThan(0);

  // Of a stack with a key service, nothing has to be created again.
  fleet.write("stacks/Pulumi.acme.yaml", "secretsprovider: awskms://alias/fleet\nencryptedkey: AQID\n");
  fleet.calls();
  await fleet.succeed("adopt", "acme", "--base-url", "in the file");
  expect(fleet.calls()).toEqual([]);
});

test("a state that is packed with zstd is read, and unpacked by the next run; with the variable it is packed again", async () => {
  const fleet = await newFleet({ FLEET_FULL_PASS_DAYS: "0.000001" });
  const acme = await fleet.declare("acme", "retention:\n  recordings: { days: 90 }\n");
  await fleet.prepare([]);
  const packed = { PULUMI_DIY_BACKEND_ZSTD: "1" };
  expect((await fleet.run("adopt", ["acme", "--base-url", "in the file"], packed)).code).toBe(0);
  const kinds = async () => {
    const rows = await fleet.query<{ key: string }>(
      "select key from pulumi_state where key like '%/stacks/fleet/acme.%'",
    );
    return rows.flatMap(({ key }) => /acme(\.json(?:\.zst)?)$/.exec(key)?.[1] ?? []);
  };
  expect(await kinds()).toEqual([".json.zst"]);
  const unpacking = await fleet.worker();
  expect((await fleet.night()).output).toMatch(/^acme +applied/);
  expect(await kinds()).toEqual([".json"]);
  await unpacking.kill("SIGKILL");
  await fleet.worker(packed);
  expect((await fleet.night()).output).toMatch(/^acme +unchanged/);
  expect(await kinds()).toEqual([".json.zst"]);
  expect(acme.requests()).toEqual(['PUT /v1/retention-policies/recordings {"retention_days":90,"enabled":true}']);
});
