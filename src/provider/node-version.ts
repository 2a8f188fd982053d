/** The Node that this package needs. Entries check it first: an older one fails in some module, with an error that says nothing of it. */

/** One line if this Node is too old. The version is that of `engines` in package.json. */
export function nodeProblem(running: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  if (major > 22 || (major === 22 && minor >= 19)) return undefined;
  return `pulumi-voiceplane needs Node 22.19 or later, and this is Node ${running} (${process.execPath})`;
}
