/** `voiceplane doctor` as users start it. */
import { startControlPlane } from "../../../../../src/control-plane/index";
import { run } from "../../../../support/command";
import { programs } from "../../../../support/folders";
import { project, snapshot } from "./project";

const doctor = (args: readonly string[], env?: Record<string, string>, cwd?: string) =>
  run(["doctor", ...args], cwd, env);

const token = "vp_dev_full";

async function withControlPlane<T>(action: (env: Record<string, string>) => Promise<T>): Promise<T> {
  const plane = await startControlPlane();
  try {
    return await action({ VOICEPLANE_BASE_URL: plane.url, VOICEPLANE_TOKEN: token });
  } finally {
    await plane.close();
  }
}

test("prints one aligned line for each check and a summary, exits with 1 after a problem, and changes nothing", async () => {
  await withControlPlane(async (env) => {
    const folder = project();
    const before = snapshot(folder);
    const { code, stdout, stderr } = await doctor([], env, folder);
    expect({ code, stderr }).toEqual({ code: 1, stderr: "" });
    const lines = stdout.split("\n");
    expect(lines[0]).toBe(`ok       node          Node ${process.versions.node}`);
    expect(lines[1]).toMatch(/^problem {2}engine {8}there is no pulumi on PATH\. Install it: /);
    expect(lines.slice(-3)).toEqual(["", "1 problem, 7 ok", ""]);
    expect(stdout).not.toContain(token);
    expect(stdout).not.toContain("\u001b");
    expect(snapshot(folder)).toEqual(before);
  });
});

test("exits with 0 after warnings alone, and JSON has the same checks as the lines", async () => {
  await withControlPlane(async (env) => {
    const answers = 'case "$1" in version) echo v3.100.0 ;; config) echo "$CONFIG" ;; *) echo "$STATE" ;; esac';
    const engine = programs({ pulumi: answers });
    const { code, stdout } = await doctor(["--format", "json", "--stack", "dev", "-C", project()], {
      ...env,
      PATH: engine,
      CONFIG: '{"voiceplane:organization":{"value":"acme","secret":false}}',
      STATE: '{"version":3,"deployment":{}}',
    });
    expect(code).toBe(0);
    const report = JSON.parse(stdout) as { version: number; ok: boolean; findings: Record<string, string>[] };
    expect(report).toMatchObject({ version: 1, ok: true });
    expect(report.findings.filter(({ status }) => status !== "ok")).toEqual([
      {
        check: "engine",
        status: "warning",
        message: `${engine}/pulumi is Pulumi 3.100.0, which this package does not support`,
        advice: "Install 3.250.0 or newer.",
        code: "engine-version",
      },
    ]);
    expect(stdout).not.toContain(token);
  });
});
