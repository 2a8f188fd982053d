/** Writes the description of a resource: what each verb sends, the errors, and for the package schema an example. */
const { programs } = require("./examples.cjs");

function description({ summary, verbs, errors }) {
  const list = Object.entries(verbs).map(([verb, text]) => `- ${verb}: ${text}`);
  return [summary, list.join("\n"), `Errors: ${errors}`].join("\n\n");
}

/**
 * With the marks that the registry reads, and that the generators of SDKs remove together with the programs of other languages. They
 * leave the newer marks of the registry, `PulumiCodeChooser`, in the comments of an SDK.
 */
function exampleUsage(example, schema) {
  const written = programs([example], { schema, from: "pulumi-voiceplane/native" });
  const fences = Object.entries(written).map(([language, text]) => `\`\`\`${language}\n${text}\n\`\`\``);
  const marks = ["{{% examples %}}", "## Example Usage", "{{% example %}}"];
  return [...marks, ...fences, "{{% /example %}}", "{{% /examples %}}"].join("\n\n");
}

module.exports = { description, exampleUsage };
