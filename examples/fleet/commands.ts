/** The commands of package.json. Each error is one line, with exit code 1. */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, hostname, userInfo } from "node:os";
import { parseArgs } from "node:util";
import { budget, riskOf } from "./budget.ts";
import { explained, withConnection } from "./database.ts";
import { releaseNight, startNight, stopNight } from "./nights.ts";
import { withBoss } from "./queue.ts";
import { organizationFileOf, organizationNames } from "./settings.ts";
import { setUp } from "./setup.ts";
import { spreadFile } from "./spread.ts";
import { adopt, preview, prune } from "./stacks.ts";
import { counted, decisionsOf, follow, newestNight, releaseLine, rowsOf, summaryLines, type Row } from "./summary.ts";

const [command = "", ...args] = process.argv.slice(2);

const all = { all: { type: "boolean", default: false } } as const;

/** An organization that is held needs a person too. */
const failIfOneFailed = (rows: readonly Row[]): void => {
  if (rows.some(({ outcome }) => outcome === "failed" || outcome === "held")) process.exitCode = 1;
};

const whoDecides = (): string => `${userInfo().username}@${hostname()}`;

function requireOrganizations(names: readonly string[]): void {
  const known = organizationNames();
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`there is no organizations/${unknown.join(".yaml, organizations/")}.yaml`);
}

const commands: Readonly<Record<string, () => Promise<void> | void>> = {
  /** Creates what is missing. Run it once, after an update of pg-boss, and after a change of the retries or the heartbeat. */
  setup: async () => {
    await setUp();
    console.log("the tables and queues are ready");
  },

  /** Creates stacks and their files. */
  adopt: async () => {
    const options = { "base-url": { type: "string" }, "secrets-provider": { type: "string" } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const { "base-url": baseUrl, "secrets-provider": secretsProvider } = values;
    if (positionals.length === 0 || baseUrl === undefined)
      throw new Error("usage: npm run adopt -- NAME… --base-url URL [--secrets-provider URL]");
    const adoptNext = async (): Promise<void> => {
      const name = positionals.shift();
      if (name === undefined) return;
      await adopt(name, baseUrl, secretsProvider);
      console.log(`${name}: check in organizations/${name}.yaml and stacks/Pulumi.${name}.yaml`);
    };
    // The first one alone, because it creates Pulumi's table.
    await adoptNext();
    const adoptRest = async () => {
      while (positionals.length > 0) await adoptNext();
    };
    await Promise.all(Array.from({ length: availableParallelism() }, adoptRest));
  },

  /** Suggests due dates, or writes them. Needs neither PostgreSQL nor a token. */
  spread: () => {
    const days = { type: "string", default: "90" } as const;
    const options = { days, "at-most": { type: "string" }, write: { type: "boolean", default: false } } as const;
    const { values } = parseArgs({ args, options });
    const [usual, atMost] = [Number(values.days), Number(values["at-most"] ?? Infinity)];
    if (!Number.isInteger(usual) || usual < 1) throw new Error("--days takes a whole number above 0");
    if (!(atMost >= 1) || atMost % 1 > 0) throw new Error("--at-most takes a whole number above 0");
    for (const name of organizationNames()) {
      const file = organizationFileOf(name);
      const { suggestions, text } = spreadFile(readFileSync(file, "utf8"), name, usual, atMost);
      for (const { path, from, to } of suggestions)
        console.log(`organizations/${name}.yaml: ${path}: ${from} => ${to}`);
      if (values.write && suggestions.length > 0) writeFileSync(file, text);
    }
  },

  preview: async () => {
    const [name = "", ...more] = args;
    if (name === "" || more.length > 0) throw new Error("usage: npm run preview -- NAME");
    requireOrganizations([name]);
    process.exitCode = await preview(name);
  },

  /** Starts a night now, of all organizations or of some, and shows it until it is over. Workers have to be running. */
  night: async () => {
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options: all });
    requireOrganizations(positionals);
    const names = positionals.length > 0 ? positionals : organizationNames();
    failIfOneFailed(await follow(await withBoss((boss) => startNight(boss, names)), values.all));
  },

  /** Lets go what a night holds, for some risks or for all of the budget. */
  release: async () => {
    const options = { risk: { type: "string", multiple: true, default: [] as string[] } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [night = "", ...more] = positionals;
    const usage = "usage: npm run release -- NIGHT [--risk RISK]…";
    if (night === "" || more.length > 0) throw new Error(usage);
    const risks = values.risk.length === 0 ? [...budget().keys()] : values.risk.map((label) => riskOf(label, usage));
    const count = await withBoss((boss) => releaseNight(boss, night, risks, whoDecides()));
    console.log(`${risks.join(", ")}: ${counted(count, "organization")} released`);
  },

  /** Ends a night now. What runs finishes. */
  stop: async () => {
    const options = { why: { type: "string", default: "npm run stop" } } as const;
    const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
    const [night = "", ...more] = positionals;
    if (night === "" || more.length > 0) throw new Error("usage: npm run stop -- NIGHT [--why TEXT]");
    await withConnection((client) => stopNight(client, night, whoDecides(), values.why));
    console.log("stopped");
  },

  /** Shows the newest night, also while it runs. */
  summary: async () => {
    const { values } = parseArgs({ args, options: all });
    await withConnection(async (client) => {
      const night = await newestNight(client);
      if (night === undefined) throw new Error("there was no night yet: npm run night");
      const rows = await rowsOf(client, night);
      console.log(`night of ${night}`);
      const lines = [
        ...(await decisionsOf(client, night)),
        ...summaryLines(rows, values.all),
        ...releaseLine(rows, night),
      ];
      console.log(lines.join("\n"));
      failIfOneFailed(rows);
    });
  },

  prune: async () => {
    console.log(`${counted(await withConnection(prune), "row")} deleted`);
  },
};

try {
  const action = commands[command];
  if (action === undefined) throw new Error(`usage: node commands.ts ${Object.keys(commands).join(" | ")}`);
  await action();
} catch (error) {
  console.error(explained(error));
  process.exitCode = 1;
}
