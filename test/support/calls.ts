/** Work counted in calls of functions. Seconds depend on the machine, and on what else it does. */
import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";

/** How many calls each action makes. Optimized code would not be counted. */
async function callsOf(...actions: (() => unknown)[]): Promise<number[]> {
  const session = new Session();
  session.connect();
  for (const flag of ["--no-opt", "--no-maglev"]) setFlagsFromString(flag);
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true });
  const calls: number[] = [];
  for (const action of actions) {
    await session.post("Profiler.takePreciseCoverage"); // After it, the counters begin at zero.
    await action();
    const { result } = await session.post("Profiler.takePreciseCoverage");
    const counts = result.flatMap(({ functions }) => functions.map(({ ranges }) => ranges[0]?.count ?? 0));
    calls.push(counts.reduce((sum, count) => sum + count, 0));
  }
  for (const flag of ["--opt", "--maglev"]) setFlagsFromString(flag);
  session.disconnect();
  return calls;
}

/** How much more work twice the input is: twice as much, or four times if the work grows with the square. */
export async function growth<T>(
  work: (input: T) => unknown,
  input: (size: number) => T,
  size: number,
): Promise<number> {
  const [once, twice] = [input(size), input(2 * size)];
  const [few = 0, many = 0] = await callsOf(
    () => work(once),
    () => work(twice),
  );
  return many / few;
}
