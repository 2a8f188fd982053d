/** The notes that the processes of one run exchange. A reader asks for them by what they say and their key. */
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../values/any.js";

/** A note that is found by its key. If it is about an object, the key is the object's, see `object.ts`. */
interface Keyed<Says extends string> {
  readonly says: Says;
  readonly key: string;
}

export type Note =
  /** A provider has checked the object, or the program declares it. */
  | Keyed<"declared">
  /** The engine has registered an object that the program declares: this run has updated it, or will not. */
  | Keyed<"registered">
  /** The engine has answered a declaration with the state that has this `requestId`. Only a destroy deletes such a state. */
  | Keyed<"declared state">
  /** A request has set the object in this run. */
  | Keyed<"sent">
  /** The program declares the object with this name. */
  | (Keyed<"called"> & { readonly name: string })
  /** The resource with this name is an entry of an Organization. */
  | (Keyed<"entry"> & { readonly entry: string })
  /** Before this run, the retention policy had this number of days. */
  | (Keyed<"days"> & { readonly days: number })
  /** The declared resource has the secret of the webhook. With `digest`, it has the one that the program gives, which may be outdated. */
  | (Keyed<"secret known"> & { readonly digest?: string })
  /** A rotation of the webhook in this run may have been carried out. */
  | Keyed<"uncertain rotation">
  /** The program declares an explicit provider, or the run uses it, whose token is in this variable. */
  | (Keyed<"provider"> & { readonly use: "declared" | "used"; readonly name: string })
  /** The user was warned of this subject, and once is enough in a run. */
  | Keyed<"warned">;

type Said = Note["says"];
export type NoteOf<S extends Said> = Extract<Note, { says: S }>;

/** Each question takes the same time however many notes there are: a run of thousands of resources asks before each delete. */
export class NoteSet {
  readonly #notes = new Map<string, readonly Note[]>();

  add(note: Note): void {
    const noted: readonly Note[] = this.of(note.says, note.key);
    if (noted.some((other) => isDeepStrictEqual(other, note))) return;
    this.#notes.set(placeOf(note.says, note.key), [...noted, note]);
  }

  has(says: Said, key: string): boolean {
    return this.#notes.has(placeOf(says, key));
  }

  /** In the order in which they were added. */
  of<S extends Said>(says: S, key: string): readonly NoteOf<S>[] {
    return (this.#notes.get(placeOf(says, key)) ?? []) as readonly NoteOf<S>[];
  }
}

export type Notes = Pick<NoteSet, "has" | "of">;

const placeOf = (says: string, key: string): string => `${says}: ${key}`;

export const noteLine = (note: Note): string => JSON.stringify(note);

/** Only this package writes the lines. Undefined for one that a process has not written to its end. */
export const noteIn = (line: string): Note | undefined => parseJson(line) as Note | undefined;
