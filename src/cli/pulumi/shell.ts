/** Text for a shell. */

/** A word of a command. A path that starts with a dash would be taken for an option. */
export function shellWord(path: string): string {
  const safe = path.startsWith("-") ? `./${path}` : path;
  return /^[\w./-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", "'\\''")}'`;
}
