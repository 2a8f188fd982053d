/** Creates the fleet's tables and queues, or what is missing of them. Run it once, after an update of pg-boss, and after a change of the retries or the heartbeat. */
import { withConnection, tables } from "./database.ts";
import { main } from "./main.ts";
import { createQueues, withBoss } from "./queue.ts";

await main(async () => {
  // A trial marks the schema as its own. This fleet is a real one.
  await withConnection((client) => client.query(`${tables}; comment on schema fleet is null`));
  await withBoss(createQueues);
  console.log("the tables and queues are ready");
});
