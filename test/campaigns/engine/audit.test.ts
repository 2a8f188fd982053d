/**
 * What the engine and the SDK show, and no provider can prevent. The tests fail when that changes, so that
 * docs/operate/security.md stays correct.
 */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { auditedStack, program } from "../../support/audit/stack";
import { read } from "../../support/repository";

/** The first column of the document's table. */
function documentedLeaks(): string[] {
  const text = read("docs/operate/security.md");
  const section = text.split("\n## ").find((part) => part.startsWith("What the engine itself shows")) ?? "";
  return [...section.matchAll(/^\| `([^`]+)`/gm)].map((match) => match[1] ?? "");
}

test("the engine shows secrets in plain text only where docs/operate/security.md says so", async () => {
  const writesEnvironment = 'require("node:fs").writeFileSync("environment", JSON.stringify(process.env));';
  const { stack, pulumi, leaksIn } = await auditedStack({ program: program(1) + writesEnvironment });
  const at = (name: string): string => join(stack.folder, name);
  const update = ["--yes", "--skip-preview"];

  const traced = [
    "--event-log",
    "events",
    "--tracing",
    `file:${at("trace")}`,
    "--otel-traces",
    `file://${at("spans")}`,
  ];
  const up = await pulumi(["up", ...update, "--json", ...traced], { env: { PULUMI_DEBUG_GRPC: at("grpc") } });
  const streaming = { env: { PULUMI_ENABLE_STREAMING_JSON_PREVIEW: "true" } };
  const stream = await pulumi(["preview", "--json"], streaming);
  const debug = await pulumi(["up", ...update, "--debug"]);
  const digest = await pulumi(["preview", "--json", "-v=9"], { env: { TMPDIR: stack.folder } });
  const logs = readdirSync(stack.folder).filter((name) => name.startsWith("pulumi."));
  const verbose = await pulumi(["preview", "-v=9", "--logtostderr", "--logflow"]);

  const ways = {
    "--debug": debug,
    "up --json": up,
    "preview --json": digest,
    PULUMI_ENABLE_STREAMING_JSON_PREVIEW: stream,
    "--event-log": stack.read("events"),
    "-v=9": logs.map((name) => stack.read(name)).join("\n"),
    "--logtostderr": verbose,
    "--tracing": stack.read("trace"),
    "--otel-traces": stack.read("spans"),
    PULUMI_DEBUG_GRPC: stack.read("grpc"),
    PULUMI_CONFIG: stack.read("environment"),
    "stack export": await pulumi(["stack", "export"]),
    "--show-secrets": await pulumi(["stack", "export", "--show-secrets"]),
  };
  for (const text of Object.values(ways)) expect(text).toMatch(/\w/);
  const leaking = Object.entries(ways).filter(([, text]) => leaksIn(text).length > 0);
  expect(leaking.map(([way]) => way).sort()).toEqual(documentedLeaks().sort());
});
