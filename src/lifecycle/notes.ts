/** The notes of a run about objects. */

/** The program's note that the engine has registered a declared object: this run has updated it, or will not. */
export const registered = (key: string): string => `registered: ${key}`;

/** The program's note that the engine has answered a declaration with this row of the state. Only a destroy deletes such a row. */
export const declaredRow = (requestId: string): string => `declared row: ${requestId}`;

/** A provider's note that a request has set the object in this run. */
export const sent = (key: string): string => `sent: ${key}`;
