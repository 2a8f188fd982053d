/** The Pulumi project in a folder or above it. */
import { resolve } from "node:path";
import { projectFileAbove, readProjectFile, type Project } from "../engine/project.js";
import { failure, ok, type Finding } from "./finding.js";

interface FoundProject {
  readonly finding: Finding;
  readonly file?: string;
  readonly project?: Project;
}

/** Searches the folder and those above it. */
export function findProject(start: string): FoundProject {
  const file = projectFileAbove(resolve(start));
  if (file === undefined) {
    const advice =
      "Run this in the project's folder, or name it: voiceplane doctor DIR. A new project: voiceplane init DIR. " +
      "A program of the Automation API has its project in code, and doctor cannot read it.";
    return { finding: failure("project", `there is no Pulumi.yaml in ${resolve(start)} or above it`, advice) };
  }
  const project = readProjectFile(file);
  if (typeof project === "string") return { file, finding: failure("project", project) };
  return { file, finding: ok("project", file), project };
}

/** Whether the program is this package's, which reads an organization file. */
export const runsOrganizationFile = ({ program }: Project): boolean => program.text.includes("pulumi-voiceplane/stack");
