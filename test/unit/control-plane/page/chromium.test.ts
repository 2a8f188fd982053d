import { spawnSync } from "node:child_process";
import { findChromium } from "../../../support/page/chromium";

jest.mock("node:child_process");
const spawned = jest.mocked(spawnSync);
const before = { ...process.env };

/** What tools/chromium.mjs returns. */
function finds(status: number, stdout: string, stderr: string): void {
  spawned.mockReturnValue({ status, stdout, stderr } as unknown as ReturnType<typeof spawnSync>);
}

afterEach(() => {
  process.env = { ...before };
  jest.restoreAllMocks();
});

test("without a browser the tests are skipped with a message", () => {
  delete process.env.CHROMIUM;
  let written = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((written += String(text))));
  finds(1, "", "install Chrome or Chromium\n");
  expect(findChromium()).toBeUndefined();
  expect(written).toBe("SKIPPED: the tests of the page in a browser: install Chrome or Chromium\n");
});

test("if CHROMIUM names no file, they fail", () => {
  process.env.CHROMIUM = "/gone";
  finds(1, "", "CHROMIUM names no file\n");
  expect(findChromium).toThrow("CHROMIUM names no file");
});

test("an installed browser is used", () => {
  finds(0, "/opt/chromium\n", "");
  expect(findChromium()).toBe("/opt/chromium");
});
