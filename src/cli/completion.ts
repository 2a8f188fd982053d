import { readdirSync } from "node:fs";
import { Argument, Command, type AnyCommand } from "./commander.js";

/**
 * Each script asks `voiceplane` itself for the words that fit, so that it never is out of date. Without one, the shell completes
 * files.
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

export const command = new Command("completion")
  .usage("[options] <shell>")
  .description(
    "Prints a script that completes commands, options and their values in bash, zsh or fish. It works where `voiceplane` is " +
      "on PATH.",
  )
  .addArgument(new Argument("<shell>").choices(["bash", "zsh", "fish"]))
  // What a script passes: the words up to the cursor.
  .argument("[words...]")
  .addHelpText(
    "after",
    `
  bash  source <(voiceplane completion bash)      in ~/.bashrc
  zsh   source <(voiceplane completion zsh)       in ~/.zshrc, after compinit
  fish  voiceplane completion fish | source       in ~/.config/fish/config.fish`,
  )
  .action((shell, words, _options, { parent }) => {
    const found = words.length === 0 ? [scripts[shell]] : candidates(parent, words).map((word) => `${word}\n`);
    process.stdout.write(found.join(""));
  });

/** The words that can replace the last one. */
function candidates(program: AnyCommand | null, words: readonly string[]): string[] {
  const [first] = words;
  const isFirst = words.length === 1;
  const command = isFirst || first === "help" ? program : program?.commands.find((each) => each.name() === first);
  if (!command) return [];
  const help = command.createHelp();
  const option = command.options.find(({ long, short }) => [long, short].includes(words.at(-2)));
  const current = words.at(-1) ?? "";
  const takesFiles = command.registeredArguments.some(({ argChoices }) => argChoices === undefined);
  const all = option?.required
    ? (option.argChoices ?? (option.long === "--stack" ? stacks() : []))
    : [
        ...help.visibleCommands(command).map((each) => each.name()),
        ...command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices),
        ...(takesFiles && !current.startsWith("-")
          ? []
          : help.visibleOptions(command).flatMap(({ long = [] }) => long)),
      ];
  return all.filter((word) => word.startsWith(current));
}

/** The stacks that have a file in the current folder. */
function stacks(): string[] {
  return readdirSync(".").flatMap((file) => /^Pulumi\.([\w.-]+)\.ya?ml$/.exec(file)?.[1] ?? []);
}
