/** The commands of `voiceplane`, in the order of the help: as they are needed, one after the other. */

interface CommandModule {
  /** What `--help` prints. Its lines of options are what shells complete. */
  readonly usage: string;
  run(args: string[]): Promise<void>;
}

interface Command {
  readonly summary: string;
  /** Loads the command with all that it needs, and nothing that the others need. */
  load(): Promise<CommandModule>;
}

export const commands: Readonly<Record<string, Command>> = {
  init: { summary: "write a new project", load: () => import("./init.js") },
  validate: { summary: "check an organization file and the settings", load: () => import("./validate.js") },
  doctor: { summary: "check that this machine, project and server are ready", load: () => import("./doctor.js") },
  report: { summary: "explain a preview in plain language", load: () => import("./report.js") },
  serve: { summary: "run the embedded control plane", load: () => import("./serve.js") },
  completion: { summary: "print a completion script for a shell", load: () => import("./completion.js") },
};
