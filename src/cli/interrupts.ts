interface Interrupts {
  readonly first: AbortSignal;
  readonly second: AbortSignal;
}

/**
 * The first SIGINT or SIGTERM, and the second.
 *
 * @param messages what standard error shows at each of them
 */
export function interrupts(...messages: readonly [first: string, second: string]): Interrupts {
  const [first, second] = [new AbortController(), new AbortController()];
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const isFirst = !first.signal.aborted;
      process.stderr.write(`voiceplane: ${messages[isFirst ? 0 : 1]}\n`);
      (isFirst ? first : second).abort();
    });
  }
  return { first: first.signal, second: second.signal };
}
