/**
 * Suggests due dates that differ from organization to organization. It reads `organizations/*.yaml`, and needs neither
 * PostgreSQL nor a token.
 *
 *     npm run spread                            suggests, for each rotateAfter of 90d
 *     npm run spread -- --days 30               for each of 30d
 *     npm run spread -- --at-most 90            76d to 90d instead of 83d to 97d, where a policy allows no more than 90
 *     npm run spread -- --write                 writes the suggestions into the files
 */
import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { main } from "./main.ts";
import { organizationFileOf, organizationNames } from "./settings.ts";
import { spreadFile } from "./spreading.ts";

await main(() => {
  const { values } = parseArgs({
    options: {
      days: { type: "string", default: "90" },
      "at-most": { type: "string" },
      write: { type: "boolean", default: false },
    },
  });
  const [days, atMost] = [Number(values.days), Number(values["at-most"] ?? Infinity)];
  if (!Number.isInteger(days) || days < 1) throw new Error("--days takes a whole number above 0");
  if (!(atMost >= 1) || atMost % 1 > 0) throw new Error("--at-most takes a whole number above 0");
  for (const name of organizationNames()) {
    const { suggestions, text } = spreadFile(readFileSync(organizationFileOf(name), "utf8"), name, days, atMost);
    for (const { path, from, to } of suggestions) console.log(`organizations/${name}.yaml: ${path}: ${from} => ${to}`);
    if (values.write && suggestions.length > 0) writeFileSync(organizationFileOf(name), text);
  }
});
