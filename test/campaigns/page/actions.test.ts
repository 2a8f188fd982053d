import { createServer, type Server } from "node:http";
import type { Page } from "playwright-core";
import { offeredEffects } from "../../../src/control-plane/page/controls";
import { listen } from "../../support/listen";
import { operationNames, perform, plane } from "../../unit/control-plane/plane";
import { inBrowser } from "../../support/page/in-browser";

jest.setTimeout(60_000);
const noon = Date.parse("2026-06-01T12:00:00.000Z");
const day = 86_400_000;

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

inBrowser("the buttons", ({ open, problems }) => {
  test("a fault can be set, is shown until it is used up, and can be ended", async () => {
    const server = await plane();
    const page = await open(server);
    await press(page, "Set a fault…");
    await page.getByLabel("Operation").selectOption("Rotate signing secret");
    await page.getByLabel("What happens").selectOption("503, though carried out");
    await page.getByLabel("How many requests").fill("2");
    await press(page, "Set the fault");
    await page.getByText("Rotate signing secret · answers 503 · carried out · 2 requests left").waitFor();
    expect(server.control.faults()).toEqual([
      {
        operation: "rotateWebhookSecret",
        effect: "status",
        status: 503,
        commit: true,
        count: 2,
        probability: 1,
        latencyMs: 0,
      },
    ]);
    expect(await page.locator("[aria-live=polite]").textContent()).toBe("The fault is set.");
    expect((await perform(server, "rotateWebhookSecret")).status).toBe(503);
    await page.getByText("carried out · 1 request left").waitFor();

    await press(page, "Remove it");
    await page.getByText("A fault is set").waitFor({ state: "detached" });
    expect(server.control.faults()).toEqual([]);
    expect(await page.evaluate("document.activeElement.id")).toBe("open-faults");
  });

  test("a fault can be permanent, apply to every operation, and replace other faults", async () => {
    const server = await plane();
    server.control.setFaults([{ operation: "listWebhooks", effect: "hang" }]);
    const page = await open(server);
    await press(page, "Set a fault…");
    await page.getByLabel("How many requests").fill("");
    await page.getByLabel("How many requests").press("Enter");
    await page.getByText("Every operation · answers 503 · not carried out · until it is removed").waitFor();
    expect(server.control.faults()).toMatchObject([{ operation: "*", effect: "status", status: 503 }]);
  });

  test("an invalid number is refused in the dialog, and nothing is sent", async () => {
    const server = await plane();
    const page = await open(server);
    await press(page, "Set a fault…");
    await page.getByLabel("How many requests").fill("0");
    await press(page, "Set the fault");
    expect(await page.getByRole("dialog", { name: "Set a fault" }).isVisible()).toBe(true);
    await press(page, "Cancel");
    expect(await page.getByRole("dialog").count()).toBe(0);
    expect(server.control.faults()).toEqual([]);
  });

  test("every offered fault can be set", async () => {
    const { control } = await plane();
    for (const operation of ["*", ...operationNames] as const) {
      for (const [, effect] of offeredEffects) {
        control.setFaults([{ operation, ...effect }]);
      }
    }
    expect(control.faults()).toHaveLength(1);
  });

  test("the clock can be moved, is shown while it is moved, and can be reset", async () => {
    const server = await plane({ now: () => noon });
    const page = await open(server);
    expect(await page.getByText("The clock is").locator("visible=true").count()).toBe(0);
    await press(page, "Move the clock…");
    await press(page, "90 days ahead");
    await page.getByText("The clock is at 2026-08-30 12:00 UTC, 90 days ahead of this machine's.").waitFor();
    expect(server.control.clock().offsetMs).toBe(90 * day);
    await press(page, "Move the clock…");
    await press(page, "1 hour ahead");
    await page.getByText("The clock is at 2026-08-30 13:00 UTC").waitFor();

    await page.locator("#conditions").getByRole("button", { name: "Use this machine's time" }).click();
    await page.getByText("The clock is at").waitFor({ state: "detached" });
    expect(server.control.clock().offsetMs).toBe(0);
    expect(await page.evaluate("document.activeElement.id")).toBe("open-clock");
  });

  test("a reset asks first, and Escape and Cancel do nothing", async () => {
    const server = await plane();
    await perform(server, "putRetentionPolicy");
    const page = await open(server);
    await press(page, "Reset…");
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Cancel");
    await page.keyboard.press("Escape");
    expect(await page.evaluate("document.activeElement.id")).toBe("open-reset");
    await press(page, "Reset…");
    await press(page, "Cancel");
    expect(server.control.state().retentionPolicies).toHaveLength(1);
    await press(page, "Reset…");
    await press(page, "Reset");
    await page.getByText("No requests yet.").waitFor();
    expect(server.control.state().retentionPolicies).toEqual([]);
    expect(await page.getByText("0 of 3 set").isVisible()).toBe(true);
  });

  test("a refusal of the control plane is shown, and so is a missing answer", async () => {
    const server = await plane({ now: () => noon });
    server.control.setClock("9998-12-30T00:00:00Z");
    const page = await open(server);
    await press(page, "Move the clock…");
    await press(page, "90 days ahead");
    await page.getByRole("alert").getByText("the time has to be in the years 0 to 9998").waitFor();
    await page.route("**/_control/clock", (route) => route.abort());
    await press(page, "Move the clock…");
    await press(page, "1 day ahead");
    await page.getByRole("alert").getByText("The control plane does not answer.").waitFor();
    problems.splice(0); // The browser logs both errors.
  });
});

inBrowser("another site's page", ({ open, problems }) => {
  let site: Server;
  let port: number;
  const started: Server[] = [];

  /** A page that tries everything that a web page can send to the control plane at `url`. */
  const attack = (url: string) => `<!doctype html><title>elsewhere</title>
<img src="${url}/_control/reset"><script src="${url}/_control/state"></script>
<iframe name="hole"></iframe>
<form method="post" action="${url}/_control/reset" target="hole" enctype="text/plain"></form>
<script>
  const send = (method, route, body, mode) =>
    fetch("${url}/_control/" + route, { method, mode, body }).then(({ status }) => status, () => "refused");
  document.forms[0].submit();
  Promise.all([
    send("POST", "reset", undefined, "no-cors"),
    send("POST", "reset", undefined, "cors"),
    send("POST", "seed", '{"remove":["recordings"]}', "no-cors"),
    send("PUT", "faults", "[]", "cors"),
    send("PUT", "clock", '{"offsetMs":0}', "cors"),
    send("DELETE", "journal", undefined, "cors"),
    send("GET", "state", undefined, "cors"),
  ]).then((answers) => (document.title = JSON.stringify(answers)));
</script>`;

  beforeEach(async () => {
    site = createServer((request, response) => {
      response.setHeader("Content-Type", "text/html");
      response.end(attack(decodeURIComponent(request.url?.slice(2) ?? "")));
    });
    started.push(site);
    port = await listen(site);
  });
  afterEach(() => {
    for (const server of started.splice(0)) {
      server.closeAllConnections();
      server.close();
    }
  });

  test.each([
    ["another port of this machine", "127.0.0.1"],
    ["another name", "localhost"],
  ])("at %s resets nothing, sets nothing and reads nothing", async (_, host) => {
    const server = await plane({ now: () => noon });
    await perform(server, "putRetentionPolicy");
    server.control.advanceClock(day);
    server.control.setFaults([{ operation: "*", effect: "reset" }]);
    const before = [server.control.state(), server.control.journal(), server.control.clock(), server.control.faults()];
    const page = await open(server);
    const address = `http://${host}:${port}/?${encodeURIComponent(server.url)}`;
    const hole = page.waitForResponse(
      (response) => response.url() === `${server.url}/_control/reset` && response.request().isNavigationRequest(),
    );
    await page.goto(address);
    await page.waitForFunction("document.title !== 'elsewhere'");
    expect(JSON.parse(await page.title())).toEqual([0, "refused", 0, ...Array<string>(4).fill("refused")]);
    expect((await hole).status()).toBe(403);
    expect([server.control.state(), server.control.journal(), server.control.clock(), server.control.faults()]).toEqual(
      before,
    );
    problems.splice(0); // The browser logs each refusal.
  });
});
