/** What `voiceplane doctor` says where the state is on a server that speaks Pulumi Cloud's protocol. */
import { applied, organizationProject, webhook } from "../../support/engine/apply";
import { httpBackend, testOnHttp } from "../../support/engine/http-backend";
import { doctor } from "../../support/engine/voiceplane";
import { upDuring } from "../../support/faults/deaths";

const noStack = "there is no stack prod; the project has dev";

testOnHttp("doctor names what the server refuses, the update that holds the stack, and one that died", async () => {
  const backend = await httpBackend();
  const stack = await organizationProject(webhook("0"), { backend });
  const state = () => doctor(stack, "state");
  expect(await state()).toEqual(["ok state no objects"]);

  expect(await applied(stack, { stack: "prod" })).toMatchObject({ outcome: "failed", reason: noStack });

  const up = await upDuring(stack);
  up.signal("SIGKILL");
  await up.finished;
  const died = "warning state an update ended while creating crm, or still runs";
  expect(await state()).toEqual([
    expect.stringMatching(/^warning state the stack is locked by an update of tester since \S+: about 5 minutes/),
    expect.stringContaining(died),
  ]);

  await backend.control.setFaults({ operation: "*", effect: "status", status: 500 });
  expect(await state()).toEqual([expect.stringMatching(/^failure state .* cannot be read: .*\[500\]/)]);
  backend.close();
  expect(await state()).toEqual([expect.stringMatching(/^failure state .* cannot be read: .*connection refused/)]);
});
