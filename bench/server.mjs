// The server of the client benchmark, in its own process: the least work that still gives a valid answer.
import { createServer } from "node:net";

const body = JSON.stringify({
  success: true,
  data: { organization_id: "org_1", resource: "recordings", retention_days: 30, enabled: true },
});
const response = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
);
// All requests of the benchmark are the same, so a request ends with the last bytes of its body.
const bodyEnd = Buffer.from('"enabled":true}');

const server = createServer((socket) => {
  let rest = Buffer.alloc(0);
  socket.setNoDelay(true);
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = rest.indexOf(bodyEnd);
    if (end < 0) return;
    rest = rest.subarray(end + bodyEnd.length);
    socket.write(response);
  });
});
server.listen(0, "127.0.0.1", () => process.send(server.address().port));
process.on("disconnect", () => process.exit());
