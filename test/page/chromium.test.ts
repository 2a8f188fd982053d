import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { findChromium } from "./chromium";

jest.mock("node:child_process");
jest.mock("node:fs");
const files = jest.mocked(existsSync);
const spawned = jest.mocked(spawnSync);
const before = { ...process.env };
let told: string;

beforeEach(() => {
  jest.resetAllMocks();
  process.env = { ...before, CI: "", CHROMIUM: "" };
  told = "";
  jest.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((told += String(text))));
  jest.spyOn(process, "getuid").mockReturnValue(0);
});
afterEach(() => {
  process.env = before;
  jest.restoreAllMocks();
});

test("the browser that CHROMIUM names is taken, and missed where it is not there", () => {
  process.env.CHROMIUM = "/opt/chromium";
  files.mockReturnValue(true);
  expect(findChromium()).toBe("/opt/chromium");
  files.mockReturnValue(false);
  expect(findChromium).toThrow("CHROMIUM names no file");
});

test("without a browser the tests are skipped aloud, and nothing is installed on anybody's own machine", () => {
  files.mockReturnValue(false);
  expect(findChromium()).toBeUndefined();
  expect(told).toMatch(/^SKIPPED: .* Chromium/);
  expect(spawned).not.toHaveBeenCalled();
});

test("a pipeline that runs as root installs one", () => {
  process.env.CI = "true";
  files.mockImplementation((path) => path === "/usr/bin/chromium" && spawned.mock.calls.length === 2);
  expect(findChromium()).toBe("/usr/bin/chromium");
  expect(spawned.mock.calls.map(([command, args]) => [command, args?.[0]])).toEqual([
    ["apt-get", "update"],
    ["apt-get", "install"],
  ]);
  expect(told).toBe("");
});

test("a pipeline that cannot install one skips aloud", () => {
  process.env.CI = "true";
  files.mockReturnValue(false);
  expect(findChromium()).toBeUndefined();
  expect(told).toMatch(/^SKIPPED: /);
});
