import { below, Command } from "../../../src/cli/commander";

const text = "Exit codes: 0 no changes, 1 bad input, 2 changes, 3 changes with a risk. ".repeat(3).trim();

test.each([70, 110])(
  "in a terminal of %d columns, no part of the help is wider, and each part uses them",
  (columns) => {
    const parts: string[] = [];
    new Command("voiceplane")
      .description(text)
      .option("--file <file>", text)
      .addHelpText("after", below(text, { changes: text, none: "0" }))
      .configureOutput({ writeOut: (part) => parts.push(part), getOutHelpWidth: () => columns })
      .outputHelp();
    const widths = parts.map((part) => Math.max(...part.split("\n").map((line) => line.length)));
    expect(widths).toHaveLength(2);
    for (const width of widths) {
      expect(width).toBeLessThanOrEqual(columns);
      expect(width).toBeGreaterThan(columns - 10);
    }
  },
);
