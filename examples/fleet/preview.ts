/**
 * Shows what the next run of an organization would change. Sends nothing.
 *
 *     npm run preview -- acme
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { main } from "./main.ts";
import { organizationNames, pulumiEnv, stacksFolder } from "./settings.ts";
import { tokenOf } from "./tokens.ts";

await main(async () => {
  const [name = "", ...more] = process.argv.slice(2);
  if (name === "" || more.length > 0) throw new Error("usage: npm run preview -- NAME");
  if (!organizationNames().includes(name)) throw new Error(`there is no organizations/${name}.yaml`);
  const env = pulumiEnv(await tokenOf(name));
  const child = spawn("pulumi", ["preview", "--stack", name], { cwd: stacksFolder, env, stdio: "inherit" });
  const [code] = (await once(child, "close")) as [number | null];
  process.exitCode = code ?? 1;
});
