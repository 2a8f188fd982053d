/** Suggestions for a mistyped word. */

/** ": did you mean baseUrl?", or nothing if no known word is similar. */
export function suggestion(word: string, known: readonly string[]): string {
  const similar = nearest(word, known);
  return similar === undefined ? "" : `: did you mean ${similar}?`;
}

/** The most similar word if at most a third of its letters differ; otherwise the only word that starts like this one. */
function nearest(word: string, known: readonly string[]): string | undefined {
  const [closest] = known
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ candidate, distance }) => distance <= Math.max(word.length, candidate.length) / 3)
    .sort((a, b) => a.distance - b.distance);
  if (closest) return closest.candidate;
  const starting = known.filter((candidate) => candidate.startsWith(word));
  return starting.length === 1 ? starting[0] : undefined;
}

/** The number of letters to insert, remove, replace or swap. */
function editDistance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Infinity;
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    rows.push(current);
    for (let column = 1; column <= b.length; column++) {
      const [left, right] = [a[row - 1], b[column - 1]];
      const isSwap = left === b[column - 2] && a[row - 2] === right;
      current.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (left === right ? 0 : 1),
          isSwap ? at(row - 2, column - 2) + 1 : Infinity,
        ),
      );
    }
  }
  return at(a.length, b.length);
}
