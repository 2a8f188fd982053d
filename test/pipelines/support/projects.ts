/** Repositories for pipelines: one with a stack without code, and one whose engine only takes notes. */
import { join, resolve } from "node:path";
import { installedPackage } from "../../engine/support/installation";
import { workspace, type Workspace } from "./workspace";

const root = resolve(__dirname, "../../..");

export const crm = "c0000000-0000-4000-8000-000000000001";

export const declared = (retention: string) => `retention:
  recordings: { ${retention}, reassertAfter: 7d, reassertUnattended: true }
webhooks:
  crm: { id: ${crm}, rotateAfter: 90d }
`;

/**
 * A repository with a stack without code, as the README describes it.
 *
 * @param folder of the project, if it is not the repository's root
 * @param stack its name
 */
export async function repository(folder = ".", stack = "acme"): Promise<Workspace> {
  const made = await workspace();
  standInForNpx(made);
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

/** npx alone takes longer than all of a report; what it does itself is seen in pull-request.test.ts. */
function standInForNpx(made: Workspace): void {
  const program = join(installedPackage(), "dist/cli/index.js");
  made.standIn("npx", `[ "$1 $2" = "--no-install voiceplane" ] && shift 2 && exec node "${program}" "$@"`);
}

export const recorded = (name: string) => join(root, "test/cli/report/previews", `${name}.digest`);

/** A repository whose engine only notes what it is asked for, and answers with a preview that was recorded. */
export async function rehearsal(preview: string): Promise<Workspace> {
  const made = await workspace();
  answerWith(made, recorded(preview));
  standInForNpx(made);
  return made;
}

/** @param file that holds the preview; of an `up`, the events are those of one that had nothing to do */
export function answerWith(stack: Workspace, file: string): void {
  const events = join(root, "test/cli/report/previews", "unchanged.events");
  stack.standIn(
    "pulumi",
    `echo "$PULUMI_STACK $*" >> "${join(stack.folder, ".pulumi-calls")}"
case "$1" in
  up) cat "${events}" >&3 ;;
  *) cat "${file}" ;;
esac`,
  );
}

/** The commands that the engine was asked for, with the stack in front, as far as they say what happens. */
export const calls = (stack: Workspace): string[] => stack.read(".pulumi-calls").match(/^\w+ \w+/gm) ?? [];
