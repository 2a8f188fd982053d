/** The Node that this package needs. Entries check it first: an older one fails in some module, with an error that does not name the reason. */

/** That of `engines` in package.json. */
export const oldestNode = "22.19";

/** One line if this Node is too old. */
export function nodeProblem(running: string = process.versions.node): string | undefined {
  const [major = 0, minor = 0] = running.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return `pulumi-voiceplane needs Node ${oldestNode} or later, and this is Node ${running} (${process.execPath})`;
}
