/** The commands of `voiceplane`, in the order of the help: the order in which a project needs them. */
import type { Command } from "./command.js";

interface Entry {
  readonly summary: string;
  /** Loads only this command and what it needs. */
  readonly load: () => Promise<{ readonly command: Command }>;
}

export const commands: Readonly<Record<string, Entry>> = {
  init: { summary: "write a new project", load: () => import("./init.js") },
  validate: { summary: "check an organization file and the settings", load: () => import("./validate.js") },
  doctor: { summary: "check that this machine, project and server are ready", load: () => import("./doctor.js") },
  report: { summary: "explain a preview in plain language", load: () => import("./report.js") },
  apply: { summary: "run one organization's stack safely", load: () => import("./apply.js") },
  status: { summary: "show what a stack's state says", load: () => import("./status.js") },
  serve: { summary: "run the embedded control plane", load: () => import("./serve.js") },
  completion: { summary: "print a completion script for a shell", load: () => import("./completion.js") },
};
