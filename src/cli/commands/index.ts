/** The table of the commands. docs/reference/commands.md is written from it. */
import type { AnyCommand, Help, Io } from "../commander.js";

interface Entry {
  readonly summary: string;
  readonly group: string;
  readonly load: () => Promise<{ readonly command: (io: Io) => AnyCommand; readonly help: Help }>;
}

/** In the order of the page. The help shows them by group. */
export const commands: Readonly<Record<string, Entry>> = {
  init: { summary: "write a new project, or its pipeline", group: "Set up:", load: () => import("./init/command.js") },
  validate: {
    summary: "check an organization file",
    group: "Check:",
    load: () => import("./validate.js"),
  },
  doctor: {
    summary: "check that this machine, project and server are ready",
    group: "Check:",
    load: () => import("./doctor/command.js"),
  },
  preview: {
    summary: "preview a stack, and explain it in plain language",
    group: "Preview and apply:",
    load: () => import("./preview.js"),
  },
  apply: {
    summary: "preview a stack, and update it",
    group: "Preview and apply:",
    load: () => import("./apply.js"),
  },
  status: {
    summary: "show what was sent, what is due and what is uncertain",
    group: "Preview and apply:",
    load: () => import("./status.js"),
  },
  serve: { summary: "run the embedded control plane", group: "Set up:", load: () => import("./serve.js") },
};
