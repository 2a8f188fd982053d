import { inBrowser } from "../../support/page/in-browser";
import { poorContrasts } from "../../support/page/contrast";
import { perform, plane, send } from "../../unit/control-plane/plane";

jest.setTimeout(120_000);

/** Wider than the window: then a reader has to scroll sideways. */
const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

inBrowser("the page", ({ open, problems }) => {
  test.each(["light", "dark"] as const)(
    "shows the settings and the journal as they change, on a phone, in %s, with the keyboard",
    async (colorScheme) => {
      const server = await plane();
      await perform(server, "rotateWebhookSecret", "vp_dev_without_webhooks_write");
      const page = await open(server, { viewport: { width: 390, height: 800 }, colorScheme });
      const journal = page.locator("#journal > li:visible");
      await journal.getByText("403 · refused").waitFor();
      const rotation = "POST /v1/webhooks/c0000000-0000-4000-8000-000000000001/rotate-secret";
      expect(await journal.locator(".request").innerText()).toBe(rotation);

      server.control.setFaults([{ operation: "listWebhooks", status: 503 }]);
      server.control.advanceClock(86_400_000);
      await perform(server, "putRetentionPolicy");
      await page.getByText("200 · committed").waitFor();
      await page.getByText("30 days").waitFor();
      expect(await page.locator("#conditions").innerText()).toMatch(
        /The clock is moved: .*\nA fault is set: .*"status":503/,
      );

      await page.keyboard.press("Tab");
      await page.keyboard.type("refused rotate");
      await page.getByText("1 of 2").waitFor();
      expect(await journal.count()).toBe(1);
      expect(await page.evaluate(overflow)).toBe(0);
      expect(await page.evaluate(poorContrasts)).toMatchObject({ poor: [] });

      await server.close();
      await page.getByText("Not live: the control plane does not answer").waitFor();
      // The browser's own words about requests that failed.
      expect(problems.splice(0).join()).toContain("ERR_CONNECTION_REFUSED");
    },
  );

  test("markup in names, paths, bodies and faults stays text", async () => {
    const server = await plane();
    const markup = '<img src=x onerror="document.title = 1">';
    const id = `<b>${"x".repeat(300)}</b>`;
    server.control.seed({
      networkPolicies: [{ id, name: markup, source_cidr: "192.0.2.0/24" }],
      trunks: [{ id, name: markup }],
      webhooks: [
        { id, url: `https://user:secret@example.com/?secret#${markup}`, enabled: false, disabled_reason: markup },
      ],
    });
    server.control.setFaults([{ operation: "listWebhooks", status: 200, body: markup }]);
    await send(server, "PATCH", `/v1/network-policies/${encodeURIComponent(id)}`, { name: markup, [markup]: markup });
    await send(server, "GET", `/${markup}`);
    const page = await open(server, { viewport: { width: 390, height: 800 } });
    await page.getByText("404 · refused").waitFor();
    expect(await page.locator("img, b").count()).toBe(0);
    expect(await page.title()).toBe("voiceplane control plane");
    const text = await page.locator("body").innerText();
    expect(text).toContain(`disabled: ${markup}`);
    expect(text).not.toContain("secret@");
    expect(await page.evaluate(overflow)).toBe(0);
  });
});
