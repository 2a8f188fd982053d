import { existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type * as Sqlite from "node:sqlite";
import { ControlPlaneError, explainStorageError } from "./errors.js";

/** Marks the file as ours, so that no other program's database is ever written to ("vpcp"). */
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

/**
 * Opens the control plane's database and creates its tables where there are none.
 *
 * @param file in memory where undefined
 * @throws ControlPlaneError where the file cannot serve
 */
export function openDatabase(file: string | undefined): Sqlite.DatabaseSync {
  if (file === undefined) return prepare(":memory:");
  // An absolute path is never mistaken for one of SQLite's special names, such as ":memory:" or "file:…".
  const path = resolve(file);
  refuseImpossiblePath(file, path);
  try {
    return prepare(path);
  } catch (error) {
    throw explainStorageError(error, file);
  }
}

function refuseImpossiblePath(file: string, path: string): void {
  if (file.trim() === "") throw new ControlPlaneError("the file's name is empty: name one, or leave it out");
  if (file.includes("\0"))
    throw new ControlPlaneError("the file's name has a NUL character in it: choose another file");
  if (!existsSync(dirname(path))) {
    throw new ControlPlaneError(`the folder ${dirname(path)} does not exist: create it, or choose another file`);
  }
  if (isFolder(path)) throw new ControlPlaneError(`${file} is a folder: name a file in it`);
}

/** Not where that cannot be told, as of a name that is too long: SQLite then says that it cannot be opened. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false;
  }
}

function prepare(path: string): Sqlite.DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  const database = new DatabaseSync(path);
  try {
    // Exclusive: a second process on the same file is refused at once, instead of two half-truths.
    database.exec("PRAGMA locking_mode = EXCLUSIVE");
    const createSchema = needsSchema(database, path);
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
    if (createSchema) database.exec(`BEGIN IMMEDIATE; ${schema} COMMIT`);
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

/** Older Node versions call node:sqlite experimental on stderr. Only that notice is held back, only while loading. */
function loadSqlite(): typeof Sqlite {
  const emitWarning = process.emitWarning.bind(process) as (...args: unknown[]) => void;
  process.emitWarning = (...args: unknown[]) => {
    const [warning, type] = args;
    if (type !== "ExperimentalWarning" || !String(warning).startsWith("SQLite")) emitWarning(...args);
  };
  // Older ones have no such module, and still older ones no such function.
  const node: { getBuiltinModule?: (id: "node:sqlite") => typeof Sqlite | undefined } = process;
  try {
    const sqlite = node.getBuiltinModule?.("node:sqlite");
    if (sqlite !== undefined) return sqlite;
  } finally {
    process.emitWarning = emitWarning;
  }
  throw new ControlPlaneError(`the control plane needs Node 22.19 or newer, this is ${process.version}`);
}
