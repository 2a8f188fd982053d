/** The three numbers of a version or of a range such as ">=22.19" or "^3.250.0"; undefined where there are none. */
function numbersOf(text: string): readonly [number, number, number] | undefined {
  const match = /(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}

export function majorOf(version: string): number {
  return numbersOf(version)?.[0] ?? Number.NaN;
}

/** Whether a version is in a range of the two forms that the package's own manifest uses: ">=22.19" and "^3.250.0". */
export function isInRange(version: string, range: string): boolean {
  const [have, least] = [numbersOf(version), numbersOf(range)];
  if (!have || !least || (range.startsWith("^") && have[0] !== least[0])) return false;
  const first = have.findIndex((number, index) => number !== least[index]);
  return first === -1 || (have[first] ?? 0) > (least[first] ?? 0);
}
