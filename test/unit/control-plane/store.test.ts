import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { ControlPlaneError, startControlPlane } from "../../../src/control-plane/index";
import { temporaryFolder } from "../../support/folders";
import { listen } from "../../support/listen";
import { ids, perform, plane } from "./plane";

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});
const file = () => join(folder, "plane.json");

test("everything survives a restart: objects, journal, faults, clock", async () => {
  const first = await plane({ file: file() });
  await perform(first, "putRetentionPolicy");
  await perform(first, "rotateWebhookSecret");
  first.control.seed({ remove: [ids.office] });
  first.control.setFaults([{ operation: "*", connection: "reset", count: 5 }]);
  first.control.setClock("2027-01-01");
  const kept = ({ control }: typeof first) => [
    control.state(),
    control.journal(),
    control.faults(),
    control.clock().offsetMs,
  ];
  const before = kept(first);
  await first.close();

  const second = await plane({ file: file() });
  expect(kept(second)).toEqual(before);
});

test("the file is for its owner alone, and has neither tokens nor signing secrets", async () => {
  const server = await plane({ file: file() });
  const { json } = await perform(server, "rotateWebhookSecret");
  const { signing_secret } = (json as { data: { signing_secret: string } }).data;
  expect(readdirSync(folder)).toEqual(["plane.json"]);
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  const text = readFileSync(file(), "utf8");
  expect(text).toContain(ids.webhook);
  expect(text).not.toContain(signing_secret);
  expect(text).not.toContain("vp_dev_full");
});

test("what cannot be stored answers 503", async () => {
  const server = await plane({ file: file() });
  rmSync(folder, { recursive: true });
  const answer = await perform(server, "rotateWebhookSecret");
  expect(answer.status).toBe(503);
  expect(answer.text).toContain(`${file()} cannot be written: ENOENT`);
});

test.each([["text"], ["."], ["none/plane.json"], ["other.json"]])(
  "the file %j is refused in one line, and stays as it is",
  async (name) => {
    writeFileSync(join(folder, "text"), "text");
    writeFileSync(join(folder, "other.json"), "{}");
    const refusal: unknown = await startControlPlane({ file: join(folder, name) }).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ControlPlaneError);
    expect((refusal as Error).message).toMatch(
      /^\/[^\n]+ (is not a control plane's file: choose another one|cannot be written: ENOENT.*)$/,
    );
    expect(readFileSync(join(folder, "text"), "utf8")).toBe("text");
    expect(readFileSync(join(folder, "other.json"), "utf8")).toBe("{}");
  },
);

test("a port in use, and one that is none, are named", async () => {
  const blocker = createServer();
  const port = await listen(blocker);
  const attempt = startControlPlane({ port }).finally(() => blocker.close());
  await expect(attempt).rejects.toThrow(
    `listen EADDRINUSE: address already in use 127.0.0.1:${port}: choose another port, or port 0 (--port 0) for any free one`,
  );
  await expect(startControlPlane({ port: 70_000 })).rejects.toThrow(ControlPlaneError);
});
