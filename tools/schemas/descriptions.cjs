/** Writes the description of a resource, and its example as a program and as a stack in YAML. */

function description({ summary, verbs, errors }) {
  const list = Object.entries(verbs).map(([verb, text]) => `- ${verb}: ${text}`);
  return [summary, list.join("\n"), `Errors: ${errors}`].join("\n\n");
}

/** A value as JavaScript, which is YAML as well. */
function literal(value) {
  if (Array.isArray(value)) return `[${value.map(literal).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, member]) => `${/^\w+$/.test(key) ? key : literal(key)}: ${literal(member)}`,
  );
  return `{ ${members.join(", ")} }`;
}

function example(type, { name, args, comments = {}, exports: exported }) {
  const made = exported ? `const ${name} = ` : "";
  const line = `${made}new ${type}(${literal(name)}, ${literal(args)});`;
  const lines = Object.entries(args).map(
    ([key, value]) => `  ${key}: ${literal(value)},${comments[key] === undefined ? "" : ` // ${comments[key]}`}`,
  );
  const fits = line.length <= 110 && Object.keys(comments).length === 0;
  return [
    `import { ${type} } from "pulumi-voiceplane";`,
    "",
    ...(fits ? [line] : [`${made}new ${type}(${literal(name)}, {`, ...lines, "});"]),
    ...Object.entries(exported ?? {}).map(([key, output]) => `export const ${key} = ${name}.${output};`),
  ].join("\n");
}

function yamlExample(type, { name, args, comments = {}, exports: exported }) {
  const lines = Object.entries(args).map(
    ([key, value]) => `      ${key}: ${literal(value)}${comments[key] === undefined ? "" : ` # ${comments[key]}`}`,
  );
  const outputs = Object.entries(exported ?? {}).map(([key, output]) => `  ${key}: \${${name}.${output}}`);
  return [
    "resources:",
    `  ${name}:`,
    `    type: voiceplane:${type}`,
    "    properties:",
    ...lines,
    ...(outputs.length > 0 ? ["outputs:", ...outputs] : []),
  ].join("\n");
}

module.exports = { description, literal, example, yamlExample };
