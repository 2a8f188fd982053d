import { exported, setting } from "../../status/exports";
import { examined, pulumiWith, type Examination } from "./project";

const env = { VOICEPLANE_BASE_URL: "http://127.0.0.1:9", VOICEPLANE_TOKEN: "hush-hush-token" };

async function state(answers: Readonly<Record<string, unknown>>, stack: Examination = { stack: "prod" }) {
  const pulumi = pulumiWith({ "config --json --stack=prod": {}, ...answers });
  const lines = await examined({ ...stack, env, pulumi });
  expect(lines.join("\n")).not.toContain("canary");
  return lines.filter((line) => line.split(" ")[1] === "state");
}

const policy = (name: string) => setting("NetworkPolicy", name, {}, { name: "HQ" }, { id: "np-1" });

test("the objects are counted", async () => {
  expect(await state({})).toEqual(["ok state no objects"]);
  expect(await state({ "stack export --stack prod": exported([policy("office")]) })).toEqual(["ok state 1 object"]);
});

test("two resources for one object are a failure with both names and both commands", async () => {
  const urn = (name: string) =>
    `urn:pulumi:prod::acme::voiceplane:index:Organization$voiceplane:index:NetworkPolicy::${name}`;
  expect(await state({ "stack export --stack prod": exported([policy("office"), policy("hq")]) })).toEqual([
    "failure state office and hq are one object: NetworkPolicy np-1 of us. Remove the one that the program does not declare, by " +
      `\`pulumi state delete --stack prod '${urn("office")}'\` or \`pulumi state delete --stack prod '${urn("hq")}'\`, ` +
      "which sends nothing.",
  ]);
});

test("an operation that did not end is a warning", async () => {
  const pending_operations = [
    { type: "updating", resource: { urn: "urn:pulumi:prod::acme::aws:s3/bucket:Bucket::logs" } },
  ];
  const interrupted = exported([policy("office")], { pending_operations });
  expect(await state({ "stack export --stack prod": interrupted })).toEqual([
    "warning state an update ended while updating logs, or still runs. If it has ended, run `pulumi up`.",
  ]);
});

test("a state that cannot be read is a failure", async () => {
  expect(await state({ "stack export --stack prod": { kind: "failed", why: "exit code 255" } })).toEqual([
    expect.stringMatching(/^failure state the state of the stack prod cannot be read: exit code 255; /),
  ]);
});

test("without a stack there is no line", async () => {
  expect(await state({}, {})).toEqual([]);
});
