import { parsedArgs } from "./arguments.js";
import { commands } from "./commands.js";
import { bash, fish, zsh, type Completed } from "./completion/scripts.js";
import { UsageError } from "./errors.js";

const shells = { bash, zsh, fish } as const;
type Shell = keyof typeof shells;

export const usage = `Usage: voiceplane completion SHELL

Prints a script that completes commands and options in SHELL: bash, zsh or fish. It works where \`voiceplane\` is on PATH.

  bash  source <(voiceplane completion bash)          in ~/.bashrc
  zsh   source <(voiceplane completion zsh)           in ~/.zshrc, after compinit
  fish  voiceplane completion fish | source           in ~/.config/fish/config.fish

Options:
  -h, --help           show this
`;

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parsedArgs(args, {});
  if (values.help === true) {
    process.stdout.write(usage);
    return;
  }
  const [shell, ...others] = positionals;
  if (!isShell(shell) || others.length > 0) {
    throw new UsageError(`completion takes one shell: ${Object.keys(shells).join(", ")}`);
  }
  process.stdout.write(shells[shell](await completed()));
}

const isShell = (name: string | undefined): name is Shell => name !== undefined && Object.hasOwn(shells, name);

/** What there is to complete, read from the help texts, so that no option is listed twice. */
async function completed(): Promise<Completed[]> {
  const own = await Promise.all(
    Object.entries(commands).map(async ([name, command]) => {
      const lines = (await command.load()).usage.matchAll(/^ {2}(?:-\w, )?--([a-z-]+)( [A-Z]+)? /gm);
      const options = [...lines].map(([, option = "", value]) => ({ name: option, takesValue: value !== undefined }));
      return { name, summary: command.summary, options, words: name === "completion" ? Object.keys(shells) : [] };
    }),
  );
  const help = { name: "help", summary: "show the options of a command", options: [], words: Object.keys(commands) };
  return [...own, help];
}
