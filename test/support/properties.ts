/** fast-check with new values in each run. A failure prints its seed, which SOAK_SEED fixes to see it again. */
import fc from "fast-check";

const { SOAK_SEED } = process.env;

if (SOAK_SEED !== undefined) fc.configureGlobal({ seed: Number(SOAK_SEED) });

export default fc;
