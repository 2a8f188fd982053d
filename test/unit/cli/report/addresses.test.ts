/** The report names where requests go, and reports a change of address once per organization. */
import {
  eventsOf,
  asUpdate,
  changeLines,
  digest,
  linesOf,
  recording,
  reportOf,
  stepOf,
  unknown,
  type Digest,
  type DigestStep,
} from "../../../support/recorded";

const here = "https://voice.example.com";
const there = "https://voice.example.net/api";
const label = "sends the token elsewhere";

/** The recorded stack. Its resources have an address before and after. */
function moved(from: string | undefined, to: string, organization = "example"): Digest {
  const preview = digest("unchanged.digest");
  for (const step of preview.steps) {
    const { oldState, newState } = step;
    if (!oldState?.type.includes("/voiceplane:") || !newState) continue;
    step.op = "update";
    for (const values of [oldState.inputs, oldState.outputs]) {
      Object.assign(values, { organization, address: from });
      if (from === undefined) delete values.address;
    }
    Object.assign(newState.inputs, { organization, address: to, ...(from && from !== to && { __movedFrom: from }) });
  }
  preview.changeSummary = { update: 9 };
  return preview;
}

test("another address of the default provider is one change for all of its resources, and the worst risk", async () => {
  const report = await reportOf(moved(here, there));
  expect(changeLines(report)).toEqual([
    `[${label}] from this update on, requests with the token of example go to \`${there}\` instead of \`${here}\`; if another server answers there, it may not have these settings, which are unchanged and not sent: ` +
      "audit_events, carrier-b, conversations, office, recordings, runners; " +
      "its webhooks have other secrets than the state: billing, crm",
  ]);
  expect(report.summary).toBe(`no requests, 1 other change: ${label}`);
  expect([report.changeCount, report.editCount, report.addresses]).toEqual([1, 1, [there]]);
});

test("a finished update has the same sentence", async () => {
  const preview = moved(here, there);
  expect(await linesOf(asUpdate(preview))).toEqual(await linesOf(preview));
});

test("the same address is no change, and neither is the first address in a state", async () => {
  const unchanged = moved(here, here);
  for (const step of unchanged.steps) step.op = "same";
  unchanged.changeSummary = { same: 13 };
  expect((await reportOf(unchanged)).summary).toBe("no changes");
  const first = moved(undefined, there);
  for (const step of first.steps) step.op = "same";
  first.changeSummary = { same: 13 };
  expect((await reportOf(first)).summary).toBe("no changes");
});

test("the heading names the address from now on, and for a destroy the last one", async () => {
  const preview = moved(here, there);
  const { urn, oldState } = stepOf(preview, "org-crm");
  preview.steps = [stepOf(preview, "org-office"), { op: "delete", urn, oldState }];
  expect((await reportOf(preview)).addresses).toEqual([there]);
  preview.steps = [{ op: "delete", urn, oldState }];
  expect((await reportOf(preview)).addresses).toEqual([here]);
});

test("an update for an invisible reason is reported, whatever the address", async () => {
  const preview = moved(undefined, there);
  preview.steps = [stepOf(preview, "org-crm")];
  expect(await linesOf(preview)).toEqual(["crm: something that is not shown changed: stored without a request"]);
});

test("an organization without a name is named by its address, and the token is the stack's", async () => {
  const preview = moved(undefined, "", "");
  for (const { oldState, newState } of preview.steps) {
    if (!oldState?.type.includes("/voiceplane:") || !newState) continue;
    for (const values of [oldState.inputs, oldState.outputs]) {
      values.organization = here;
      delete values.address;
    }
    newState.inputs.organization = there;
    delete newState.inputs.address;
  }
  preview.steps = [stepOf(preview, "org-office")];
  for (const step of preview.steps) step.op = "replace";
  expect((await linesOf(preview))[0]).toBe(
    `[${label}] from this update on, requests with the stack's token go to \`${there}\` instead of \`${here}\``,
  );
});

test("if the state has only a name, the old address is read from the inputs", async () => {
  const preview = moved(here, there);
  preview.steps = [stepOf(preview, "org-office")];
  delete stepOf(preview, "org-office").oldState.outputs.address;
  expect((await reportOf(preview)).risks).toEqual([label]);
});

test("an address change is one change, even if a resource is renamed with it", async () => {
  const preview = moved(here, there);
  const { urn, newState } = stepOf(preview, "org-crm");
  preview.steps.push({ op: "create", urn: `${urn}-2`, newState });
  const report = await reportOf(preview);
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
  const report = await reportOf(preview);
  expect(report.changes.filter(({ risks }) => risks.includes(label)).map(({ text }) => text)).toEqual([
    `from this update on, requests with the token of example go to \`${there}\` instead of \`${here}\``,
  ]);
});

test("a resource that moves to another provider is no change of address", async () => {
  const preview = moved(here, there);
  preview.steps = [stepOf(preview, "org-office")];
  for (const { oldState, newState } of preview.steps) {
    if (oldState) oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::default::1";
    if (newState) newState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::eu::2";
  }
  const report = await reportOf(preview);
  expect([report.risks, report.summary]).toEqual([[], "no requests, 1 other change"]);
});

test("the default provider of another version is the same provider", async () => {
  const preview = moved(here, there);
  for (const { oldState, newState } of preview.steps) {
    if (oldState) oldState.provider = "urn:pulumi:dev::previews::pulumi:providers:voiceplane::default_0_1_0::1";
    if (newState) newState.provider = "urn:pulumi:dev::previews::pulumi:providers:voiceplane::default_0_2_0::2";
  }
  expect((await reportOf(preview)).risks).toEqual([label]);
});

test("the default provider and an explicit one with new addresses are two changes", async () => {
  const report = await reportOf(recording("moved.digest"));
  const moves = (name: string, settings: string, secrets: string) =>
    `[${label}] from this update on, requests with the token of ${name} go to \`https://voice.example.net/api\` ` +
    "instead of `http://127.0.0.1:8000`; if another server answers there, it may not have these settings, which are unchanged and not sent: " +
    `${settings}; its webhooks have other secrets than the state: ${secrets}`;
  expect(changeLines(report)).toEqual([
    moves("eu", "eu-recordings", "eu-billing"),
    moves("example", "audit_events, carrier-a, carrier-b, conversations, office, recordings, runners", "billing, crm"),
  ]);
  expect([report.requestCount, report.changeCount, report.others]).toEqual([0, 2, []]);
});

/** What is said of an organization as a whole comes first. */
describe("another name of the organization", () => {
  const renamed = (from: string, to: string, end: string) =>
    `[leaves things behind] the organization ${from} renamed to ${to}, which makes it another organization: ` +
    `the objects of ${from} stay as they are and are no longer managed, every setting is sent to ${to} (PUT, PATCH, DELETE), ` +
    `and webhooks are refused; to avoid this, ${end}`;
  const renamedOrganization = renamed("example", "acme", "run `pulumi config set voiceplane:organization example`");

  test("is said first, and every change names its organization", async () => {
    const report = await reportOf(recording("organization-renamed-without-webhooks.digest"));
    const [first, ...others] = changeLines(report);
    expect(first).toBe(renamedOrganization);
    expect(others).toContain(
      '[narrows access, widens access] acme: office: sends 203.0.113.0/24 and the name "Office" again; ' +
        "replaces whatever was set elsewhere",
    );
    for (const other of others) expect(other).toMatch(/^(\[.*\] )?(acme|example): /);
    expect(report.summary).toMatch(/^6 requests, 4 other changes: /);
  });

  test("in a preview that refuses the webhooks is said too", async () => {
    const report = await reportOf(recording("organization-renamed.digest"));
    expect(report.complete).toBe(false);
    expect(changeLines(report)[0]).toBe(renamedOrganization);
  });

  test("and another address: nothing is said to be sent for the objects of the old name", async () => {
    const report = await reportOf(recording("organization-renamed-and-moved.digest"));
    const lines = changeLines(report);
    expect(lines.slice(0, 2)).toEqual([
      `[${label}] from this update on, requests with the token of acme go to \`${there}\` instead of \`http://127.0.0.1:8000\``,
      renamedOrganization,
    ]);
    expect(report.requestCount).toBe(6);
    expect(lines.join("\n")).not.toMatch(/`onDelete`:|the former/);
    expect(lines).toContain("[deletes data] acme: recordings: sets 365 days; may delete what is older");
  });

  test("a resource that is removed in the same update: its onDelete is not sent", async () => {
    const preview = digest("organization-renamed-without-webhooks.digest");
    const step = stepOf(preview, "org-conversations");
    step.op = "delete";
    const { newState: _gone, ...rest } = step;
    preview.steps[preview.steps.indexOf(step)] = rest;
    expect(await linesOf(preview)).toContain(
      "[leaves things behind] example: conversations: no longer managed, left as last set (30 days)",
    );
  });

  test("of an explicit provider keeps the old name with the provider's", async () => {
    expect((await linesOf(recording("provider-renamed.digest")))[0]).toBe(
      renamed("eu", "europe", "keep eu as the name of the Provider"),
    );
  });

  test("is not said of an organization that other resources still have", async () => {
    const preview = digest("organization-renamed-without-webhooks.digest");
    stepOf(preview, "org-office").newState.inputs.organization = "example";
    expect((await linesOf(preview)).join("\n")).not.toContain("renamed");
  });

  test("of resources that move from the stack's own organization to a provider has no line to run", async () => {
    const preview = digest("organization-renamed-without-webhooks.digest");
    for (const { newState } of preview.steps)
      if (newState) newState.provider = "urn:pulumi:dev::previews::pulumi:providers:pulumi-nodejs::acme::2";
    const [first] = await linesOf(preview);
    expect(first).toMatch(
      /^\[leaves things behind\] the organization example renamed to acme, .* webhooks are refused$/,
    );
  });

  test("with the old address as the name, at another address, keeps the old one as the name", async () => {
    const preview = moved(undefined, "", here);
    preview.steps = [stepOf(preview, "org-office")];
    for (const step of preview.steps) {
      step.op = "replace";
      if (step.newState) step.newState.inputs.organization = there;
    }
    expect((await linesOf(preview))[1]).toMatch(
      /the organization `https:\/\/voice\.example\.com` renamed to .*; to avoid this, run `pulumi config set voiceplane:organization https:\/\/voice\.example\.com`$/,
    );
  });

  test("of an explicit provider at another address sends what onDelete says, and names the old organization", async () => {
    const preview = digest("provider-renamed.digest");
    // The stack's own organization has the old address.
    preview.steps = preview.steps.filter(({ urn }) => /::eu(rope|-recordings)?$/.test(urn));
    const { oldState, newState } = stepOf(preview, "eu-recordings");
    Object.assign(oldState.outputs, { onDelete: "disable" });
    oldState.retainOnDelete = false;
    newState.inputs.address = there;
    const lines = await linesOf(preview);
    expect(lines.find((line) => line.includes("renamed"))).toContain(
      "the objects of eu get what `onDelete` says and are no longer managed",
    );
    expect(lines.join("\n")).toContain(
      "europe: recordings: sets 30 days; may delete what is older; " +
        "eu: by `onDelete`, turns the policy off: what happens to the data is up to the server",
    );
  });
});

describe("an edit together with another address", () => {
  test("is not compared with what the old server has", async () => {
    expect(await linesOf(recording("moved-edited.digest"))).toEqual([
      `[${label}] from this update on, requests with the token of example go to \`${there}\` instead of ` +
        "`http://127.0.0.1:8000`; if another server answers there, it may not have these settings, which are unchanged and not sent: audit_events; " +
        "its webhooks have other secrets than the state: billing",
      "[deletes data] conversations: sets 60 days; may delete what is older",
      "[deletes data] recordings: sets 90 days; may delete what is older; " +
        "`allowShortening: { from: 365, to: 90 }` allows the step",
      "[cuts a trunk] carrier-a: clears its outbound credentials, which this provider cannot restore; " +
        "destroy will leave it as it is",
      "[cuts a trunk] carrier-b: clears its outbound credentials (trigger year changed), which this provider cannot restore",
      "[rotates a secret] crm: rotates its signing secret (trigger quarter changed): the old secret stops working",
      "[narrows access, widens access] office: admits 203.0.113.0/25; replaces a range that is not known; " +
        "may lock this pipeline out, as no `mustInclude` names its address; " +
        'sets the name "HQ"; destroy will leave it as last set',
      "[narrows access, widens access] runners: admits 2001:db8::/32; replaces a range that is not known",
      "[weakens a guard] audit_events: destroy will turn the policy off: " +
        "what happens to the data is up to the server",
    ]);
  });

  test("of a removed resource: what onDelete sends is not compared either", async () => {
    const preview = digest("moved-edited.digest");
    const step = stepOf(preview, "org-office");
    const { newState: _gone, ...rest } = step;
    preview.steps[preview.steps.indexOf(step)] = { ...rest, op: "delete" };
    expect(await linesOf(preview)).toContain(
      "[narrows access, widens access] office: by `onDelete`, admits 203.0.113.0/25; " +
        "replaces a range that is not known",
    );
  });

  test("that cannot be seen is not compared either", async () => {
    const preview = digest("elsewhere.digest");
    stepOf(preview, "eu").newState.inputs["voiceplane:baseUrl"] = "[secret]";
    const { newState, oldState } = stepOf(preview, "eu-recordings");
    delete newState.inputs.address;
    newState.inputs.retentionDays = 3650;
    expect(oldState.outputs.retentionDays).toBe(30);
    expect(await linesOf(preview)).toContain("[deletes data] eu: recordings: sets 3650 days; may delete what is older");
  });

  test("that is due needs an approval, also with reassertUnattended: the new server may have anything", async () => {
    const preview = moved(here, there);
    const step = stepOf(preview, "org-carrier-b");
    const unattended = { reassertAfter: "7d", reassertUnattended: true };
    Object.assign(step.oldState.inputs, unattended);
    Object.assign(step.newState.inputs, unattended, { __due: "2026-08-29" });
    preview.steps = [step];
    expect(await linesOf(preview)).toContain(
      "[cuts a trunk] carrier-b: clears its outbound credentials (due 2026-08-29), which this provider cannot restore",
    );
  });

  test("names at most 20 settings that are not sent", async () => {
    const preview = moved(here, there);
    const office = stepOf(preview, "org-office");
    const policies = Array.from({ length: 25 }, (_, n) => ({
      ...office,
      urn: `${office.urn}-${String(n).padStart(2, "0")}`,
    }));
    preview.steps = policies;
    const [line] = await linesOf(preview);
    expect(line).toMatch(/not sent: office-00, .*, office-19 and 5 more$/);
  });
});

describe("an explicit provider", () => {
  test("at another organization is no risk", async () => {
    const report = await reportOf(recording("another-organization.digest"));
    expect(changeLines(report)).toEqual([
      "[deletes data] eu: recordings: sets 30 days; may delete what is older",
      "[rotates a secret] eu: eu-billing: rotates its signing secret on creation: the old secret stops working",
      "eu: another organization; requests with its token go to `http://127.0.0.1:8000`",
    ]);
    expect(report.summary).toBe("2 requests, 1 other change: deletes data, rotates a secret");
  });

  test("with a new address sends its token elsewhere", async () => {
    const report = await reportOf(recording("elsewhere.digest"));
    expect(changeLines(report)).toEqual([
      `[${label}] from this update on, requests with the token of eu go to \`https://voice.example.net\` ` +
        "instead of `http://127.0.0.1:8000`; if another server answers there, it may not have these settings, which are unchanged and not sent: " +
        "eu-recordings; its webhooks have other secrets than the state: eu-billing",
    ]);
    expect(report.editCount).toBe(1);
  });

  function withInputs(change: Record<string, unknown>): string {
    const preview = digest("elsewhere.digest");
    const provider = stepOf(preview, "eu");
    provider.newState.inputs = { ...provider.oldState.inputs, ...change };
    preview.steps = [provider];
    return eventsOf(preview);
  }

  test.each([
    ["[secret]", "an address that cannot be seen here"],
    [unknown, "an address that cannot be seen here"],
  ])("with the address %j may send its token anywhere", async (baseUrl, words) => {
    expect(await linesOf(withInputs({ "voiceplane:baseUrl": baseUrl }))).toEqual([
      `[${label}] from this update on, requests with the token of eu go to ${words} instead of \`http://127.0.0.1:8000\``,
    ]);
  });

  test("that allows plain http weakens a guard", async () => {
    expect(await linesOf(withInputs({ "voiceplane:allowInsecureHttp": "true" }))).toEqual([
      "[weakens a guard] eu: plain http allowed: anyone between this machine and the server can read the token",
    ]);
  });

  test("with a new token is a change, and the same address in another spelling is not", async () => {
    const text = "eu: settings of the organization changed; the token may be another one";
    expect(await linesOf(withInputs({ "voiceplane:token": "[secret]" }))).toEqual([text]);
    expect(await linesOf(withInputs({ "voiceplane:baseUrl": "http://127.0.0.1:8000/" }))).toEqual([text]);
    const elsewhere = withInputs({ "voiceplane:baseUrl": "https://eu.example.com" });
    const spelled = elsewhere.replaceAll(
      '"voiceplane:baseUrl":"http://127.0.0.1:8000"',
      '"voiceplane:baseUrl":"https://EU.example.com:443/"',
    );
    expect(spelled).not.toBe(elsewhere);
    expect(await linesOf(spelled)).toEqual([text]);
  });

  test("that is removed is reported, and not counted as a resource of another provider", async () => {
    const report = await reportOf(recording("destroy.events"));
    expect(changeLines(report)).toContain("eu: organization no longer declared");
    expect(report.others.map(({ type }) => type)).toEqual(["pulumi-nodejs:dynamic:Resource"]);
  });
});
