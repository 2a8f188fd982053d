/**
 * Follows a page from the first line to the last. The fence of a block says what the block is:
 *
 *   ```yaml organization.yaml   a file, written into the current folder, in any language
 *   ```sh                       commands, run one after the other in one shell; they must succeed
 *   ```sh fails                 the same, but the last one must fail
 *   ```sh elsewhere             commands for another terminal, which the test replaces
 *   ```sh clone                 commands for a clone of the repository, which other tests run
 *   ```text                     what the commands before it print, lines in order; "…" stands for anything
 */
import { join } from "node:path";
import { cli } from "../engine/installation";
import type { Workspace } from "../engine/workspace";
import { blocks, type Block } from "./documents";

/** The blocks that the test does not follow: commands for another terminal, and for a clone of the repository. */
const skipped = ["elsewhere", "clone"];

/** The addresses on the pages, and the test's organizations that replace them. */
type Addresses = Readonly<Record<string, string>>;

export async function follow(page: string, stack: Workspace, addresses: Addresses): Promise<void> {
  engineWithoutQuestions(stack);
  standInForNpx(stack);
  // What needs a registry is installed already.
  stack.standIn(
    "npm",
    `case "$1" in
  init | pkg) PATH="\${PATH#*:}" exec npm "$@" ;;
  install) mkdir -p node_modules/.bin && ln -sf "${cli}" node_modules/.bin/voiceplane ;;
esac`,
  );
  stack.write(".session", "");
  let printed = "";
  for (const block of blocks.filter(({ file }) => file === page)) {
    if (skipped.includes(block.role)) continue;
    if (block.language === "sh") printed = await runBlock(block, stack, addresses);
    else if (block.language === "text" && block.role === "") compare(block, printed);
    else if (block.role !== "" && block.language !== "text") {
      stack.write(join(folderOf(stack), block.role), translated(block.text, addresses));
    }
  }
}

/** Adds the options that replace a person's answers, so that pages show commands as they are typed. */
function engineWithoutQuestions(stack: Workspace): void {
  stack.standIn(
    "pulumi",
    `set -- "$@" --non-interactive --color never
case "$1" in
  up | refresh | destroy) set -- "$@" --yes --skip-preview ;;
  state) set -- "$@" --yes ;;
esac
PATH="\${PATH#*:}" exec pulumi "$@"`,
  );
}

/**
 * Runs the installed program, and a preview as on a terminal, where a person reads on after the exit code of changes. `npx
 * pulumi-voiceplane`, which finds the program by its package, stays the real npx.
 */
function standInForNpx(stack: Workspace): void {
  stack.standIn(
    "npx",
    `[ "$1" = voiceplane ] || PATH="\${PATH#*:}" exec npx "$@"
shift
[ "$1" = preview ] || exec node "${cli}" "$@"
node "${cli}" "$@" --format terminal || [ $? -ge 2 ]`,
  );
}

async function runBlock({ file, line, role, text }: Block, stack: Workspace, addresses: Addresses): Promise<string> {
  const session = join(stack.folder, ".session");
  // Keeps the block's exported variables and current folder for the next block.
  // `read` is the question for the token.
  const script = `. "${session}"\nread() { VOICEPLANE_TOKEN=vp_dev_full; }\n${translated(text, addresses)}\n{ export -p; echo "cd '$PWD'"; } > "${session}"`;
  const { code, output } = await stack.run(script);
  if ((code === 0) === (role === "fails")) {
    throw new Error(`${file}:${line} ended with exit code ${code}:\n${text}\n${output}`);
  }
  // The pages explain the provider's warnings. The engine's own would be new to a reader, save that it runs the tests' programs.
  const unexplained = output.split("\n").find((each) => /warning: (?!using pulumi-|voiceplane: )/.test(each));
  if (unexplained !== undefined) throw new Error(`${file}:${line} printed\n${unexplained}`);
  return replaceEach(
    output,
    Object.entries(addresses).map(([written, real]) => [real, written]),
  );
}

/** Fails unless these lines were printed in order. */
export function compare({ file, line, text }: Block, printed: string): void {
  const flat = (lines: string): string => lines.replaceAll(/\s+/g, " ").trim();
  let rest = flat(printed);
  for (const part of text.split(/…|\n/).map(flat)) {
    const at = rest.indexOf(part);
    if (at < 0) throw new Error(`${file}:${line} shows\n${part}\nand the commands before it printed\n${printed}`);
    rest = rest.slice(at + part.length);
  }
}

function translated(text: string, addresses: Addresses): string {
  return replaceEach(text, Object.entries(addresses));
}

/** In one pass: a port such as 40117, put in for one address, begins like the other one. */
function replaceEach(text: string, replacements: readonly (readonly [string, string])[]): string {
  const by = new Map(replacements);
  return text.replaceAll(new RegExp([...by.keys()].join("|"), "g"), (found) => by.get(found) ?? found);
}

/** The session's current folder, relative to the workspace. */
function folderOf(stack: Workspace): string {
  const folder = /^cd '(.*)'$/m.exec(stack.read(".session"))?.[1] ?? stack.folder;
  return folder.slice(stack.folder.length);
}
