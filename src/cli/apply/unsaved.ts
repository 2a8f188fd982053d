/** What the files of `voiceplane apply` know of rotations that the state does not have. */
import { tried } from "../../values/any.js";
import type { Environment } from "../../values/environment.js";
import { backendUrl } from "../engine/backend.js";
import { recordBase } from "../engine/lost-state.js";
import { projectAbove } from "../engine/project.js";
import type { StackState } from "../engine/state.js";
import { changesIn, isRotation, Journals } from "./journal.js";
import { parseRecord, recordFile } from "./record.js";
import { rotationsOf } from "./rotations.js";
import { stackNameOf } from "./stack-name.js";

interface Place {
  readonly folder: string;
  readonly env: Environment;
}

/** @param stack as given; undefined for the selected one */
export async function withUnsaved(state: StackState, stack: string | undefined, place: Place): Promise<StackState> {
  const project = projectAbove(place.folder);
  if (project === undefined) return state;
  const { of } = await stackNameOf(project, backendUrl(project.document, place.env), stack ?? state.stack, place.env);
  const base = recordBase(project, of.stack);
  const text = await recordFile(`${base}.json`).read();
  const files = tried(() => {
    const record = parseRecord(text, of);
    return { record, journals: new Journals(`${base}.journal`, of).earlier() };
  });
  // They are of another stack.
  if (files === undefined) return state;
  const { record, journals } = files;
  const sent = changesIn(journals).filter(isRotation);
  const { lost } = rotationsOf({ before: state, after: state, record, earlier: sent, own: [], isDone: false });
  // The next update rotates what is uncertain by the state itself.
  const names = lost.filter((name) => !state.objects.some((object) => object.uncertain && object.name === name));
  return {
    ...state,
    objects: state.objects.map((object) => (names.includes(object.name) ? { ...object, uncertain: true } : object)),
    unsaved: { names, problems: journals.flatMap(({ problem }) => problem ?? []) },
  };
}
