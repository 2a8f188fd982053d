/** Creates the fleet's tables and queues, or what is missing of them. Run it once, and after an update of pg-boss. */
import { withConnection, tables } from "./database.ts";
import { main } from "./main.ts";
import { createQueues, withBoss } from "./queue.ts";

await main(async () => {
  await withConnection((client) => client.query(`${tables}; comment on schema fleet is null`));
  await withBoss(createQueues);
  console.log("the tables and queues are ready");
});
