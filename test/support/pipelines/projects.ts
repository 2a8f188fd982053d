/** Repositories for pipelines: one with a stack without code, and one in which this package's program is a stand-in. */
import { dirname, join } from "node:path";
import { installedPackage } from "../engine/installation";
import { workspace, type Workspace } from "./workspace";

export const crm = "c0000000-0000-4000-8000-000000000001";

export const declared = (retention: string) => `onCreate: overwrite
retention:
  recordings: { ${retention}, reassertAfter: 7d, reassertUnattended: true }
webhooks:
  crm: { id: ${crm}, onCreate: rotate, rotateAfter: 90d }
`;

/**
 * A repository with a stack without code, as the README describes it.
 *
 * @param folder of the project, if it is not the repository's root
 * @param stack its name
 */
export async function repository(folder = ".", stack = "acme"): Promise<Workspace> {
  const made = await workspace();
  standInForInstall(made);
  made.write(
    join(folder, "Pulumi.yaml"),
    "name: acme-voice\nruntime: { name: nodejs, options: { typescript: false } }\n",
  );
  made.write(join(folder, "package.json"), '{ "private": true, "dependencies": { "pulumi-voiceplane": "*" } }\n');
  made.write(join(folder, "index.js"), 'module.exports = require("pulumi-voiceplane/stack");\n');
  made.write(join(folder, "organization.yaml"), declared("days: 90"));
  made.write(
    join(folder, `Pulumi.${stack}.yaml`),
    `config:\n  voiceplane:organization: acme\n  voiceplane:baseUrl: ${made.organization.url}\n`,
  );
  await made.must(`cd "${folder}" && pulumi stack init ${stack} --non-interactive`);
  return made;
}

/** Notes the call, and has the packages in the project's folder, where the pipelines start the program. */
function standInForInstall(made: Workspace): void {
  const calls = join(made.folder, ".npm-calls");
  made.standIn("npm", `echo "$*" >> "${calls}"\nln -sfn "${dirname(installedPackage())}" node_modules`);
}

/**
 * A repository in which this package's program is a stand-in. `preview` writes a plan and prints a report, and both `preview` and
 * `apply` end with code 0, until `answer` says otherwise.
 */
export async function playedRepository(): Promise<Workspace> {
  const made = await workspace();
  const dump = (what: string) => `{ echo "== ${what}"; env; } >> "${join(made.folder, ".environments")}"`;
  made.standIn("npm", `echo "$*" >> "${join(made.folder, ".npm-calls")}"\n${dump("npm")}`);
  made.standIn("pulumi", called(made, "pulumi"));
  made.standIn(
    "node",
    `case "$1" in
node_modules/pulumi-voiceplane/dist/cli/index.js) ;;
*) exec "${process.execPath}" "$@" ;;
esac
shift
${called(made, "voiceplane")}
${dump("$1")}
. "${made.folder}/.answer-$1"`,
  );
  answer(made, "preview", 0);
  answer(made, "apply", 0);
  return made;
}

const called = (made: Workspace, program: string) =>
  `echo "$PULUMI_STACK: ${program} $*" >> "${join(made.folder, ".calls")}"`;

/** @param more runs before the end, in the project's folder */
export function answer(stack: Workspace, command: "preview" | "apply", code: number, more = ""): void {
  const work = command === "preview" ? 'echo "plan of $PULUMI_STACK" > plan.json' : "cat plan.json 2>/dev/null";
  const text = `### voiceplane ${command} of $PULUMI_STACK`;
  stack.write(`.answer-${command}`, `${work}\necho "${text}"\n${more}\nexit ${code}\n`);
}

/** The calls of this package's program and of the engine since the last question. */
export function calls(stack: Workspace): string[] {
  const lines = stack.read(".calls").trim().split("\n");
  stack.write(".calls", "");
  return lines.filter((line) => line !== "");
}

/** The environments of npm, `preview` and `apply`, by name. */
export function environmentsOf(stack: Workspace): Record<string, string> {
  const parts = stack.read(".environments").split(/^== /m).slice(1);
  return Object.fromEntries(
    ["npm", "preview", "apply"].map((name) => [name, parts.filter((part) => part.startsWith(`${name}\n`)).join("")]),
  );
}
