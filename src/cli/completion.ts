import { Argument, Command, type AnyCommand, type Help, type Option } from "./commander.js";

import { topicNames } from "./topics.js";

/**
 * Each script asks `voiceplane` itself for the words, so that it is never out of date. If there is none, the shell completes files.
 */
const scripts = {
  bash: `_voiceplane() {
  local word
  COMPREPLY=()
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(
    voiceplane completion bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null
  )
}
complete -o default -F _voiceplane voiceplane
`,
  zsh: `#compdef voiceplane
_voiceplane() {
  local found="$(voiceplane completion zsh -- "\${(@Q)words[2,CURRENT]}" 2>/dev/null)"
  if [[ -n "$found" ]]; then compadd -- "\${(@f)found}"; else _files; fi
}
compdef _voiceplane voiceplane
`,
  fish: `function __voiceplane
  set -l found (voiceplane completion fish -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c voiceplane -f -a '(__voiceplane)'
`,
};

export const help: Help = {
  examples: {
    "In ~/.bashrc": "source <(voiceplane completion bash)",
    "In ~/.zshrc, after compinit": "source <(voiceplane completion zsh)",
    "In ~/.config/fish/config.fish": "voiceplane completion fish | source",
  },
  exitCodes: { 0: "the script is printed", 1: "bad usage" },
};

export const command = new Command("completion")
  .usage("[options] <shell>")
  .description(
    "Prints a script that completes commands, options and their values in bash, zsh or fish. It works where `voiceplane` is " +
      "on PATH.",
  )
  .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
  // What a script passes: the words up to the cursor.
  .argument("[words...]")
  .action(async (shell, words, _options, { parent }) => {
    const found = words.length === 0 ? [scripts[shell]] : (await candidates(parent, words)).map((word) => `${word}\n`);
    process.stdout.write(found.join(""));
  });

/** The words that can replace the last one. */
async function candidates(program: AnyCommand | null, words: readonly string[]): Promise<string[]> {
  const [first] = words;
  const isFirst = words.length === 1;
  const command = isFirst || first === "help" ? program : program?.commands.find((each) => each.name() === first);
  if (!command) return [];
  const { option, current, before } = optionAt(command, words);
  if (option?.required) {
    const [list = ""] = option.long === "--fail-on" ? (/^.*,/.exec(current) ?? []) : [];
    const values = startingWith(current.slice(list.length), await valuesOf(option, list !== ""));
    return values.map((value) => before + list + value);
  }
  const shown = command.createHelp();
  const takesFiles = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  return startingWith(current, [
    ...shown.visibleCommands(command).map((each) => each.name()),
    ...(first === "help" ? topicNames : []),
    ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
    ...(takesFiles && !current.startsWith("-") ? [] : inGroups(command).flatMap(({ long = [] }) => long)),
  ]);
}

/** As the help lists them. */
function inGroups(command: AnyCommand): Option[] {
  const help = command.createHelp();
  const groups = help.groupItems(
    [...command.options],
    help.visibleOptions(command),
    (each) => each.helpGroupHeading ?? "",
  );
  return [...groups.values()].flat();
}

const startingWith = (start: string, words: readonly string[]): string[] =>
  words.filter((word) => word.startsWith(start));

/** The option whose value is the last word, in `--format js` and `--format=js`. bash passes "=" as a word of its own. */
function optionAt({ options }: AnyCommand, words: readonly string[]) {
  const last = words.at(-1) ?? "";
  const named = (name = "") => options.find(({ long, short }) => [long, short].includes(name));
  const [, name, value] = /^(--[\w-]+)=(.*)$/.exec(last) ?? [];
  if (name !== undefined && value !== undefined) return { option: named(name), current: value, before: `${name}=` };
  if (last === "=") return { option: named(words.at(-2)), current: "", before: "" };
  return { option: named(words.at(words.at(-2) === "=" ? -3 : -2)), current: last, before: "" };
}

/** @returns none where the shell completes files */
async function valuesOf({ argChoices, long }: Option, isInList: boolean): Promise<readonly string[]> {
  if (argChoices) return argChoices;
  if (long === "--stack") return stacks();
  if (long !== "--fail-on") return [];
  const { failOnGroups, riskLabels } = await import("./report/risks.js");
  return isInList ? riskLabels : [...failOnGroups, ...riskLabels];
}

/** The stacks of the project of the current folder that have a file. */
async function stacks(): Promise<string[]> {
  const { projectAbove, stackNamesIn } = await import("./engine/project.js");
  const project = projectAbove(process.cwd());
  return project ? stackNamesIn(project) : [];
}
