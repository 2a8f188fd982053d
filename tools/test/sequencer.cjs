const { default: Sequencer } = require("@jest/test-sequencer");

/** The suites that start engines, those with the longest files first: what takes minutes must not begin at the end. */
const longest = ["pipelines", "faults", "engine", "native", "audit", "docs", "state", "tools"];

const rank = ({ path }) => {
  const index = longest.findIndex((folder) => path.replaceAll("\\", "/").includes(`/test/${folder}/`));
  return index === -1 ? longest.length : index;
};

/** Jest's own order, by how long a file took the last time, where it knows that; on a new machine it only knows sizes. */
module.exports = class extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return sorted.some(({ duration }) => duration !== undefined) ? sorted : sorted.sort((a, b) => rank(a) - rank(b));
  }
};
