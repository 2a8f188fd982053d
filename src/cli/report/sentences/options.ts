/** Sentences about the engine's own options, which hold for all resources. */
import { isDeepStrictEqual } from "node:util";
import type { Values } from "../../../resources/lifecycle.js";
import { stored, sentence, tense, type Facts, type Sentence } from "./sentence.js";

export function optionSentences(before: Values, after: Values, facts: Facts): Sentence[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .flatMap((key) => wordsOf(key, after[key], facts));
}

function wordsOf(key: string, fresh: unknown, facts: Facts): Sentence[] {
  const { name } = facts;
  if (key === "protect") {
    return fresh === true
      ? [sentence(`${name} ${tense(facts, "is", "was")} protected: what would delete it is refused from now on`)]
      : [
          sentence(
            `${name} ${tense(facts, "is", "was")} no longer protected: what deletes it is not refused any more`,
            "weakens a guard",
          ),
        ];
  }
  if (key === "ignoreChanges") {
    const ignored = Array.isArray(fresh) ? fresh.map((property) => `\`${String(property)}\``).join(", ") : "";
    const are = tense(facts, "are", "were");
    const text = ignored === "" ? `no edits ${are} ignored any more` : `edits of ${ignored} ${are} ignored from now on`;
    return [sentence(`${name}: ${text} (\`ignoreChanges\`)`)];
  }
  return [stored(facts, [key])];
}
