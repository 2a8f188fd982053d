/**
 * Whether to test faults that take the long time limits of the client or the engine, about a minute each. Default: no.
 */
export const allFaults = process.env.VOICEPLANE_ALL_FAULTS === "1";
