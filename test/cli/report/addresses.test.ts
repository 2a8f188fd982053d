/** The report names where requests go, and reports a change of address once per organization. */
import { asUpdate, digest, recording, reportOf, stepOf, changeLines, type Digest, type DigestStep } from "./recorded";

const here = "https://voice.example.com";
const there = "https://voice.example.net/api";
const label = "sends the token elsewhere";

/** The recorded stack. Its resources have an address before and after. */
function moved(from: string | undefined, to: string, account = "example"): Digest {
  const preview = digest("unchanged.digest");
  for (const step of preview.steps) {
    const { oldState, newState } = step;
    if (!oldState?.type.includes("/voiceplane:") || !newState) continue;
    step.op = "update";
    for (const values of [oldState.inputs, oldState.outputs]) {
      Object.assign(values, { account, address: from });
      if (from === undefined) delete values.address;
    }
    Object.assign(newState.inputs, { account, address: to, ...(from && from !== to && { __movedFrom: from }) });
  }
  preview.changeSummary = { update: 9 };
  return preview;
}

test("another address of the default provider is one change for all of its resources, and the worst risk", async () => {
  const report = await reportOf(JSON.stringify(moved(here, there)));
  expect(changeLines(report)).toEqual([
    `[${label}] from the next up on, requests with the token of example go to \`${there}\` instead of \`${here}\``,
  ]);
  expect(report.summary).toBe(`no requests, 1 other change: ${label}`);
  expect([report.changeCount, report.editCount, report.addresses]).toEqual([1, 1, [there]]);
});

test("a finished update reports it in the past tense", async () => {
  expect(changeLines(await reportOf(asUpdate(moved(here, there))))).toEqual([
    `[${label}] from this up on, requests with the token of example were to go to \`${there}\` instead of \`${here}\``,
  ]);
});

test("the same address is no change, and neither is the first address in a state", async () => {
  const unchanged = moved(here, here);
  for (const step of unchanged.steps) step.op = "same";
  unchanged.changeSummary = { same: 13 };
  expect((await reportOf(JSON.stringify(unchanged))).summary).toBe("no changes");
  const first = moved(undefined, there);
  for (const step of first.steps) step.op = "same";
  first.changeSummary = { same: 13 };
  expect((await reportOf(JSON.stringify(first))).summary).toBe("no changes");
});

test("the heading names the address from now on, and for a destroy the last one", async () => {
  const preview = moved(here, there);
  const { urn, oldState } = stepOf(preview, "org-crm");
  preview.steps = [stepOf(preview, "org-office"), { op: "delete", urn, oldState }];
  expect((await reportOf(JSON.stringify(preview))).addresses).toEqual([there]);
  preview.steps = [{ op: "delete", urn, oldState }];
  expect((await reportOf(JSON.stringify(preview))).addresses).toEqual([here]);
});

test("an update for an invisible reason is reported, whatever the address", async () => {
  const preview = moved(undefined, there);
  preview.steps = [stepOf(preview, "org-crm")];
  expect(changeLines(await reportOf(JSON.stringify(preview)))).toEqual([
    "crm: something that is not shown changed; that is stored and nothing is sent",
  ]);
});

test("an organization without a name is named by its address, and the token is the stack's", async () => {
  const preview = moved(undefined, "", "");
  for (const { oldState, newState } of preview.steps) {
    if (!oldState?.type.includes("/voiceplane:") || !newState) continue;
    for (const values of [oldState.inputs, oldState.outputs]) {
      values.account = here;
      delete values.address;
    }
    newState.inputs.account = there;
    delete newState.inputs.address;
  }
  preview.steps = [stepOf(preview, "org-office")];
  for (const step of preview.steps) step.op = "replace";
  expect(changeLines(await reportOf(JSON.stringify(preview)))[0]).toBe(
    `[${label}] from the next up on, requests with the stack's token go to \`${there}\` instead of \`${here}\``,
  );
});

test("if the state has only a name, the old address is read from the inputs", async () => {
  const preview = moved(here, there);
  preview.steps = [stepOf(preview, "org-office")];
  delete stepOf(preview, "org-office").oldState.outputs.address;
  expect((await reportOf(JSON.stringify(preview))).risks).toEqual([label]);
});

test("an address change is one change, even if a resource is renamed with it", async () => {
  const preview = moved(here, there);
  const { urn, newState } = stepOf(preview, "org-crm");
  preview.steps.push({ op: "create", urn: `${urn}-2`, newState });
  const report = await reportOf(JSON.stringify(preview));
  expect(report.changes.filter(({ type }) => type === "Provider")).toHaveLength(1);
});

test("an address change is reported when all resources are renamed with it", async () => {
  const preview = moved(here, there);
  preview.steps = preview.steps.flatMap((step): DigestStep[] => {
    const { urn, oldState, newState } = step;
    if (step.op !== "update" || !oldState || !newState) return [step];
    return [
      { op: "create", urn: `${urn}-2`, newState },
      { op: "delete", urn, oldState },
    ];
  });
  const report = await reportOf(JSON.stringify(preview));
  expect(report.changes.filter(({ risks }) => risks.includes(label)).map(({ text }) => text)).toEqual([
    `from the next up on, requests with the token of example go to \`${there}\` instead of \`${here}\``,
  ]);
});

test("a resource that moves to another provider is no change of address", async () => {
  const preview = moved(here, there);
  preview.steps = [stepOf(preview, "org-office")];
  for (const { oldState, newState } of preview.steps) {
    if (oldState) oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::default::1";
    if (newState) newState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu::2";
  }
  expect((await reportOf(JSON.stringify(preview))).risks).not.toContain(label);
});

test("the default provider of another version is the same provider", async () => {
  const preview = moved(here, there);
  for (const { oldState, newState } of preview.steps) {
    if (oldState) oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:voiceplane::default_0_1_0::1";
    if (newState) newState.provider = "urn:pulumi:dev::previews::pulumi:providers:voiceplane::default_0_2_0::2";
  }
  expect((await reportOf(JSON.stringify(preview))).risks).toEqual([label]);
});

test("the default provider and an explicit one with new addresses are two changes", async () => {
  const report = await reportOf(recording("moved.digest"));
  const moves = (name: string) =>
    `[${label}] from the next up on, requests with the token of ${name} go to \`https://voice.example.net/api\` ` +
    "instead of `http://127.0.0.1:8000`";
  expect(changeLines(report)).toEqual([moves("eu"), moves("example")]);
  expect([report.requestCount, report.changeCount, report.others]).toEqual([0, 2, []]);
});

describe("an explicit provider", () => {
  test("at another organization is no risk", async () => {
    const report = await reportOf(recording("another-organization.digest"));
    expect(changeLines(report)).toEqual([
      "[deletes data] eu: recordings are kept 30 days: what has been kept longer until now may be deleted",
      "[rotates a secret] eu: eu-billing's signing secret will be rotated on creation: today's secret stops working",
      "eu is another organization: requests with its token will go to `http://127.0.0.1:8000`",
    ]);
    expect(report.summary).toBe("2 requests, 1 other change: deletes data, rotates a secret");
  });

  test("with a new address sends its token elsewhere", async () => {
    const report = await reportOf(recording("elsewhere.digest"));
    expect(changeLines(report)).toEqual([
      `[${label}] from the next up on, requests with the token of eu go to \`https://voice.example.net\` ` +
        "instead of `http://127.0.0.1:8000`",
    ]);
    expect(report.editCount).toBe(1);
  });

  function withInputs(change: Record<string, unknown>): string {
    const preview = digest("elsewhere.digest");
    const provider = stepOf(preview, "eu");
    provider.newState.inputs = { ...provider.oldState.inputs, ...change };
    preview.steps = [provider];
    return JSON.stringify(preview);
  }

  test.each([
    ["[secret]", "an address that cannot be seen here"],
    ["04da6b54-80e4-46f7-96ec-b56ff0331ba9", "an address that cannot be seen here"],
  ])("with the address %j may send its token anywhere", async (baseUrl, words) => {
    expect(changeLines(await reportOf(withInputs({ "voiceplane:baseUrl": baseUrl })))).toEqual([
      `[${label}] from the next up on, requests with the token of eu go to ${words} instead of \`http://127.0.0.1:8000\``,
    ]);
  });

  test("that allows plain http weakens a guard", async () => {
    expect(changeLines(await reportOf(withInputs({ "voiceplane:allowInsecureHttp": "true" })))).toEqual([
      "[weakens a guard] eu: plain http is allowed: anyone between this machine and the server can read the token",
    ]);
  });

  test("with a new token is a change, and the same address in another spelling is not", async () => {
    const text = "the settings of the organization eu changed; the token may be another one";
    expect(changeLines(await reportOf(withInputs({ "voiceplane:token": "[secret]" })))).toEqual([text]);
    expect(changeLines(await reportOf(withInputs({ "voiceplane:baseUrl": "http://127.0.0.1:8000/" })))).toEqual([text]);
  });

  test("that is removed is reported, and not counted as a resource of another provider", async () => {
    const report = await reportOf(recording("destroy.events"));
    expect(changeLines(report)).toContain("the organization eu was no longer declared");
    expect(report.others.map(({ type }) => type)).toEqual(["pulumi-nodejs:dynamic:Resource"]);
  });
});
