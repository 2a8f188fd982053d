/** Which processes end with a CLI that was killed, with processes of the names that the system shows. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endHostsOf, processesHere } from "../../../../src/cli/engine/processes";
import { temporaryFolder } from "../../../support/folders";
import { testOnLinux } from "../../../support/machine";
import { until } from "../../../support/processes";

const processes = processesHere();

/** A shell with the path of a language host as "$0", which is the first process of its session. */
function session(script: string) {
  const host = join(temporaryFolder(), "pulumi-language-yaml");
  copyFileSync("/bin/sleep", host);
  const child = spawn("sh", ["-c", script, host], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  return { child, pid: child.pid ?? 0 };
}

/** Before that, the process has the name of the shell that starts the host. */
const isHost = (pid: number) => readFileSync(`/proc/${pid}/comm`, "utf8") === "pulumi-language\n";

testOnLinux("the hosts of a CLI that is gone end", async () => {
  const { child, pid } = session('"$0" 60 >&2 & echo $!');
  const [shown] = (await once(child.stdout, "data")) as [Buffer];
  const host = Number(String(shown));
  await until(() => processes.find(pid) === undefined && isHost(host));
  endHostsOf({ pid, start: "1", space: processes.space }, processes);
  await until(() => processes.find(host) === undefined);
});

testOnLinux("those of a later process that has the CLI's id do not", async () => {
  const { child, pid } = session('exec "$0" 60');
  await until(() => isHost(pid));
  endHostsOf({ pid, start: "1", space: processes.space }, processes);
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([null, "SIGTERM"]);
});
