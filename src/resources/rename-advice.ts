/** How a renamed resource keeps its state: for a report, and for an update that is refused. Without `old`, the sentence before has the old name. */

export const entryAdvice = (entry: string, old?: string): string =>
  `add ${old === undefined ? "`formerly` with that name" : `\`formerly: ${old}\``} to ${entry}`;

export const aliasAdvice = (name: string, old?: string): string =>
  `add an alias with ${old === undefined ? "that name" : `the name ${old}`} to ${name}`;
