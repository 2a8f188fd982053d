/** Marks of the engine, spelled out: the tests share none with the sources. */

/** How the engine writes a value that is not known yet. */
export const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** The key by which the engine knows a secret value. */
export const secretMark = "4dabf18193072939515e22adb298388d";
