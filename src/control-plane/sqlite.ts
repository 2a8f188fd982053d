import { closeSync, existsSync, openSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type * as Sqlite from "node:sqlite";
import { oldestNode } from "../node-version.js";
import { ControlPlaneError, explainStorageError, factsOf } from "./errors.js";

/** "vpcp" marks the file, so that the database of another program is never written to. */
const applicationId = 0x76706370;
const schemaVersion = 1;

const schema = `
  CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID, STRICT;
  CREATE TABLE records (kind TEXT, id TEXT, record TEXT NOT NULL, PRIMARY KEY (kind, id)) WITHOUT ROWID, STRICT;
  CREATE TABLE commits (operation TEXT, object TEXT, count INTEGER NOT NULL, PRIMARY KEY (operation, object))
    WITHOUT ROWID, STRICT;
  CREATE TABLE journal (id INTEGER PRIMARY KEY, entry TEXT NOT NULL, body TEXT) STRICT;
  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** Opens the database (in memory without `file`) and creates missing tables. Throws ControlPlaneError with a fix. */
export function openDatabase(file: string | undefined): Sqlite.DatabaseSync {
  if (file === undefined) return prepare(":memory:");
  // SQLite does not treat an absolute path as a special name, such as ":memory:" or "file:…".
  const path = resolve(file);
  refuseInvalidPath(file, path);
  makePrivate(file, path);
  try {
    return prepare(path);
  } catch (error) {
    throw explainStorageError(error, file);
  }
}

function refuseInvalidPath(file: string, path: string): void {
  if (file.trim() === "") throw new ControlPlaneError("the file's name is empty: name one, or leave it out");
  if (file.includes("\0"))
    throw new ControlPlaneError("the file's name has a NUL character in it: choose another file");
  if (!existsSync(dirname(path))) {
    throw new ControlPlaneError(`the folder ${dirname(path)} does not exist: create it, or choose another file`);
  }
}

/** Makes a new file for its owner alone. SQLite gives the files beside it the same mode, and reports what else is wrong with the path. */
function makePrivate(file: string, path: string): void {
  try {
    closeSync(openSync(path, "a", 0o600));
  } catch (error) {
    if (factsOf(error).code === "EISDIR") throw new ControlPlaneError(`${file} is a folder: name a file in it`);
  }
}

function prepare(path: string): Sqlite.DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  try {
    // A second process on the same file fails at once. The lock comes before the first read: two processes that have read a new file
    // would both fail to write it.
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    if (needsSchema(database, path)) database.exec(schema);
    database.exec("COMMIT; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function needsSchema(database: Sqlite.DatabaseSync, path: string): boolean {
  const read = (sql: string): unknown => Object.values(database.prepare(sql).get() ?? {})[0];
  if (read("SELECT count(*) FROM sqlite_schema") === 0) return true;
  if (read("PRAGMA application_id") !== applicationId) {
    throw new ControlPlaneError(`${path} belongs to another program: choose another file`);
  }
  if (read("PRAGMA user_version") !== schemaVersion) {
    throw new ControlPlaneError(`${path} was written by another version of voiceplane: choose another file`);
  }
  return false;
}

/** Older Node versions print an ExperimentalWarning for node:sqlite. Only this warning is suppressed, while loading. */
function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    const [warning, type] = args;
    if (type !== "ExperimentalWarning" || !String(warning).startsWith("SQLite")) emitWarning(...args);
  };
  // Old Node versions lack this module. Older ones lack this function too.
  const node: { getBuiltinModule?: (id: "node:sqlite") => typeof Sqlite | undefined } = process;
  try {
    const sqlite = node.getBuiltinModule?.("node:sqlite");
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new ControlPlaneError(`the control plane needs Node ${oldestNode} or newer, this is ${process.version}`);
}
