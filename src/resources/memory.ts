/** The memory of this machine, see `unsettled.ts`, as the resources ask it. */

/** In the order in which a memory's entry is named. */
export interface ObjectName {
  readonly type: string;
  readonly organization: string;
  readonly id: string;
  /** Of the control plane. */
  readonly address: string;
}

/** A request that is about to leave. */
export interface Sent {
  /** The id of the row that it starts from. */
  readonly since: string;
  /** Its own id, which the row has if its result is saved. */
  readonly id: string;
  /** Whether it must be on the disk before it leaves, because sending it once more is not harmless. */
  readonly isDurable: boolean;
}

/** The memory of this machine. Both throw if it cannot be read or written. */
export interface Unsettled {
  /** Whether a request left that started from this row, and no later row is known. */
  isOpen(object: ObjectName, row: string): boolean;
  /** @returns takes it back: the request was surely not carried out */
  announce(object: ObjectName, sent: Sent): () => void;
}

/** Of a process that remembers nothing. */
export const forgetful: Unsettled = { isOpen: () => false, announce: () => () => undefined };

/** In place of a row's id, for a create. */
export const noRow = "new";

/** In place of a row's id, for the row of an object that was adopted. */
export const adoptedRow = "adopted";
