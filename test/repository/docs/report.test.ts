/** The README and the guide to pull requests show a report as it is. */
import { readFileSync } from "node:fs";
import { formatReport } from "../../../src/cli/report/formats";
import { placesInText } from "../../../src/organization-file/places";
import { digest, recordingFile, reportOf } from "../../support/recorded";
import { read } from "../../support/repository";

test.each(["README.md", "docs/guides/review-changes-in-pull-requests.md"])(
  "%s shows lines of a report",
  async (page) => {
    const file = readFileSync(recordingFile("pull-request.yaml"), "utf8");
    const report = await reportOf(digest("pull-request.digest"), { placeOf: placesInText(file, "organization.yaml") });
    const printed = formatReport(report, "markdown").split("\n");
    const shown = [...read(page).matchAll(/^> (#.*|- .*)$/gm)]
      .map(([, line = ""]) => line)
      .filter((line) => line !== "- …");
    expect(shown.length).toBeGreaterThan(3);
    expect(shown.filter((line) => !printed.includes(line))).toEqual([]);
  },
);
