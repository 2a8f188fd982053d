import { withInterrupts } from "../../../../src/cli/stack/interrupts";
import type { Io } from "../../../../src/cli/commander";

const io = (lines: string[]) => ({ stderr: { write: (line: string) => lines.push(line) } }) as unknown as Io;

test("the first signal aborts one, the second another, and a later one does nothing", async () => {
  const lines: string[] = [];
  const seen = await withInterrupts(io(lines), ({ first, second }) => {
    const aborted = () => [first.aborted, second.aborted];
    return Promise.resolve(
      [aborted()].concat(
        (["SIGTERM", "SIGINT", "SIGINT"] as const).map((signal) => {
          process.emit(signal);
          return aborted();
        }),
      ),
    );
  });
  expect(seen).toEqual([
    [false, false],
    [true, false],
    [true, true],
    [true, true],
  ]);
  expect(lines).toEqual([
    "voiceplane: interrupted; waiting for requests in progress (interrupt again to stop at once)\n",
    "voiceplane: interrupted again; stopping at once\n",
    "voiceplane: interrupted again; stopping at once\n",
  ]);
});

test("when the command has ended or failed, signals are again what they were", async () => {
  const listeners = () => ["SIGINT", "SIGTERM"].map((signal) => process.listenerCount(signal));
  const before = listeners();
  const during = await withInterrupts(io([]), () => Promise.resolve(listeners()));
  expect(during).toEqual(before.map((count) => count + 1));
  await expect(withInterrupts(io([]), () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(listeners()).toEqual(before);
});
