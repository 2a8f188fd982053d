/**
 * Creates the stack of an organization, and its file in `stacks`. Check both files in.
 *
 *     npm run adopt -- acme --base-url https://voice.example.com
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { adopt } from "./adopting.ts";
import { main } from "./main.ts";

await main(async () => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { "base-url": { type: "string" } } });
  const baseUrl = values["base-url"];
  if (positionals.length === 0 || baseUrl === undefined)
    throw new Error("usage: npm run adopt -- NAME… --base-url URL");
  const adoptNext = async (): Promise<void> => {
    const name = positionals.shift();
    if (name === undefined) return;
    await adopt(name, baseUrl);
    console.log(`${name}: check in organizations/${name}.yaml and stacks/Pulumi.${name}.yaml`);
  };
  // The first one alone, because it creates Pulumi's table.
  await adoptNext();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      while (positionals.length > 0) await adoptNext();
    }),
  );
});
