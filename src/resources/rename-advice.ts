/** Advice on how a renamed resource keeps its state, for a report, and for an update that is refused. */

/** The name of a declared resource, and its key if it is an entry of an Organization. */
export interface Called {
  readonly name: string;
  readonly entry?: string | undefined;
}

/** @param old the former name of the resource; undefined where the engine alone knows it */
export function renameAdvice({ name, entry }: Called, old?: string): string {
  const prefix = entry === undefined ? "" : name.slice(0, name.length - entry.length);
  const [former, end] = old === undefined ? ["OLD", ", where OLD is its former name"] : [old.slice(prefix.length), ""];
  if (entry === undefined || old?.startsWith(prefix) === false)
    return `add an alias with the name ${old ?? former} to ${name}${end}`;
  return `add \`formerly: ${former}\` to ${entry}${end}`;
}
