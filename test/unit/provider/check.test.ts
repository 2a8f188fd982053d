import { checkResource } from "../../../src/provider/check";
import { readSettings } from "../../../src/provider/settings";
import { resources } from "../../../src/resources/index";
import { checkContext } from "../../support/resources/check-context";

describe("VOICEPLANE_NOW", () => {
  const read = (now: string) =>
    readSettings(() => undefined, {
      VOICEPLANE_BASE_URL: "https://api.example.com",
      VOICEPLANE_TOKEN: "vp_dev_full",
      VOICEPLANE_NOW: now,
    });

  test.each(["tomorrow", "2027-13-01", "2027", "01/03/2027", "1"])(
    "is refused if it is %s, which is no date",
    (now) => {
      expect(read(now).problems).toEqual(["VOICEPLANE_NOW must be a date, such as 2027-03-01"]);
    },
  );

  test("is the present of the run, which says so once", () => {
    expect(read("").namedNow).toBeUndefined();
    expect(read("2027-03-01").namedNow).toEqual(new Date("2027-03-01T00:00:00Z"));
    const warnings: string[] = [];
    const said = checkContext({ log: { info: () => undefined, warn: (text) => void warnings.push(text) } });
    for (const name of ["a", "b"])
      checkResource(
        resources.WebhookSecret.lifecycle,
        said,
        read("2027-03-01"),
        {},
        { webhookId: name, onCreate: "adopt" },
      );
    expect(warnings).toEqual([
      "VOICEPLANE_NOW is set: this run takes 2027-03-01T00:00:00.000Z for the present, and sends what is due by then.",
    ]);
  });
});
