const { readFileSync } = require("node:fs");
const { default: Sequencer } = require("@jest/test-sequencer");

/**
 * Puts the suites that start engines first, those with the largest files before the others, so that slow ones do not
 * start last.
 */
const longest = ["campaigns", "engine", "repository"];

const rank = ({ path }) => {
  const index = longest.findIndex((folder) => path.replaceAll("\\", "/").includes(`/test/${folder}/`));
  return index === -1 ? longest.length : index;
};

/** Imports of test/support that need the installed package. */
const users = /\/support\/(engine|native\/release)\b/;

/** Jest sorts by each file's last duration if it knows that. On a new machine it only knows sizes. */
module.exports = class extends Sequencer {
  /** For the global setup, which jest calls next: whether a suite of the run uses the package. */
  static needsPackage = false;

  sort(tests) {
    module.exports.needsPackage = tests.some(({ path }) => users.test(readFileSync(path, "utf8")));
    const sorted = super.sort(tests);
    return sorted.some(({ duration }) => duration !== undefined) ? sorted : sorted.sort((a, b) => rank(a) - rank(b));
  }
};
