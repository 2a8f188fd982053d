/**
 * Kills of runs whose state is on a server that speaks Pulumi Cloud's protocol: each rotation that the control plane carried out is named by
 * a result. `HTTP_TEST_KILLS=40 npx jest test/campaigns/http-backend/kills` runs it with more of them.
 */
import { appendFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import type { Fault } from "../../../src/control-plane/index";
import { applied, organizationProject, startApply, webhook, type Applied } from "../../support/engine/apply";
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { ids } from "../../support/engine/organization";
import { expectCurrentSecret, locksOf, processesOf, rotationsOf } from "../../support/faults/aftermath";

const kills = Number(process.env.HTTP_TEST_KILLS ?? 6);
jest.setTimeout(300_000 + kills * 60_000);

/** The same numbers in each run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}

const rotation = { operation: "rotateWebhookSecret", count: 1 } as const;
const faults: readonly Fault[] = [
  { ...rotation, latencyMs: 2_500 },
  { ...rotation, connection: "hang", commit: true },
  { ...rotation, connection: "hang", commit: false },
];

const provider = /cmd\/dynamic-provider/;
const engine = /^pulumi up\b/;
const targets: readonly (readonly RegExp[])[] = [
  [provider],
  [engine],
  [/\bapply --stack\b/],
  [/\bapply --stack\b/, engine],
];

testOnHttp(`${kills} kills: each rotation that was carried out is named, and no secret is lost`, async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(webhook("0"), { backend });
  const random = numbers(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const total = { kills: 0, carriedOut: 0, rotations: 0, earlier: 0, again: 0, unsaid: 0 };
  const count = ({ rotations, rotatedEarlier, rotatedAgain }: Applied): void => {
    total.rotations += rotations;
    total.earlier += rotatedEarlier.length;
    total.again += rotatedAgain.length;
  };
  count(await applied(stack));
  for (let round = 1; total.kills < kills; round++) {
    stack.write("organization.yaml", webhook(String(round)));
    stack.organization.control.setFaults([pick(faults)]);
    const run = startApply(stack);
    await stack.until(() => run.child.exitCode !== null || stack.organization.control.faults().length === 0);
    await setTimeout(random() * 1_000);
    const target = pick(targets);
    const victims = processesOf(stack).filter(({ command }) => target.some((each) => each.test(command)));
    for (const { pid } of victims) process.kill(pid, "SIGKILL");
    total.kills += victims.length > 0 ? 1 : 0;
    const { stdout } = await run.finished;
    if (stdout !== "") count(JSON.parse(stdout) as Applied);
    await stack.until(() => processesOf(stack).length === 0);
    if (locksOf(stack).length > 0) await backend.control.expireLease("tester/test/dev");
  }
  stack.organization.control.setFaults([]);
  // The last one may have died before it rotated.
  stack.write("organization.yaml", webhook("last"));
  const last = await applied(stack);
  count(last);
  expect(last).toMatchObject({ outcome: "applied", uncertain: 0, pending: [] });
  expect(await applied(stack)).toMatchObject({ outcome: "skipped" });
  expectCurrentSecret(stack, "org-crm");
  total.carriedOut = rotationsOf(stack)[ids.crm] ?? 0;
  total.unsaid = Math.max(0, total.carriedOut - total.rotations - total.earlier - total.again);
  const { HTTP_TEST_REPORT: file } = process.env;
  if (file !== undefined) appendFileSync(file, `${JSON.stringify(total)}\n`);
  expect(total).toMatchObject({ unsaid: 0 });
});
