/** What the files of `voiceplane apply` know of rotations that the state does not have. */
import { tried, type Environment } from "../../values.js";
import { backendName, backendUrl } from "../engine/backend.js";
import { queryPulumi } from "../engine/cli.js";
import { cloudStack, isCloud } from "../engine/cloud.js";
import { recordBase, recordName } from "../engine/lost-state.js";
import { projectAbove } from "../engine/project.js";
import type { StackState } from "../engine/state.js";
import { changesIn, isRotation, Journals } from "./journal.js";
import { parseRecord, recordFile } from "./record.js";
import { rotationsOf } from "./rotations.js";

interface Place {
  readonly folder: string;
  readonly env: Environment;
}

/** @param stack as given; undefined for the selected one */
export async function withUnsaved(state: StackState, stack: string | undefined, place: Place): Promise<StackState> {
  const project = projectAbove(place.folder);
  if (project === undefined) return state;
  const { name, document, folder } = project;
  const [url = "", given] = [backendUrl(document, place.env), stack ?? state.stack];
  const cloud = isCloud(url)
    ? cloudStack({ url, project: name, stack: given, folder, env: place.env }, queryPulumi({ ...place.env }))
    : undefined;
  const key = (await cloud?.fullName()) ?? recordName(name, given);
  const of = { backend: backendName(url), project: name, stack: key };
  const base = recordBase(project, key);
  const text = await recordFile(`${base}.json`).read();
  const files = tried(() => {
    const record = parseRecord(text, of);
    return { record, journals: new Journals(`${base}.journal`, of, record).earlier() };
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
