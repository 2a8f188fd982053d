/** Advice on how a renamed resource keeps its state, for a report, and for an update that is refused. @param old undefined where only the sentence before names it */

export const entryAdvice = (entry: string, old?: string): string =>
  `add ${old === undefined ? "`formerly` with that name" : `\`formerly: ${old}\``} to ${entry}`;

export const aliasAdvice = (name: string, old?: string): string =>
  `add an alias with ${old === undefined ? "that name" : `the name ${old}`} to ${name}`;
