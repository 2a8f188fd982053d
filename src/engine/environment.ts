/** The variables of a run. */
export type Environment = Readonly<Record<string, string | undefined>>;
