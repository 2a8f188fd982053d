/** Prunes now, instead of at night: see pruning.ts. */
import { withConnection } from "./database.ts";
import { main } from "./main.ts";
import { prune } from "./pruning.ts";
import { counted } from "./report.ts";

await main(async () => {
  console.log(`${counted(await withConnection(prune), "row")} deleted`);
});
