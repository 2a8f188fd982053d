import { unknownValue } from "../../../src/values/engine.js";
import { networkPolicy } from "../../../src/resources/network-policy.js";
import { answer, startRawServer, success } from "../../support/client/raw-server.js";
import { closeAfterTest, ids, messageOf, world } from "../../support/world.js";

const office = (args: object = {}) => ({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });
const patch = (body: string, id: string = ids.office) => `PATCH /v1/network-policies/${id} ${body}`;

describe("requests", () => {
  test.each([
    ["host bits", "203.0.113.7/24", "203.0.113.0/24"],
    ["zeros written out", "2001:0DB8:0:0:0:0:0:0/32", "2001:db8::/32"],
    ["an embedded IPv4 address", "::ffff:192.0.2.1/128", "::ffff:c000:201/128"],
  ])("another spelling of a range (%s) is no difference", async (_name, spelling, canonical) => {
    const { engine, journal } = await world(networkPolicy);
    await engine.up(office({ sourceCidr: spelling }));
    expect(journal()).toEqual([patch(`{"source_cidr":"${canonical}"}`)]);
    expect(await engine.up(office({ sourceCidr: canonical }))).toEqual({ office: "same" });
    expect(engine.preview(office({ sourceCidr: spelling })).office).toEqual({ step: "same", lines: [] });
    expect(journal()).toEqual([]);
  });

  test("a policy that denies its range is warned of", async () => {
    const { engine, plane } = await world(networkPolicy);
    plane.control.seed({
      networkPolicies: [{ id: ids.office, name: "Blocked", source_cidr: "203.0.113.0/24", action: "deny" }],
    });
    await engine.up(office({ name: "HQ" }));
    expect(engine.said()).toEqual([
      `warning: NetworkPolicy "${ids.office}" of acme: this is a deny policy: swap mustInclude and mustExclude, ` +
        "so that mustExclude names the addresses that need access.",
    ]);
  });

  test.each([
    ["nothing", answer(204)],
    ["a word", success("deny")],
    ["another action", success({ id: ids.office, action: "allow" })],
  ])("an answer that says nothing of denying (%s) is a success without a warning", async (_name, behaviour) => {
    const server = await startRawServer([behaviour]);
    closeAfterTest(() => server.close());
    const { engine, talkTo } = await world(networkPolicy);
    talkTo(server.baseUrl);
    expect(await engine.up(office({ name: "HQ" }))).toEqual({ office: "create" });
    expect(await engine.up(office({ name: "HQ" }))).toEqual({ office: "same" });
    expect(engine.said()).toEqual([]);
    expect(server.requests).toHaveLength(1);
  });
});

describe("onDelete", () => {
  test("is sent in its canonical spelling; another one is no difference, and another range is stored and not sent", async () => {
    const { engine, journal, forgetRequests } = await world(networkPolicy);
    await engine.up(office({ name: "HQ", onDelete: { sourceCidr: "10.0.0.0/8" } }));
    forgetRequests();
    expect(await engine.up(office({ name: "HQ", onDelete: { sourceCidr: "10.9.9.9/8" } }))).toEqual({ office: "same" });
    expect(await engine.up(office({ name: "HQ", onDelete: { sourceCidr: "10.1.2.3/9" } }))).toEqual({
      office: "update",
    });
    expect(journal()).toEqual([]);
    await engine.destroy();
    expect(journal()).toEqual([patch('{"source_cidr":"10.0.0.0/9"}')]);
  });
});

describe("what keeps the organization from locking itself out", () => {
  test.each([
    [
      "a range without an address that must be in it",
      { sourceCidr: "203.0.113.0/25", mustInclude: ["203.0.113.7", "203.0.113.200"] },
      "sourceCidr: 203.0.113.0/25 does not contain 203.0.113.200, which mustInclude requires",
    ],
    [
      "a range that holds only a part of what must be in it",
      { sourceCidr: "203.0.113.0/25", mustInclude: ["203.0.113.0/24"] },
      "sourceCidr: 203.0.113.0/25 does not contain 203.0.113.0/24, which mustInclude requires",
    ],
    [
      "an IPv4 address in an IPv4-mapped range",
      { sourceCidr: "::ffff:203.0.113.0/120", mustInclude: ["203.0.113.7"] },
      "sourceCidr: ::ffff:203.0.113.0/120 does not surely contain 203.0.113.7, which mustInclude requires: write it as 203.0.113.0/24",
    ],
    [
      "a range of the other family",
      { sourceCidr: "::/0", mustInclude: ["203.0.113.7"] },
      "sourceCidr: ::/0 does not contain 203.0.113.7, which mustInclude requires",
    ],
    [
      "a range that reaches what must not be in it",
      { sourceCidr: "203.0.112.0/23", mustExclude: ["203.0.113.128/25"] },
      "sourceCidr: 203.0.112.0/23 reaches 203.0.113.128/25, which mustExclude forbids",
    ],
    [
      "a range inside of what must not be in it",
      { sourceCidr: "203.0.113.128/26", mustExclude: ["203.0.113.0/24"] },
      "sourceCidr: 203.0.113.128/26 reaches 203.0.113.0/24, which mustExclude forbids",
    ],
    [
      "an onDelete that shuts out what must be in it",
      { sourceCidr: "203.0.113.0/24", mustInclude: ["203.0.113.7"], onDelete: { sourceCidr: "10.0.0.0/8" } },
      "onDelete.sourceCidr: 10.0.0.0/8 does not contain 203.0.113.7, which mustInclude requires",
    ],
    [
      "an onDelete that lets in what must not be in it",
      { sourceCidr: "203.0.113.0/24", mustExclude: ["192.0.2.1"], onDelete: { sourceCidr: "0.0.0.0/0" } },
      "onDelete.sourceCidr: 0.0.0.0/0 reaches 192.0.2.1, which mustExclude forbids",
    ],
    [
      "a rule about a range that is not declared",
      { name: "HQ", mustInclude: ["203.0.113.7"] },
      "mustInclude: has an effect only with a sourceCidr",
    ],
    [
      "a rule about what a range that is not declared must not reach",
      { name: "HQ", mustExclude: ["203.0.113.7"] },
      "mustExclude: has an effect only with a sourceCidr",
    ],
  ])("%s is refused at preview", async (_name, args, problem) => {
    const { engine, journal } = await world(networkPolicy);
    expect(() => engine.preview(office(args))).toThrow(problem);
    expect(await messageOf(engine.up(office(args)))).toBe(problem);
    expect(journal()).toEqual([]);
  });

  test("an empty list of addresses needs no range", async () => {
    const { engine } = await world(networkPolicy);
    expect(await engine.up(office({ name: "HQ", mustInclude: [], mustExclude: [] }))).toEqual({ office: "create" });
  });

  test("a range that keeps to both lists is sent, and the lists are not", async () => {
    const { engine, journal } = await world(networkPolicy);
    const mustInclude = ["203.0.113.7", "203.0.113.64/26"];
    await engine.up(office({ sourceCidr: "203.0.113.0/25", mustInclude, mustExclude: ["203.0.113.128/25"] }));
    expect(journal()).toEqual([patch('{"source_cidr":"203.0.113.0/25"}')]);
    // Another rule that the range keeps to is nothing that the server would have to know.
    expect(await engine.up(office({ sourceCidr: "203.0.113.0/25", mustInclude: [] }))).toEqual({ office: "same" });
  });
});

describe("lost answers and due dates", () => {
  test("a rename, a swap and a replacement leave each policy as declared", async () => {
    const { engine, plane } = await world(networkPolicy);
    const onDelete = { name: "Undone" };
    const a = { networkPolicyId: ids.office, onCreate: "overwrite", name: "A", onDelete };
    const b = { networkPolicyId: ids.runners, onCreate: "overwrite", name: "B", onDelete };
    const names = () => plane.control.state().networkPolicies.map((policy) => policy.name);
    await engine.up({ a, b });
    await engine.up({ a: { ...b, name: "B2" }, b: { ...a, name: "A2" } });
    expect(names()).toEqual(["A2", "B2"]);
    await engine.up({ renamed: a, b: { ...b, name: "B3" } }, { replace: ["b"] });
    expect(names()).toEqual(["A", "B3"]);
    await engine.destroy();
    expect(names()).toEqual(["Undone", "Undone"]);
  });
});

describe("values that are not known yet", () => {
  test("what is known is still checked beside them", async () => {
    const { engine } = await world(networkPolicy);
    const program = office({ sourceCidr: "203.0.113.0/24", mustInclude: [unknownValue, "192.0.2.1"] });
    expect(() => engine.preview(program)).toThrow("203.0.113.0/24 does not contain 192.0.2.1");
  });

  test("another spelling of the same id is set, and the old one's delete does not undo it", async () => {
    const { engine, plane } = await world(networkPolicy);
    const args = { name: "HQ", onDelete: { name: "Undone" } };
    await engine.up({ office: { networkPolicyId: ids.office.toUpperCase(), onCreate: "overwrite", ...args } });
    await engine.up({ office: { networkPolicyId: ids.office, onCreate: "overwrite", ...args } });
    expect(engine.said().join()).toContain("still declared by this program, so deleting it here sent nothing");
    expect(plane.control.state().networkPolicies[0]).toMatchObject({ name: "HQ" });
  });
});
