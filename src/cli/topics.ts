/** What `voiceplane help TOPIC` shows beside the commands. */
import { below, type AnyCommand } from "./commander.js";

interface Topic {
  readonly summary: string;
  readonly text: (program: AnyCommand) => Promise<string>;
}

/** One meaning in all commands. */
export const exitCodes = {
  0: "It worked, and there is nothing to see.",
  1: "It failed, it refused, or it found a mistake: the text says which.",
  2: "It worked, and there is something to see: changes, or for `status` an object that is not ok.",
  3: "It worked, and there are changes with a risk.",
  4: "Only `apply`: another run has the stack.",
};

export const exitCodesOfFailOn =
  "--fail-on names the changes that must not pass. `preview` and `report`, which change nothing, then end with 3, or with 2 " +
  "for a change without a risk that only `changes` names, their default. `apply` previews first, sends nothing, and ends " +
  "with 1. Its default is `none`.";

export const topics = {
  environment: {
    summary: "the environment variables",
    text: async (program) => {
      const { variables } = await import("./environment.js");
      return variables
        .map(({ names, meaning }) => {
          const lines = wrapped(program, meaning.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1")).split("\n");
          return [...names, ...lines.map((line) => `  ${line}`)].map((line) => `${line}\n`).join("");
        })
        .join("\n");
    },
  },
  "exit-codes": {
    summary: "what the exit codes mean",
    text: (program) =>
      Promise.resolve(
        `${below("Exit codes:", exitCodes, `\n${exitCodesOfFailOn}`)({ command: program }).trimStart()}\n`,
      ),
  },
} satisfies Record<string, Topic>;

export type TopicName = keyof typeof topics;
export const topicNames = Object.keys(topics) as TopicName[];
export const isTopic = (name: string): name is TopicName => Object.hasOwn(topics, name);

function wrapped(program: AnyCommand, text: string): string {
  const help = program.createHelp();
  return help.boxWrap(text, (program.configureOutput().getOutHelpWidth?.() ?? 80) - 2);
}
