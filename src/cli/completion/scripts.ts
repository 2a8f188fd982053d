/** Completion scripts for shells, each a constant around the lists of commands and options. */

export interface Completed {
  readonly name: string;
  readonly summary: string;
  /** Without the dashes. */
  readonly options: readonly { readonly name: string; readonly takesValue: boolean }[];
  /** What may stand beside the options; empty for files. */
  readonly words: readonly string[];
}

const globalOptions = ["--help", "--version"];

/** Values of options and arguments are completed as file names, which bash does itself where nothing else fits. */
export function bash(commands: readonly Completed[]): string {
  return `_voiceplane() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD - 1]}" options= values= word
  COMPREPLY=()
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => `    ${command.name}) options="${wordsOf(command)}" values="${valuesOf(command)}" ;;`).join("\n")}
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then
    options="${[...commands.map(({ name }) => name), ...globalOptions].join(" ")}"
  elif [[ " $values " == *" $previous "* ]]; then
    return
  fi
  while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$options" -- "$current")
}
complete -o default -F _voiceplane voiceplane
`;
}

export function zsh(commands: readonly Completed[]): string {
  return `#compdef voiceplane
_voiceplane() {
  local -a candidates takers
  case "\${words[2]}" in
${commands.map((command) => `    ${command.name}) candidates=(${wordsOf(command)}) takers=(${valuesOf(command)}) ;;`).join("\n")}
  esac
  if (( CURRENT == 2 )); then
    candidates=(${[...commands.map(({ name }) => name), ...globalOptions].join(" ")})
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

export function fish(commands: readonly Completed[]): string {
  const lines = commands.flatMap(({ name, summary, options, words }) => {
    const after = `complete -c voiceplane -n "__fish_seen_subcommand_from ${name}"`;
    return [
      `complete -c voiceplane -n __fish_use_subcommand -f -a ${name} -d "${summary}"`,
      ...words.map((word) => `${after} -f -a ${word}`),
      ...options.map((option) => `${after} -l ${option.name}${option.takesValue ? " -r" : ""}`),
    ];
  });
  const globals = globalOptions.map(
    (option) => `complete -c voiceplane -n __fish_use_subcommand -l ${option.replace("--", "")}`,
  );
  return [...lines, ...globals, ""].join("\n");
}

const wordsOf = ({ options, words }: Completed): string =>
  [...words, ...options.map(({ name }) => `--${name}`)].join(" ");

const valuesOf = ({ options }: Completed): string =>
  options.flatMap(({ name, takesValue }) => (takesValue ? [`--${name}`] : [])).join(" ");
