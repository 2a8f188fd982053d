import { ConfigError } from "./errors.js";

/**
 * Template tag for a request path: every parameter becomes exactly one path segment, whatever it holds.
 *
 * @throws ConfigError for a parameter that cannot be a segment: an empty one, `.` and `..` (which proxies and servers
 *   resolve away even when they are percent-encoded), and text that is not valid Unicode.
 */
export function path(literals: TemplateStringsArray, ...parameters: readonly string[]): string {
  return literals.reduce((sofar, literal, index) => {
    const parameter = parameters[index - 1] ?? "";
    const problem = segmentProblem(parameter);
    if (problem !== undefined) throw new ConfigError([`The id in ${literals.join("{id}")} ${problem}.`]);
    return sofar + encodeURIComponent(parameter) + literal;
  });
}

function segmentProblem(parameter: string): string | undefined {
  if (parameter === "") return "is empty";
  if (parameter === "." || parameter === "..") return "is made of dots only, which means another path";
  return /\p{Surrogate}/u.test(parameter) ? "is not valid Unicode" : undefined;
}
