/** The option `--fail-on`: which outcomes have an exit code of their own. */
import { InvalidArgumentError } from "./commander.js";
import { failOnChanges, risks, type FailOn } from "../report/risks.js";

const groups: Readonly<Record<string, FailOn>> = {
  changes: failOnChanges,
  risks: { changes: false, edits: false, risks: new Set(risks) },
  edits: { changes: false, edits: true, risks: new Set(risks) },
  none: { changes: false, edits: false, risks: new Set() },
};

/** The labels of the risks as words of a command line. */
export const riskLabels = risks.map((label) => label.replaceAll(" ", "-"));

/**
 * Reads `risks`, or labels such as "deletes-data,rotates-a-secret"; dashes and spaces are the same.
 * @throws InvalidArgumentError
 */
export function parseFailOn(text: string): FailOn {
  const words = text.split(",").map((word) => word.trim().replaceAll("-", " "));
  const [first = ""] = words;
  if (words.length === 1 && Object.hasOwn(groups, first)) return groups[first] ?? failOnChanges;
  const labels = words.map((word) => {
    const risk = risks.find((label) => label === word);
    if (risk === undefined) throw new InvalidArgumentError(failOnWords);
    return risk;
  });
  return { changes: false, edits: false, risks: new Set(labels) };
}

const failOnWords =
  `It takes one of ${Object.keys(groups).join(", ")}, or labels joined by commas: ` + `${riskLabels.join(", ")}.`;
