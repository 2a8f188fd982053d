import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { database, problemOfName, pulumiEnv } from "../../../examples/fleet/settings";
import { fullPassDays, spreadDays, spreadFile } from "../../../examples/fleet/spread";
import { createProgress, progressLine, summaryLines, type Row } from "../../../examples/fleet/summary";
import { NoTokenError, tokenOf, tokenVariable, withoutTokens } from "../../../examples/fleet/tokens";
import { findPostgres } from "../../../tools/fleet/postgres-server";
import { temporaryFolder } from "../../support/folders";

const folder = temporaryFolder();

const row: Row = {
  organization: "acme",
  state: "done",
  outcome: "applied",
  reason: null,
  requests: 0,
  rotations: 0,
  uncertain: 0,
  next_due_date: null,
  notes: [],
  pending: [],
  held: null,
  seconds: 0.01,
  worker: "machine:1",
};

test.each(["acme", "acme-eu", "customer-001", "3m"])("%s is the name of an organization", (name) => {
  expect(problemOfName(name)).toBeUndefined();
});

test.each(["", "Acme", "acme.eu", "-acme", "acme-", "acme--eu", "acme/eu", "acme eu"])(
  "%j is not the name of an organization",
  (name) => {
    expect(problemOfName(name)).toBe("an organization's name may have a to z, 0 to 9 and single hyphens");
  },
);

test("for a name with an underscore, another one is suggested", () => {
  expect(problemOfName("Acme_EU")).toBe(
    "an organization's name may have a to z, 0 to 9 and single hyphens: rename it to acme-eu",
  );
});

test("a token comes from a variable, a file or a program, in this order", async () => {
  writeFileSync(join(folder, "acme-eu"), "from a file\n");
  const command = join(folder, "command");
  writeFileSync(command, `#!/bin/sh\necho "of $1 by a program"\n`);
  chmodSync(command, 0o755);
  const all = {
    VOICEPLANE_TOKEN: "of another organization",
    VOICEPLANE_TOKEN_ACME_EU: "from a variable",
    FLEET_TOKEN_FOLDER: folder,
    FLEET_TOKEN_COMMAND: command,
  };
  expect(tokenVariable("acme-eu")).toBe("VOICEPLANE_TOKEN_ACME_EU");
  expect(await tokenOf("acme-eu", all)).toBe("from a variable");
  expect(await tokenOf("acme-eu", { ...all, VOICEPLANE_TOKEN_ACME_EU: "" })).toBe("from a file");
  expect(await tokenOf("globex", all)).toBe("of globex by a program");
  await expect(tokenOf("globex", { ...all, FLEET_TOKEN_COMMAND: "" })).rejects.toThrow(NoTokenError);
  await expect(tokenOf("globex", { ...all, FLEET_TOKEN_COMMAND: "" })).rejects.toThrow(
    `there is no token: looked at VOICEPLANE_TOKEN_GLOBEX, ${join(folder, "globex")}`,
  );
});

test("a token file that cannot be read is named, and tried again", async () => {
  mkdirSync(join(folder, "umbrella"));
  const folderInPlace = tokenOf("umbrella", { FLEET_TOKEN_FOLDER: folder });
  await expect(folderInPlace).rejects.toThrow(`the token file ${join(folder, "umbrella")} cannot be read (EISDIR)`);
  await expect(folderInPlace).rejects.not.toThrow(NoTokenError);
});

test("a program that fails to give a token is named, without its output", async () => {
  const command = join(folder, "failing");
  writeFileSync(command, `#!/bin/sh\necho "half a secret"; echo "and more" >&2; exit 3\n`);
  chmodSync(command, 0o755);
  const failure = tokenOf("globex", { FLEET_TOKEN_COMMAND: command });
  await expect(failure).rejects.toThrow(new Error(`the token command ${command} globex failed (3)`));
  // The next try may succeed.
  await expect(failure).rejects.not.toThrow(NoTokenError);
});

test("the processes of one organization see no token of another one", () => {
  const env = { PATH: "/bin", VOICEPLANE_TOKEN: "a", VOICEPLANE_TOKEN_ACME: "b", VOICEPLANE_BASE_URL: "c" };
  expect(withoutTokens(env)).toEqual({ PATH: "/bin", VOICEPLANE_BASE_URL: "c" });
});

test("Pulumi's processes get what its PostgreSQL backend needs, and an address without a password", () => {
  expect(pulumiEnv("a token")).toMatchObject({
    PULUMI_BACKEND_URL: `postgres:///${database}`,
    PULUMI_DIY_BACKEND_PARALLEL: "1",
    PULUMI_DIY_BACKEND_DISABLE_CHECKPOINT_BACKUPS: "1",
    VOICEPLANE_TOKEN: "a token",
  });
});

test("the days of an organization are always the same, within a twelfth, and differ between organizations", () => {
  expect(["acme", "globex", "initech"].map((name) => spreadDays(name, 90))).toEqual([90, 97, 84]);
  const days = Array.from({ length: 3000 }, (_, index) => spreadDays(`customer-${index}`, 90));
  const counts = days.reduce<Record<number, number>>((of, day) => ({ ...of, [day]: (of[day] ?? 0) + 1 }), {});
  expect(Object.keys(counts).map(Number)).toEqual(Array.from({ length: 15 }, (_, index) => 83 + index));
  // 200 each, if chance were even.
  expect(Math.max(...Object.values(counts))).toBeLessThan(260);
  expect(Math.min(...Object.values(counts))).toBeGreaterThan(140);
});

test("full passes are spread over half of their days, and none is later", () => {
  const days = Array.from({ length: 1000 }, (_, index) => fullPassDays(`customer-${index}`, 8));
  expect(Math.min(...days)).toBeGreaterThan(4);
  expect(Math.max(...days)).toBeLessThanOrEqual(8);
  const nights = [5, 6, 7, 8].map((night) => days.filter((each) => Math.ceil(each) === night).length);
  expect(Math.min(...nights)).toBeGreaterThan(200);
});

test("where a policy allows no more days, the range ends there", () => {
  const days = Array.from({ length: 1000 }, (_, index) => spreadDays(`customer-${index}`, 90, 90));
  expect([Math.min(...days), Math.max(...days)]).toEqual([76, 90]);
  const few = Array.from({ length: 1000 }, (_, index) => spreadDays(`customer-${index}`, 365, 30));
  expect([Math.min(...few), Math.max(...few)]).toEqual([26, 30]);
});

test("spread changes the usual value alone, keeps comments and layout, and has nothing to do a second time", () => {
  const file = `# ours
webhooks:
  crm: { id: c-1, onCreate: rotate, rotateAfter: 90d } # every quarter
  billing:
    id: c-2
    rotateAfter: "90d"
  short: { id: c-3, onCreate: rotate, rotateAfter: 30d }
`;
  const { suggestions, text } = spreadFile(file, "globex", 90);
  expect(suggestions).toEqual([
    { path: "webhooks.crm", from: "90d", to: "97d" },
    { path: "webhooks.billing", from: "90d", to: "97d" },
  ]);
  expect(text).toBe(`# ours
webhooks:
  crm: { id: c-1, onCreate: rotate, rotateAfter: 97d } # every quarter
  billing:
    id: c-2
    rotateAfter: 97d
  short: { id: c-3, onCreate: rotate, rotateAfter: 30d }
`);
  expect(spreadFile(text, "globex", 90).suggestions).toEqual([]);
  expect(spreadFile("retention: {}\n", "globex", 90).suggestions).toEqual([]);
});

test("the summary has a line for each organization that was not skipped, and a total", () => {
  const rows: Row[] = [
    { ...row, reason: "2 requests: rotates a secret", rotations: 1, next_due_date: "2027-02-20", seconds: 3.14 },
    { ...row, organization: "globex", outcome: "skipped", next_due_date: "2027-01-31" },
    { ...row, organization: "initech", outcome: "failed", reason: "there is no token", seconds: 0 },
    {
      ...row,
      organization: "umbrella",
      uncertain: 1,
      requests: 2,
      notes: ["crm was rotated again (why)"],
      pending: ["creating crm"],
    },
    {
      ...row,
      organization: "umbrella-eu",
      outcome: "failed",
      uncertain: null,
      requests: 5,
      reason: "the disk is full",
    },
    { ...row, organization: "wonka", state: "deferred", outcome: null, reason: "another worker has it", seconds: null },
  ];
  const lines = [
    "acme          applied    1 rotation, 2 requests: rotates a secret, next due 2027-02-20, 3.1 s",
    "initech       failed     there is no token, 0.0 s",
    "umbrella      applied    2 requests, 1 uncertain, crm was rotated again (why), left for a person: creating crm, 0.0 s",
    "umbrella-eu   failed     5 requests, what is uncertain is not known, the disk is full, 0.0 s",
    "wonka         deferred   another worker has it",
    "total: 6 organizations, 2 applied, 1 skipped, 2 failed, 1 unfinished, 7 requests, 1 rotation, 1 uncertain (not known of 1), next due 2027-01-31",
  ];
  expect(summaryLines(rows)).toEqual(lines);
  expect(summaryLines(rows, true)[1]).toBe("globex        skipped    next due 2027-01-31");
  expect(summaryLines([])).toEqual(["total: 0 organizations, 0 requests, 0 rotations, 0 uncertain"]);
});

test("the progress bar fits into the terminal, and is drawn nowhere else", () => {
  const rows = [
    row,
    { ...row, outcome: "failed" as const },
    { ...row, state: "deferred" as const, outcome: null },
    row,
  ];
  expect(progressLine(rows, 12.3)).toBe("[##################------] 3/4  12 s  1 failed  1 wait");
  expect(progressLine(rows, 12.3, 30)).toBe("[##################------] 3/");

  const written: string[] = [];
  const stream = (isTTY: boolean) =>
    ({ isTTY, columns: 80, write: (part: string) => written.push(part) }) as unknown as NodeJS.WriteStream;
  createProgress(stream(false))(rows);
  expect(written).toEqual([]);
  createProgress(stream(true), () => 0)(rows);
  expect(written.join("")).toBe("\r\u001b[K[##################------] 3/4  0 s  1 failed  1 wait");
});

test("the example's packages are those that the tests run it with", () => {
  const manifestOf = (path: string) =>
    JSON.parse(readFileSync(join(__dirname, "../../..", path, "package.json"), "utf8")) as {
      dependencies: Record<string, string>;
      devDependencies: Record<string, string>;
      peerDependencies?: Record<string, string>;
    };
  const tested = manifestOf(".");
  const { dependencies, devDependencies } = manifestOf("examples/fleet");
  expect({ ...tested.dependencies, ...tested.devDependencies, ...tested.peerDependencies }).toMatchObject({
    ...dependencies,
    ...devDependencies,
  });
});

test("without a PostgreSQL on the machine, the message says what to install", () => {
  expect(() => findPostgres("/nowhere", [])).toThrow(
    new Error(
      "there is no PostgreSQL on this machine: install it (apt-get install postgresql), or set PGHOST to use one that runs elsewhere",
    ),
  );
});
