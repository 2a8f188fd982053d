/** The notes that the processes of one run exchange. A reader asks for them by their kind and their key. */
import { isDeepStrictEqual } from "node:util";
import { parseJson } from "../values/any.js";

/** The key of a note about an object is the object's, see `object.ts`. */
interface Key<Kind extends string> {
  readonly kind: Kind;
  readonly key: string;
}

export type Note =
  /** A provider has checked the object, or the program declares it. */
  | Key<"declared">
  /** The engine has registered an object that the program declares: this run has updated it, or will not. */
  | Key<"registered">
  /** The engine has answered a declaration with the state that has this `requestId`. Only a destroy deletes such a state. */
  | Key<"declared state">
  /** A request has set the object in this run. */
  | Key<"sent">
  /** The program declares the object with this name. */
  | (Key<"called"> & { readonly name: string })
  /** The resource with this name is an entry of an Organization. */
  | (Key<"entry"> & { readonly entry: string })
  /** Before this run, the retention policy had this number of days. */
  | (Key<"days"> & { readonly days: number })
  /** The declared resource has the secret of the webhook. */
  | Key<"secret known">
  /** A rotation of the webhook in this run may have been carried out. */
  | Key<"uncertain rotation">
  /** The program declares an explicit provider, or the run uses it, whose token is in this variable. */
  | (Key<"provider"> & { readonly use: "declared" | "used"; readonly name: string })
  /** The user was warned of this subject, and once is enough in a run. */
  | Key<"warned">;

type NoteKind = Note["kind"];
export type NoteOf<K extends NoteKind> = Extract<Note, { kind: K }>;

/** Each question takes the same time however many notes there are: a run of thousands of resources asks before each delete. */
export class NoteSet {
  readonly #notes = new Map<string, readonly Note[]>();

  add(note: Note): void {
    const [place, noted] = [placeOf(note.kind, note.key), this.of(note.kind, note.key)];
    if (!noted.some((other) => isDeepStrictEqual(other, note))) this.#notes.set(place, [...noted, note]);
  }

  has(kind: NoteKind, key: string): boolean {
    return this.#notes.has(placeOf(kind, key));
  }

  /** In the order in which they were added. */
  of<K extends NoteKind>(kind: K, key: string): readonly NoteOf<K>[] {
    return (this.#notes.get(placeOf(kind, key)) ?? []) as readonly NoteOf<K>[];
  }
}

export type Notes = Pick<NoteSet, "has" | "of">;

const placeOf = (kind: string, key: string): string => `${kind}: ${key}`;

export const noteLine = (note: Note): string => JSON.stringify(note);

/** Only this package writes the lines. Undefined for one that a process has not written to its end. */
export const noteIn = (line: string): Note | undefined => parseJson(line) as Note | undefined;
