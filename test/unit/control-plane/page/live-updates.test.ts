import { ServerResponse, IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { Control } from "../../../../src/control-plane/control";
import { Faults } from "../../../../src/control-plane/faults";
import { LiveUpdates } from "../../../../src/control-plane/page/live-updates";
import { RateLimiter } from "../../../../src/control-plane/rate-limits";
import { Clock, Store } from "../../../../src/control-plane/store";

/** A page's connection. It records what is written, and can be slow. */
class Connection extends ServerResponse {
  readonly written: string[] = [];
  override writableNeedDrain = false;

  constructor() {
    super(new IncomingMessage(new Socket()));
  }

  override write(text: string): boolean {
    this.written.push(text);
    return !this.writableNeedDrain;
  }

  override end(): this {
    this.emit("close");
    return this;
  }
}

let store: Store;
let control: Control;
let problems: string[];
let closing: AbortController;
let live: LiveUpdates;
let views: number;
let broken: boolean;

beforeEach(() => {
  jest.useFakeTimers();
  store = new Store();
  const clock = new Clock(store, Date.now);
  control = new Control({ store, clock, faults: new Faults(store, Math.random), rates: new RateLimiter(Date.now) });
  control.reset();
  problems = [];
  views = 0;
  broken = false;
  closing = new AbortController();
  live = new LiveUpdates({
    store,
    view: () => {
      if (broken) throw new Error("disk I/O error");
      views += 1;
      const journal = control.journal();
      return {
        state: control.state(),
        clock: control.clock(),
        faults: control.faults(),
        journal,
        requests: journal.length,
      };
    },
    onProblem: (message) => problems.push(message),
    closing: closing.signal,
  });
});
afterEach(() => {
  closing.abort();
  jest.useRealTimers();
});

function open(): Connection {
  const connection = new Connection();
  live.open(connection, {});
  connection.written.splice(0);
  views = 0;
  return connection;
}

function keepRecordings(days: number): void {
  control.seed({ retentionPolicies: [{ resource: "recordings", retention_days: days, enabled: true }] });
}

test("simultaneous changes are sent once, to every page", () => {
  const pages = [open(), open()];
  for (let days = 1; days <= 20; days += 1) keepRecordings(days);
  jest.advanceTimersByTime(50);
  expect(views).toBe(1);
  for (const { written } of pages) {
    expect(written).toHaveLength(1);
    expect(written[0]).toContain("20 days");
  }
});

test("a change that the page does not show sends nothing", () => {
  const page = open();
  control.seed({ organization: { rateLimits: null } });
  jest.advanceTimersByTime(50);
  expect([views, page.written]).toEqual([1, []]);
});

test("a slow page receives the latest state once it has drained", () => {
  const page = open();
  page.writableNeedDrain = true;
  keepRecordings(7);
  jest.advanceTimersByTime(50);
  keepRecordings(8);
  jest.advanceTimersByTime(50);
  expect(page.written).toEqual([]);
  page.writableNeedDrain = false;
  page.emit("drain");
  jest.advanceTimersByTime(50);
  expect(page.written).toHaveLength(1);
  expect(page.written[0]).toContain("8 days");
});

test("ages are updated as time passes, without a change", () => {
  const page = open();
  control.seed({ webhooks: [{ id: "new", url: "https://example.com/" }] });
  jest.advanceTimersByTime(50);
  expect(page.written.splice(0)).toEqual([expect.stringContaining("less than a minute")]);
  jest.advanceTimersByTime(120_000);
  expect(page.written).toEqual([expect.stringContaining("<td>1 minute<"), expect.stringContaining("<td>2 minutes<")]);
});

test("with no page open, nothing is read and no timer runs", () => {
  open().end();
  keepRecordings(7);
  expect(jest.getTimerCount()).toBe(0);
  jest.advanceTimersByTime(120_000);
  expect(views).toBe(0);
});

test("a page that disconnected before the first message is forgotten", () => {
  const connection = new Connection();
  connection.destroyed = true;
  live.open(connection, {});
  expect([connection.written, jest.getTimerCount()]).toEqual([[], 0]);
});

test("a page that opens after all others closed receives changes again", () => {
  open().end();
  const page = open();
  keepRecordings(7);
  jest.advanceTimersByTime(50);
  expect(page.written).toEqual([expect.stringContaining("7 days")]);
});

test("an unreadable state ends the streams and is reported, without a crash", () => {
  const page = open();
  keepRecordings(7);
  broken = true;
  const closed = jest.fn();
  page.on("close", closed);
  jest.advanceTimersByTime(50);
  expect(closed).toHaveBeenCalledTimes(1);
  expect(problems).toEqual(["disk I/O error"]);
  expect(jest.getTimerCount()).toBe(0);
});
