import { defaultLimits } from "../../../src/client/client";
import { defaultRetryLimits } from "../../../src/client/retry";
import { blocks, documents, followed, read } from "../../support/docs/documents";
import { texts } from "../../support/docs/messages";

test("a message names only pages that are in the npm package", () => {
  const { files } = JSON.parse(read("package.json")) as { files: string[] };
  // npm adds the README to every package.
  const isPacked = (page: string): boolean => ["README.md", ...files].some((each) => `${page}/`.startsWith(`${each}/`));
  const named = texts.flatMap(({ at, text }) =>
    [...text.matchAll(/[\w/-]+\.md\b/g)].filter(([page]) => !isPacked(page)).map(([page]) => `${at} ${page}`),
  );
  expect(texts.length).toBeGreaterThan(1000);
  expect(named).toEqual([]);
});

test("one page says how to install before the release", () => {
  const pages = documents.filter((file) => /npm run release:plugin|npm run build && npm pack/.test(read(file)));
  expect(pages).toEqual(["docs/installation-configuration.md"]);
});

test.each(followed)(
  "%s leaves no variable that overrides a stack's configuration, and the machine's login as it was",
  (page) => {
    const commands = blocks.filter(({ file, language }) => file === page && language === "sh").map(({ text }) => text);
    const namesAfter = (verb: string) =>
      commands
        .join("")
        .split("\n")
        .filter((line) => line.startsWith(`${verb} `))
        .flatMap((line) => line.match(/\bVOICEPLANE_\w+/g) ?? []);
    expect(new Set(namesAfter("unset"))).toEqual(new Set(namesAfter("export")));
    expect(commands.filter((text) => text.includes("pulumi login"))).toEqual([]);
  },
);

test("the pages say how often a request is repeated, and for how long", () => {
  const rows = [
    ...read("docs/operate/when-something-went-wrong.md").matchAll(/repeated, up to (\d+) times in (\d+) s/g),
  ];
  const { attemptTimeoutMs, deadlineMs, maxRateLimitWaitMs } = defaultLimits;
  expect(rows.map(([, times, seconds]) => [Number(times) + 1, Number(seconds)])).toEqual([
    [defaultRetryLimits.maxAttempts, deadlineMs / 1000],
    [defaultRetryLimits.maxAttempts, deadlineMs / 1000],
  ]);
  const [attempt, request] = [attemptTimeoutMs / 1000, deadlineMs / 1000];
  expect(read("docs/operate/security.md")).toContain(`${attempt} s an attempt, ${request} s a request`);
  expect(read("docs/reference/messages.md")).toContain(`An attempt may take ${attempt} s, all attempts ${request} s`);
  expect(maxRateLimitWaitMs).toBe(2 * 60_000);
  expect(read("docs/operate/when-something-went-wrong.md")).toContain(
    `These waits can add two minutes to the ${request} s of a request`,
  );
});
