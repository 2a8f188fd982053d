/** The passphrase of a stack, as a person types it, with the real engine. */
import { yamlProject, type Project } from "../../support/engine/project";
import { passphrase } from "../../support/engine/secrets";
import { crm } from "../../support/engine/yaml-program";
import { onTerminal } from "./terminal";
import { cli } from "../../support/engine/installation";

const prompt = "Passphrase of the stack dev: ";
const enter = `${passphrase}\r`;

async function typing(reply: string, stack: Project, ...args: string[]) {
  const { PULUMI_CONFIG_PASSPHRASE: _unset, ...env } = stack.environment;
  const command = [process.execPath, cli, ...args] as const;
  const replies = { [prompt]: reply, "Only yes is accepted: ": "yes\r" };
  const { code, shown } = await onTerminal(command, { cwd: stack.folder, env, replies });
  expect(shown).not.toContain(passphrase);
  return { code, shown };
}

test("apply, preview and doctor ask for it once on a terminal, and do not show it; status needs none; a wrong one is refused by the engine, and none ends the command before it", async () => {
  const stack = await yamlProject({ resources: { crm: crm() } }, { env: { PULUMI_CONFIG_PASSPHRASE: passphrase } });
  const applied = await typing(enter, stack, "apply", "--stack", "dev");
  expect(applied.shown).toMatch(/^Passphrase of the stack dev: \n[^]*voiceplane update: 1 request: rotates a secret/);
  const checked = await typing(enter, stack, "doctor");
  expect(checked).toMatchObject({ code: 0, shown: expect.stringContaining(`${prompt}\n`) as string });

  // What is encrypted is not shown.
  expect(await typing(enter, stack, "status")).toMatchObject({
    code: 0,
    shown: expect.stringMatching(/^test\/dev, as of /) as string,
  });

  stack.organization.forgetRequests();
  const wrong = await typing("wrong\r", stack, "preview");
  expect(wrong).toMatchObject({ code: 1, shown: expect.stringContaining("incorrect passphrase") as string });
  for (const end of ["\u0003", "\u0004"]) {
    expect(await typing(end, stack, "preview", "--stack", "dev")).toEqual({
      code: 1,
      shown: `${prompt}\nvoiceplane: no passphrase was entered\n`,
    });
  }
  expect(stack.organization.requests()).toEqual([]);
});
