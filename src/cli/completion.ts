import { defineCommand, UsageError } from "./command.js";
import { commands } from "./commands.js";

/** One command, as the scripts need it. */
interface Completed {
  readonly name: string;
  readonly summary: string;
  /** With the dashes. */
  readonly options: readonly string[];
  /** Those of the options that take a value. */
  readonly takers: readonly string[];
  /** The values of the positional argument; empty for files. */
  readonly words: readonly string[];
}

const shells = new Map([
  ["bash", bash],
  ["zsh", zsh],
  ["fish", fish],
]);

export const command = defineCommand({
  usage: `Usage: voiceplane completion SHELL

Prints a script that completes commands and options in SHELL: bash, zsh or fish. It works where \`voiceplane\` is on PATH.

  bash  source <(voiceplane completion bash)          in ~/.bashrc
  zsh   source <(voiceplane completion zsh)           in ~/.zshrc, after compinit
  fish  voiceplane completion fish | source           in ~/.config/fish/config.fish

Options:
  -h, --help           show this
`,
  options: {},
  positional: ["shell"],
  words: [...shells.keys()],
  async run(_values, shell = "") {
    const script = shells.get(shell);
    if (!script) throw new UsageError(`completion takes one shell: ${[...shells.keys()].join(", ")}`);
    process.stdout.write(script(await completedCommands()));
  },
});

async function completedCommands(): Promise<Completed[]> {
  const completed = await Promise.all(
    Object.entries(commands).map(async ([name, { summary, load }]) => {
      const { words, options } = (await load()).command;
      const takers = Object.entries(options).filter(([, { type }]) => type === "string");
      return {
        name,
        summary,
        options: dashed(Object.keys(options)),
        takers: dashed(takers.map(([key]) => key)),
        words,
      };
    }),
  );
  const words = Object.keys(commands);
  return [...completed, { name: "help", summary: "show the options of a command", options: [], takers: [], words }];
}

const dashed = (names: readonly string[]): string[] => names.map((name) => `--${name}`);

const globalOptions = ["--help", "--version"];

const firstWords = (commands: readonly Completed[]): string =>
  [...commands.map(({ name }) => name), ...globalOptions].join(" ");

/** Completes options and words. bash itself completes file names where nothing else fits. */
function bash(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, takers, words }) =>
      `    ${name}) options="${[...words, ...options].join(" ")}" values="${takers.join(" ")}" ;;`,
  );
  return `_voiceplane() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" options= values= word
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${cases.join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    options="${firstWords(commands)}"
  elif [[ " $values " == *" $previous "* ]]; then
    return
  fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$options" -- "$current")
}
complete -o default -F _voiceplane voiceplane
`;
}

function zsh(commands: readonly Completed[]): string {
  const cases = commands.map(
    ({ name, options, takers, words }) =>
      `    ${name}) candidates=(${[...words, ...options].join(" ")}) takers=(${takers.join(" ")}) ;;`,
  );
  return `#compdef voiceplane
_voiceplane() {
  local -a candidates takers
  case "\${words[2]}" in
${cases.join("\n")}
  esac
  if (( CURRENT == 2 )); then
    candidates=(${firstWords(commands)})
  elif (( \${takers[(Ie)\${words[CURRENT - 1]}]} )); then
    _files
    return
  fi
  compadd -- $candidates
  _files
}
compdef _voiceplane voiceplane
`;
}

function fish(commands: readonly Completed[]): string {
  const first = "complete -c voiceplane -n __fish_use_subcommand";
  const lines = commands.flatMap(({ name, summary, options, takers, words }) => {
    const after = `complete -c voiceplane -n "__fish_seen_subcommand_from ${name}"`;
    return [
      `${first} -f -a ${name} -d "${summary}"`,
      ...words.map((word) => `${after} -f -a ${word}`),
      ...options.map((option) => `${after} -l ${option.slice(2)}${takers.includes(option) ? " -r" : ""}`),
    ];
  });
  return [...lines, ...globalOptions.map((option) => `${first} -l ${option.slice(2)}`), ""].join("\n");
}
