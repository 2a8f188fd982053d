/** Suggestions for a mistyped word. */

/** ": did you mean baseUrl?", or nothing if no known word is similar. */
export function suggestion(word: string, known: readonly string[]): string {
  const similar = nearest(word, known);
  return similar === undefined ? "" : `: did you mean ${similar}?`;
}

/** The known word that was meant: the most similar one; otherwise the only word that starts like this one. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const similar = mostSimilar(word, known);
  if (similar !== undefined) return similar;
  const starting = known.filter((candidate) => candidate.startsWith(word));
  return starting.length === 1 ? starting[0] : undefined;
}

/** The most similar word if at most a third of its letters differ. */
export function mostSimilar(word: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(word.length, candidate.length) / 3)
    .sort((a, b) => a.distance - b.distance);
  return closest?.candidate;
}

/** The known word within this one, such as onCreate in rotateOnCreate, if there is one. Short ones, such as id, are in many words. */
export function partOf(word: string, known: readonly string[]): string | undefined {
  const parts = known.filter((each) => each.length > 3 && word.toLowerCase().includes(each.toLowerCase()));
  return parts.length === 1 ? parts[0] : undefined;
}

/** The number of letters to insert, remove, replace or swap. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [i, letter] of a.split("").entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split("").entries()) {
      const [above, left, diagonal] = [row[j + 1] ?? 0, next[j] ?? 0, row[j] ?? 0];
      const isSwap = letter === b[j - 1] && a[i - 1] === other;
      const swapped = isSwap ? (before[j - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(above + 1, left + 1, diagonal + (letter === other ? 0 : 1), swapped));
    }
    [before, row] = [row, next];
  }
  return row[b.length] ?? 0;
}
