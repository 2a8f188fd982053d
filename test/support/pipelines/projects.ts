/**
 * Repositories for pipelines: one with a stack without code, and one whose engine is a stand-in that records its calls.
 */
import { dirname, join, resolve } from "node:path";
import { installedPackage } from "../engine/installation";
import { workspace, type Workspace } from "./workspace";

const root = resolve(__dirname, "../../..");

export const crm = "c0000000-0000-4000-8000-000000000001";

export const declared = (retention: string) => `retention:
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
  made.write(join(folder, `Pulumi.${stack}.yaml`), `config:\n  voiceplane:baseUrl: ${made.organization.url}\n`);
  await made.must(`cd "${folder}" && pulumi stack init ${stack} --non-interactive`);
  return made;
}

/** Notes the call, and has the packages in the project's folder, where the pipelines start the program. */
function standInForInstall(made: Workspace): void {
  const calls = join(made.folder, ".npm-calls");
  made.standIn("npm", `echo "$*" >> "${calls}"\nln -sfn "${dirname(installedPackage())}" node_modules`);
}

export const recorded = (name: string) => join(root, "test/unit/cli/report/previews", `${name}.digest`);

/** The environment of each call of npm and of this package's program, which have no use for a secret. */
export function recordEnvironments(made: Workspace): () => string {
  const file = join(made.folder, ".environments");
  const record = `{ echo "== $0 $1"; env; } >> "${file}"`;
  made.standIn("npm", `${record}\nln -sfn "${dirname(installedPackage())}" node_modules`);
  made.standIn("node", `case "$1" in */cli/index.js) ${record} ;; esac\nexec "${process.execPath}" "$@"`);
  return () => made.read(".environments");
}

/** A repository whose engine is a stand-in: it records its calls and prints a recorded preview. */
export async function repositoryWithPreview(preview: string): Promise<Workspace> {
  const made = await workspace();
  answerWith(made, recorded(preview));
  standInForInstall(made);
  return made;
}

/** @param file the recorded preview. The events of an `up` are always those of an unchanged stack. */
export function answerWith(stack: Workspace, file: string): void {
  const events = join(root, "test/unit/cli/report/previews", "unchanged.events");
  stack.standIn(
    "pulumi",
    `echo "$PULUMI_STACK $*" >> "${join(stack.folder, ".pulumi-calls")}"
case "$1" in
  up) cat "${events}" >&3 ;;
  *) cat "${file}" ;;
esac`,
  );
}

/** The engine's calls, as stack and command. */
export const calls = (stack: Workspace): string[] => stack.read(".pulumi-calls").match(/^\w+ \w+/gm) ?? [];
