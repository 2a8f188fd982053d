/** What a report says of edits that no recording has: options of the engine, hidden values, and values of another version. */
import {
  asUpdate,
  digest,
  fromTo,
  linesOf,
  recording,
  reportOf,
  stepAfter,
  type Digest,
  type DigestStep,
  type Values,
} from "../../../support/recorded";
import { testOutlines } from "./outline";

/** An unchanged retention policy of 365 days, with these options of the engine before and after. */
const options = (from: Values, to: Values): Digest =>
  stepAfter(
    "org-recordings",
    ({ oldState, newState }) => {
      Object.assign(oldState, from);
      Object.assign(newState, to);
    },
    "same",
  );

const recordings = (from: Values, to: Values, op?: string): Digest => stepAfter("org-recordings", fromTo(from, to), op);

const retains = (from: boolean, to: boolean): Digest =>
  stepAfter("org-recordings", (step) => {
    fromTo({ onDelete: "disable" }, {})(step);
    [step.oldState.retainOnDelete, step.newState.retainOnDelete] = [from, to];
  });

testOutlines("options", {
  "protect is taken away": () => options({ protect: true }, {}),
  "protect is declared": () => options({}, { protect: true }),
  "the due date is ignored": () => recordings({}, { __ignored: ["reassertOn"] }, "same"),
  "the due date is ignored no more": () => recordings({ __ignored: ["reassertOn"] }, { __ignored: undefined }, "same"),
  "retainOnDelete of a resource whose onDelete does nothing is no edit": () => options({}, { retainOnDelete: false }),
  "retainOnDelete of a resource whose onDelete sends is taken away": () => retains(true, false),
  "retainOnDelete of a resource whose onDelete sends is declared": () => retains(false, true),
  "an onDelete without effect, because of retainOnDelete, weakens nothing": () =>
    recordings({ onDelete: "retain" }, { onDelete: "disable" }),
});

const adopt = { onCreate: "adopt" };

testOutlines("edits", {
  "an import sends nothing": () => recordings({}, { retentionDays: 30 }, "import"),
  "an input of a newer version is named": () => recordings({}, { novelty: 1 }),
  "and so is one with a name that every object has": () => recordings({}, { constructor: 1 }),
  "values that the state already has, after a partly failed update, are stored": () =>
    stepAfter(
      "org-recordings",
      ({ oldState, newState }) => {
        newState.inputs.retentionDays = 90;
        oldState.outputs.retentionDays = 90;
      },
      "same",
    ),
  "a replacement that adopts compares with what the state knows": () =>
    recordings(adopt, { retentionDays: 730 }, "replace"),
  "a replacement that adopts the same values": () => recordings(adopt, {}, "replace"),
  "an updated component is not counted": () => stepAfter("org", () => undefined),
  "a rotated secret that is adopted again is lost, also with the old initialSecret": () =>
    stepAfter("org-crm", fromTo({}, { onCreate: "adopt", initialSecret: "[secret]" }), "replace"),
  "a first rotation that depends on a hidden value counts as a risk": () => {
    const preview = digest("created.digest");
    preview.steps = preview.steps.filter(({ urn }) => urn.endsWith("::org-billing"));
    for (const { newState } of preview.steps) if (newState) newState.inputs.onCreate = "[secret]";
    return preview;
  },
  "with several organizations every sentence names its organization": () => {
    const edited = digest("edited.digest");
    const text = JSON.stringify(edited.steps.filter(({ urn }) => /::org-(office|recordings)$/.test(urn)));
    const other = text
      .replaceAll('"organization":"example"', '"organization":"eu"')
      .replaceAll("Organization::org", "Organization::eu")
      .replaceAll("::org-", "::eu-");
    return { ...edited, steps: [...(JSON.parse(text) as DigestStep[]), ...(JSON.parse(other) as DigestStep[])] };
  },
  "values of another resource count as this resource's risk": () => {
    const edited = digest("edited.digest");
    for (const { oldState, newState } of edited.steps) {
      if (oldState?.type.includes("/voiceplane:")) oldState.outputs = {};
      if (newState?.type.includes("/voiceplane:")) newState.inputs = {};
    }
    return edited;
  },
  "an id that no request can have counts as the worst risk": () =>
    stepAfter("org-crm", ({ oldState, newState }) => {
      oldState.outputs.webhookId = "..";
      newState.inputs.webhookId = "..";
      newState.inputs.triggers = {};
    }),
});

test("a secret trigger looks the same in events whether it changed or not, so it is a risk", async () => {
  const mark = '{"4dabf18193072939515e22adb298388d":"1b47061264138c4ac30d75fd1eb44270","ciphertext":"[secret]"}';
  const events = recording("hidden.events");
  expect(events).toContain(`"triggers":{"quarter":${mark}}`);
  const before = events.replaceAll('"triggers":{"quarter":"2026-Q3"}', `"triggers":{"quarter":${mark}}`);
  const sealed = before.replaceAll('"ciphertext":"[secret]"', '"ciphertext":"v1:sealed"');
  for (const text of [before, sealed]) expect(await linesOf(text)).toEqual(await linesOf(events));
});

test("outputs that are written late have the name of their organization too, if there are several", async () => {
  const preview = digest("organization-renamed-without-webhooks.digest");
  const urn = preview.steps[0]?.urn.replace(/[^:]*$/, "late") ?? "";
  const late = { urn, type: "WebhookSecret", id: "1", organization: "acme", outputsStale: true } as const;
  const { changes } = await reportOf(preview, { objects: [late] });
  expect(changes.at(-1)?.text).toMatch(/^acme: late: the outputs do not have its secret/);
});

test("a step of an update that failed or was cut off did not finish", async () => {
  const preview = recordings({}, { retentionDays: 3650 });
  expect(await linesOf(asUpdate(preview))).toEqual(["recordings: 365 → 3650 days, still turned on"]);
  const unfinished = ["did not finish: recordings: 365 → 3650 days, still turned on"];
  expect(await linesOf(asUpdate(preview, [preview.steps[0]?.urn ?? ""]))).toEqual(unfinished);
  const cut = asUpdate(preview)
    .replace(/^.*resOutputsEvent.*\n/m, "")
    .replace('"succeeded"', '"failed"');
  expect(await linesOf(cut)).toEqual(unfinished);
});

test("each state of a URN is a change of its own, but for the parts of a replacement", async () => {
  const replaced = stepAfter("org-carrier-a", fromTo({}, { trunkId: "another", cleared: true }), "replace");
  const [{ urn, oldState }] = replaced.steps as [DigestStep];
  const left = {
    ...structuredClone(oldState),
    outputs: { ...oldState?.outputs, trunkId: "left", onDelete: "clear" },
  } as never;
  const parts = [oldState, left, left].map((state) => ({ op: "delete-replaced", urn, oldState: state }));
  replaced.steps.push(...(parts as DigestStep[]));
  expect((await reportOf(replaced)).changes.map(({ op, id }) => [op, id])).toEqual(
    expect.arrayContaining([
      ["replace", "another"],
      ["delete", "left"],
      ["delete", "left"],
    ]),
  );
  expect((await reportOf(replaced)).changes).toHaveLength(3);
});
