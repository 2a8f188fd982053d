/** Suggestions for a mistyped word. The build packs the library into this file, so users do not install it. */
import compare from "damerau-levenshtein";

/** The most similar word if at most a third of its letters differ. */
export function mostSimilar(word: string, known: readonly string[]): string | undefined {
  const [closest] = known
    // The library's table grows with the square of the longer word, and a word may be as long as a file.
    .filter((candidate) => Math.min(word.length, candidate.length) * 1.5 >= Math.max(word.length, candidate.length))
    .map((candidate) => ({ candidate, ...compare(word, candidate) }))
    .filter(({ relative }) => relative <= 1 / 3)
    .sort((a, b) => a.steps - b.steps);
  return closest?.candidate;
}

/** The only known word that is a part of this one, such as onCreate in rotateOnCreate. Short ones, such as id, are parts of too many words. */
export function partOf(word: string, known: readonly string[]): string | undefined {
  const parts = known.filter((each) => each.length > 3 && word.toLowerCase().includes(each.toLowerCase()));
  return parts.length === 1 ? parts[0] : undefined;
}
