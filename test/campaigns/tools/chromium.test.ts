import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import path from "node:path";
import { startNode, temporaryFolder, type ProcessResult } from "../../support/tools.js";

// The tool unpacks 200 MB.
jest.setTimeout(60_000);

/** Runs the tool as if on this system, with its own cache. */
function chromium(env: Record<string, string>, system?: { platform: string; arch: string }): Promise<ProcessResult> {
  const pretend = `data:text/javascript,${encodeURIComponent(
    `for (const [name, value] of Object.entries(${JSON.stringify(system ?? {})})) {
      Object.defineProperty(process, name, { value });
    }`,
  )}`;
  return startNode(["--import", pretend, "tools/chromium.mjs"], env).ended;
}

test("the browser that CHROMIUM names is used, and must exist", async () => {
  expect(await chromium({ CHROMIUM: process.execPath })).toMatchObject({ code: 0, stdout: `${process.execPath}\n` });
  const gone = path.join(temporaryFolder(), "gone");
  expect(await chromium({ CHROMIUM: gone })).toEqual({ code: 1, stdout: "", stderr: "CHROMIUM names no file\n" });
});

const onLinux = process.platform === "linux" && process.arch === "x64" ? test : test.skip;
onLinux(
  "on Linux the browser of the development dependencies is unpacked once, and needs nothing installed",
  async () => {
    const env = { PATH: "/usr/bin:/bin", XDG_CACHE_HOME: temporaryFolder() };
    const { code, stdout } = await chromium(env);
    expect(code).toBe(0);
    const browser = stdout.trim();
    expect(browser).toContain(env.XDG_CACHE_HOME);
    expect(execFileSync(browser, ["--version"], { encoding: "utf8", env })).toMatch(/^Chromium \d+\./);
    const unpacked = statSync(browser).mtimeMs;
    expect((await chromium(env)).stdout).toBe(stdout);
    expect(statSync(browser).mtimeMs).toBe(unpacked);
  },
);

test("on other systems without a browser, the error says what to install", async () => {
  const { code, stderr } = await chromium({}, { platform: "aix", arch: "ppc64" });
  expect([code, stderr]).toEqual([1, "install Chrome or Chromium, or name one by CHROMIUM\n"]);
});
