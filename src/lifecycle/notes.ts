/** The notes that the processes of one run exchange. A reader asks for them by their kind and their key. */
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { parseJson } from "../values/any.js";

const key = z.string();

const noteSchema = z.discriminatedUnion("kind", [
  // The key of a note about an object is the object's, see `object.ts`.
  /** A provider has checked the object, or the program declares it. */
  z.object({ kind: z.literal("declared"), key }),
  /** The engine has registered an object that the program declares: this run has updated it, or will not. */
  z.object({ kind: z.literal("registered"), key }),
  /** The engine has answered a declaration with the state that has this `requestId`. Only a destroy deletes such a state. */
  z.object({ kind: z.literal("declared state"), key }),
  /** A request has set the object in this run. */
  z.object({ kind: z.literal("sent"), key }),
  /** The program declares the object with this name. */
  z.object({ kind: z.literal("called"), key, name: z.string() }),
  /** The resource with this name is an entry of an Organization. */
  z.object({ kind: z.literal("entry"), key, entry: z.string() }),
  /** Before this run, the retention policy had this number of days. */
  z.object({ kind: z.literal("days"), key, days: z.number() }),
  /** The declared resource has the secret of the webhook. */
  z.object({ kind: z.literal("secret known"), key }),
  /** A rotation of the webhook in this run may have been carried out. */
  z.object({ kind: z.literal("uncertain rotation"), key }),
  /** The program declares an explicit provider, or the run uses it, whose token is in this variable. */
  z.object({ kind: z.literal("provider"), key, use: z.enum(["declared", "used"]), name: z.string() }),
  /** The user was warned of this subject, and once is enough in a run. */
  z.object({ kind: z.literal("warned"), key }),
]);

export type Note = z.infer<typeof noteSchema>;
type Kind = Note["kind"];
export type NoteOf<K extends Kind> = Extract<Note, { kind: K }>;

/** Each question takes the same time however many notes there are: a run of thousands of resources asks before each delete. */
export class NoteSet {
  readonly #notes = new Map<string, readonly Note[]>();

  add(note: Note): void {
    const [place, noted] = [placeOf(note.kind, note.key), this.of(note.kind, note.key)];
    if (!noted.some((other) => isDeepStrictEqual(other, note))) this.#notes.set(place, [...noted, note]);
  }

  has(kind: Kind, key: string): boolean {
    return this.#notes.has(placeOf(kind, key));
  }

  /** In the order in which they were added. */
  of<K extends Kind>(kind: K, key: string): readonly NoteOf<K>[] {
    return (this.#notes.get(placeOf(kind, key)) ?? []) as readonly NoteOf<K>[];
  }
}

export type Notes = Pick<NoteSet, "has" | "of">;

const placeOf = (kind: string, key: string): string => `${kind}: ${key}`;

export const noteLine = (note: Note): string => JSON.stringify(note);

/** Undefined for a line that is no note of this version. */
export const noteIn = (line: string): Note | undefined => noteSchema.safeParse(parseJson(line)).data;
