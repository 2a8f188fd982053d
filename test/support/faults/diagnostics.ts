/** The diagnostics that the engine prints below a resource's name. */
export function diagnosticsOf(output: string, name: string): string {
  const lines = output.slice(output.indexOf("Diagnostics:")).split("\n");
  const start = lines.findIndex((line) => /^ {2}(pulumi|voiceplane)/.test(line) && line.endsWith(`(${name}):`));
  if (start < 0) throw new Error(`no diagnostics of ${name} in:\n${output}`);
  const rest = lines.slice(start + 1);
  const end = rest.findIndex((line) => line !== "" && !line.startsWith("    "));
  return [lines[start], ...rest.slice(0, end < 0 ? undefined : end)].join("\n").trimEnd();
}
