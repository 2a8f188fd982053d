/** Reads Prometheus' text format, strictly by its grammar (exposition format 0.0.4). */

export interface Family {
  readonly type: string;
  readonly help: string;
  /** By the labels as written. */
  readonly samples: Record<string, number>;
}

const name = "[a-zA-Z_:][a-zA-Z0-9_:]*";
const label = String.raw`[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\"n])*"`;
const helpLine = new RegExp(String.raw`^# HELP (${name}) ((?:[^\\\n]|\\[\\n])*)$`);
const typeLine = new RegExp(String.raw`^# TYPE (${name}) (counter|gauge)$`);
const sampleLine = new RegExp(String.raw`^(${name})\{(${label}(?:,${label})*)\} (-?\d+(?:\.\d+)?)$`);

/** @throws Error with the line that breaks a rule */
export function parsePrometheus(text: string): Record<string, Family> {
  const families: Record<string, Family> = {};
  if (!text.endsWith("\n")) throw new Error("the last line has no end");
  const lines = text.slice(0, -1).split("\n");
  let [current, help] = ["", ""];
  for (const [index, line] of lines.entries()) {
    const fail = (why: string) => new Error(`${why}: ${line}`);
    const [, helped, says] = helpLine.exec(line) ?? [];
    const [, typed, type] = typeLine.exec(line) ?? [];
    const [, sampled = "", labels = "", value] = sampleLine.exec(line) ?? [];
    if (helped !== undefined && says !== undefined) {
      if (helped in families) throw fail("a family is in two parts");
      if (!lines[index + 1]?.startsWith(`# TYPE ${helped} `)) throw fail("HELP without TYPE");
      help = says;
    } else if (typed !== undefined && type !== undefined) {
      families[typed] = { type, help, samples: {} };
      current = typed;
    } else if (value !== undefined) {
      const family = families[sampled];
      if (!family || sampled !== current) throw fail("a sample outside of its family");
      if (labels in family.samples) throw fail("a series is there twice");
      const names = [...labels.matchAll(/([a-zA-Z_]\w*)="(?:[^"\\]|\\.)*"/g)].map(([, each]) => each);
      if (new Set(names).size !== names.length) throw fail("a label is there twice");
      family.samples[labels] = Number(value);
    } else throw fail("no HELP, no TYPE and no sample");
  }
  for (const [each, { samples, type }] of Object.entries(families)) {
    if (Object.keys(samples).length === 0) throw new Error(`${each} has no samples`);
    if ((type === "counter") !== each.endsWith("_total")) throw new Error(`${each} is named like another type`);
  }
  return families;
}
