/** Temporary folders, which leave nothing behind. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const folders: string[] = [];

afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
});

/** A new folder. Removed after the tests of the file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "voiceplane-test-")));
  folders.push(folder);
  return folder;
}

/** Writes files by their paths in a folder. */
export function write(folder: string, files: Readonly<Record<string, string>>, mode = 0o666): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text, { mode });
  }
}

/** Writes shell scripts as programs, by their names, into a folder for PATH. */
export function programs(scripts: Readonly<Record<string, string>>, folder = temporaryFolder()): string {
  for (const [name, script] of Object.entries(scripts)) write(folder, { [name]: `#!/bin/sh\n${script}\n` }, 0o755);
  return folder;
}
