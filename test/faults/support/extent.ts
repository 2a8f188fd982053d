/** Whether to try the faults that take the client's or the engine's own long waits too, a minute or so each. Default: no. */
export const allFaults = process.env.VOICEPLANE_ALL_FAULTS === "1";
