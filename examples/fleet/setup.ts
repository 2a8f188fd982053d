/** Creates the fleet's tables and queues, or what is missing of them. Run it once, after an update of pg-boss, and after a change of the retries or the heartbeat. */
import { createTables, schema, withConnection } from "./database.ts";
import { main } from "./main.ts";
import { createQueues, withBoss } from "./queue.ts";

await main(async () => {
  await withConnection(async (client) => {
    await createTables(client);
    // A trial marks the schema as its own. This fleet is a real one.
    await client.query(`comment on schema ${schema} is null`);
  });
  await withBoss(createQueues);
  console.log("the tables and queues are ready");
});
