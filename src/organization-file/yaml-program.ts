/** Reads the resources of this package in a program in YAML, as in Pulumi.yaml. */
import { LineCounter } from "yaml";
import { resources, resourceTypeOf } from "../resources/index.js";
import { problemsOfArgs } from "../lifecycle/dry-run.js";
import type { Values } from "../lifecycle/lifecycle.js";
import type { LocatedProblem } from "../schema/problems.js";
import { isObject } from "../values/any.js";
import { organizationType, unknownValue } from "../values/engine.js";
import { parseYaml } from "../yaml/document.js";
import { Nodes } from "../yaml/nodes.js";
import { firstProblems, hinted, organizationProblems, rewrittenValues, valueOf, type FileProblems } from "./reader.js";
import { organizationArgs } from "./schema.js";

/** The problems of the resources that are declared there. What else is wrong with the file is Pulumi's to report. */
export function readYamlProgram(text: string): FileProblems {
  const lines = new LineCounter();
  const { document, problems: syntax } = parseYaml(text, lines);
  const program = document && syntax.length === 0 ? valueOf(document) : undefined;
  if (!document || !isObject(program) || !isObject(program.resources)) return { problems: [], more: 0 };
  const nodes = Nodes.of(document);
  if (nodes.aliasProblems.length > 0) return { problems: [], more: 0 };
  const all = Object.entries(program.resources).flatMap(([name, resource]) => {
    if (!isObject(resource) || typeof resource.type !== "string" || resource.get !== undefined) return [];
    const path = ["resources", name, "properties"];
    const own = nodes.below(path);
    const values = knownIn(resource.properties ?? {});
    if (!isObject(values)) return [];
    return problemsIn(resource.type, values, own, lines).map((problem) => {
      const isPlaced = problem.path.length > 0 && own.pairAt([problem.path[0] ?? ""]) !== undefined;
      const property = [name, ...(problem.property === "" ? [] : [problem.property])].join(": ");
      return {
        offset: isPlaced ? own.offsetOf(problem) : nodes.offsetOf({ ...problem, isKey: true, path: path.slice(0, 2) }),
        reason: `${property}: ${problem.reason}`,
      };
    });
  });
  return firstProblems(all, lines);
}

/** "voiceplane:Organization" and "voiceplane:index:Organization" are the same. */
const fullType = (type: string): string => type.replace(/^voiceplane:(?=\w+$)/, "voiceplane:index:");

function problemsIn(type: string, values: Values, nodes: Nodes, lines: LineCounter): readonly LocatedProblem[] {
  if (fullType(type) === organizationType)
    return organizationProblems(organizationArgs(), values, nodes, lines, "an Organization");
  const known = resourceTypeOf(fullType(type));
  if (known === undefined) return [];
  const { lifecycle, args } = resources[known];
  const problems = problemsOfArgs(lifecycle, values).map((problem) =>
    hinted({ path: problem.property.split("."), ...problem }, args, nodes),
  );
  return problems.length > 0 ? problems : rewrittenValues(nodes);
}

/** The values with the engine's mark for what Pulumi computes: `${…}` in a text, and a call of a function. */
function knownIn(value: unknown): unknown {
  if (typeof value === "string") return /(?<!\$)\$\{/.test(value) ? unknownValue : value.replaceAll("$${", "${");
  if (Array.isArray(value)) return value.map(knownIn);
  if (!isObject(value)) return value;
  const members = Object.entries(value);
  if (members.length === 1 && members.some(([key]) => /^fn::/i.test(key))) return unknownValue;
  return Object.fromEntries(members.map(([key, member]) => [key, knownIn(member)]));
}
