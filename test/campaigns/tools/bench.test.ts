/** Each benchmark runs for one round. It fails on a wrong answer; its figures are not judged. */
import { startNode } from "../../support/tools";
import { root } from "../../support/repository";

jest.setTimeout(300_000);

const run = (name: string) =>
  startNode(["bench/index.mjs", name, "--once"], process.env as Record<string, string>, root).finished;

test.each(["client", "up"])("%s", async (name) => {
  expect(await run(name)).toMatchObject({ code: 0, stdout: expect.stringContaining("(goal: ") as string });
});
