import { read } from "../docs/documents";
import { newFleet } from "./support/fleet";

jest.setTimeout(600_000);

test("npm run fleet adopts organizations, applies them in a first night, and starts no CLI in the second", async () => {
  const fleet = await newFleet();
  const output = await fleet.succeed("trial.ts", "--organizations", "2", "--workers", "2");
  const [first, second] = output.split("== the second night");
  expect(first?.match(/^trial-\w+-00[12] +applied/gm)).toHaveLength(2);
  expect(second?.match(/^trial-\w+-00[12] +skipped/gm)).toHaveLength(2);
  const [, query = ""] = /psql -Atc \\"(.*?)\\"/.exec(read("docs/apply.md")) ?? [];
  const name = /^trial-\w+-001/m.exec(output)?.[0] ?? "";
  const rows = await fleet.query(query.replace("acme", name));
  expect(rows.length).toBeGreaterThan(0);
  expect(fleet.calls().filter((call) => call.startsWith("up "))).toHaveLength(2);
});
