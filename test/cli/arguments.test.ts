import { parseCommandLine, UsageError } from "../../src/cli/command";

const options = { name: { type: "string", short: "n" }, loud: { type: "boolean" } } as const;

test("options and positional arguments are separated, in any order", () => {
  const { values, positionals } = parseCommandLine(["a", "--name=b", "--loud", "c", "--", "--name"], options, true);
  expect({ ...values }).toEqual({ name: "b", loud: true });
  expect(positionals).toEqual(["a", "c", "--name"]);
});

test("every command has --help and -h", () => {
  expect({ ...parseCommandLine(["--help"], {}, false).values }).toEqual({ help: true });
  expect({ ...parseCommandLine(["-h", "-nb"], options, true).values }).toEqual({ help: true, name: "b" });
});

test.each([
  [["--nmae", "b"], /^unknown option --nmae: did you mean --name\?$/],
  [["--nmae=secret"], /^unknown option --nmae: did you mean --name\?$/],
  [["--hepl"], /^unknown option --hepl: did you mean --help\?$/],
  [["-x"], /^unknown option -x$/],
  [["--xyzzy"], /^unknown option --xyzzy$/],
  [["--name"], "Option '-n, --name <value>' argument missing"],
  [["--loud=yes"], "Option '--loud' does not take an argument"],
  [["a"], "Unexpected argument 'a'. This command does not take positional arguments"],
])("%j is a usage error", (args, message) => {
  const parse = () => parseCommandLine(args, options, false);
  expect(parse).toThrow(UsageError);
  expect(parse).toThrow(message);
});
