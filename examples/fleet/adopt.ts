/**
 * Creates the stack of an organization, and its file in `stacks`. Check both files in.
 *
 *     npm run adopt -- acme --base-url https://voice.example.com
 *     npm run adopt -- acme --base-url https://voice.example.com --secrets-provider 'awskms://alias/fleet'
 */
import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { adopt } from "./adopting.ts";
import { main } from "./main.ts";

await main(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "base-url": { type: "string" }, "secrets-provider": { type: "string" } },
  });
  const { "base-url": baseUrl, "secrets-provider": secretsProvider } = values;
  if (positionals.length === 0 || baseUrl === undefined)
    throw new Error("usage: npm run adopt -- NAME… --base-url URL [--secrets-provider URL]");
  const adoptNext = async (): Promise<void> => {
    const name = positionals.shift();
    if (name === undefined) return;
    await adopt(name, baseUrl, secretsProvider);
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
