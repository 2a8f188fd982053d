/** Projects for the doctor: folders with the minimum of files, and a Pulumi CLI that answers from a table. */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { examine, type Machine } from "../../../../../src/cli/findings/doctor";
import { findingLine } from "../../../../../src/cli/findings/finding";
import type { PulumiAnswer, QueryPulumi } from "../../../../../src/cli/pulumi/cli";
import { ownManifest } from "../../../../../src/cli/manifest";
import { testApproved } from "../../../../support/approved";
import { temporaryFolder, write } from "../../../../support/folders";

/** The version of this package. */
export const ownVersion = ownManifest().version;

export { temporaryFolder, write };

export const pulumiYaml = "name: acme\nruntime: { name: nodejs, options: { typescript: false } }\n";

export const sdk = (version = "3.270.0", modules = "node_modules") => ({
  [`${modules}/@pulumi/pulumi/package.json`]: JSON.stringify({ name: "@pulumi/pulumi", version }),
});

export const typescript = (version: string) => ({
  "node_modules/typescript/package.json": JSON.stringify({ name: "typescript", version, exports: { ".": "./x.js" } }),
});

/** The files of the package that the doctor checks, with the path that every state names. */
export const ownPackage = (version = ownVersion, modules = "node_modules") => ({
  [`${modules}/pulumi-voiceplane/package.json`]: JSON.stringify({
    name: "pulumi-voiceplane",
    version,
    exports: { "./dynamic/retention-policy": "./dist/provider/dynamic/retention-policy.js" },
  }),
  [`${modules}/pulumi-voiceplane/dist/provider/dynamic/retention-policy.js`]: "",
});

export const wholeProject = { "Pulumi.yaml": pulumiYaml, ...sdk(), ...ownPackage() };

/** A project in a new folder. */
export function project(files: Readonly<Record<string, string>> = wholeProject): string {
  const folder = temporaryFolder();
  write(folder, files);
  return folder;
}

/** Sizes, times and contents of all files below a folder. */
export const snapshot = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => {
    const found = statSync(join(folder, name));
    return [name, found.mtimeMs, found.size, found.isFile() ? readFileSync(join(folder, name), "utf8") : "folder"];
  });

/** Answers by arguments, as recorded from the CLI 3.259.0. Arguments that are not in the table fail. */
export function pulumiWith(answers: Readonly<Record<string, unknown>>, calls: string[] = []): QueryPulumi {
  const table: Readonly<Record<string, unknown>> = { version: "v3.259.0\n", ...answers };
  return (args) => {
    const call = args.join(" ");
    calls.push(call);
    const answer = table[call] ?? (call.startsWith("stack export ") ? emptyState : undefined);
    if (answer === undefined) return Promise.resolve({ kind: "failed", why: "exit code 255" });
    if (isAnswer(answer)) return Promise.resolve(answer);
    const stdout = typeof answer === "string" ? answer : `${JSON.stringify(answer, undefined, 2)}\n`;
    return Promise.resolve({ kind: "done", stdout });
  };
}

const emptyState = { version: 3, deployment: {} };

function isAnswer(answer: unknown): answer is PulumiAnswer {
  return typeof answer === "object" && answer !== null && "kind" in answer;
}

export interface Examination extends Partial<Machine> {
  readonly folder?: string;
  readonly stack?: string;
}

/** The lines as the terminal shows them, without the columns: `problem engine there is no pulumi on PATH. Install it: …`. */
export async function examined({ folder = project(), stack, ...machine }: Examination): Promise<string[]> {
  const findings = await examine(folder, stack, { env: {}, pulumi: pulumiWith({}), ...machine });
  return findings.map((finding) => `${finding.severity} ${finding.check} ${findingLine(finding)}`);
}

/** A test for each case: approved/NAME.md has the doctor's lines about these checks. No line has the text `hush`. */
export function testFindings(
  name: string,
  checks: readonly string[],
  cases: Readonly<Record<string, () => Examination | Promise<Examination>>>,
): void {
  const texts = Object.entries(cases).map(([title, make]) => {
    const text = async () => {
      const lines = await examined(await make());
      expect(lines.join()).not.toContain("hush");
      const found = lines.filter((line) => checks.includes(line.split(" ")[1] ?? ""));
      const shown = found.length === 0 ? "(nothing)" : found.map((line) => `    ${line}`).join("\n");
      return shown
        .replaceAll(/\/\S*voiceplane-test-\w+/g, "FOLDER")
        .replaceAll(/\b127\.0\.0\.1:\d{4,}/g, "SERVER")
        .replaceAll(/request id [\w-]{36}/g, "request id ID")
        .replaceAll(ownVersion, "VERSION");
    };
    return [title, text] as const;
  });
  testApproved(join(__dirname, "approved", `${name}.md`), Object.fromEntries(texts));
}
