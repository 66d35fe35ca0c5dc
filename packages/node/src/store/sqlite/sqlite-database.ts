import { accessSync, closeSync, constants, openSync, statfsSync, statSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { makeFolder } from '../../files/make-folder.ts'
import { newerSchema, StoreError } from '../gateway-store.ts'

/** An open file. Its calls throw `StoreError` if the file cannot be used. */
export interface SqliteDatabase {
  /** The first row of a statement, or undefined. */
  readonly row: (sql: string, ...values: readonly SQLInputValue[]) => unknown
  readonly rows: (sql: string, ...values: readonly SQLInputValue[]) => readonly unknown[]
  /** Runs a statement; how many rows it changed. */
  readonly run: (sql: string, ...values: readonly SQLInputValue[]) => number
  /** Everything that is read in between is of one moment. */
  readonly read: <T>(work: () => T) => T
  /** All that is written in between, or nothing of it. `lazy` may be lost when the power fails, never when a process is killed. */
  readonly write: <T>(durability: 'durable' | 'lazy', work: () => T) => T
  /** Lets other threads and processes write that wait for it. */
  readonly giveWay: () => void
  /** Makes all lazy writes durable, in another thread. Rejects with `StoreError`. */
  readonly sync: () => Promise<void>
  readonly close: () => Promise<void>
}

interface SqliteFile {
  readonly path: string
  readonly maxBytes?: number
  /** Whether a file that cannot be written is opened for reading. Default: no. */
  readonly isReading?: boolean
  /** The steps that lead to the schema; a file that has had more of them is refused. */
  readonly migrations: readonly string[]
}

/** Opens a file, creates it if there is none, and brings it to the newest schema. Any other file is left unchanged. */
export async function openSqliteDatabase(file: SqliteFile): Promise<SqliteDatabase> {
  let database: DatabaseSync | null = null
  try {
    prepareFile(file.path)
    const { DatabaseSync: Database } = loadSqlite()
    database = new Database(file.path, { timeout: patience })
    await shareFile(database)
    migrate(database, file.migrations)
    const pages = (file.maxBytes ?? Number.POSITIVE_INFINITY) / numberOf(database, 'pragma page_size', 'page_size')
    if (Number.isFinite(pages)) database.exec(`pragma max_page_count = ${Math.max(1, Math.floor(pages))}`)
    return wrap(database, `${file.path}-wal`, Number.isFinite(pages))
  } catch (error) {
    database?.close()
    const reading = file.isReading === true ? openReading(file) : null
    if (reading !== null) return wrap(reading, `${file.path}-wal`, false)
    throw openError(error, file.path)
  }
}

/** SQLite says only that it cannot open a file; the system knows why. */
function openError(error: unknown, path: string): unknown {
  if (((error as { readonly errcode?: number }).errcode ?? 0) % 256 === 14) {
    try {
      accessSync(path, constants.R_OK | constants.W_OK)
      accessSync(dirname(path), constants.W_OK)
    } catch (cause) {
      return sqliteError(cause, dirname(path))
    }
  }
  return sqliteError(error, dirname(path))
}

/** Null if it cannot be read either, or is not a store that this version knows. */
function openReading({ path, migrations }: SqliteFile): DatabaseSync | null {
  const { DatabaseSync: Database } = loadSqlite()
  // If everything is in the file itself, SQLite needs no other file next to it.
  const isWhole = (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0) === 0
  const alone = Object.assign(pathToFileURL(path), { search: '?immutable=1' })
  for (const place of isWhole ? [path, alone] : [path]) {
    let database: DatabaseSync | null = null
    try {
      database = new Database(place, { readOnly: true, timeout: patience })
      const version = numberOf(database, 'pragma user_version', 'user_version')
      const id = numberOf(database, 'pragma application_id', 'application_id')
      if (id === applicationId && version > 0 && version <= migrations.length) return database
    } catch {}
    database?.close()
  }
  return null
}

/** Milliseconds that a call waits for another process. */
const patience = 5000

// Marks the file as Plimsoll's, so that no other database gets our tables.
const applicationId = 0x506c_696d

/**
 * Only creates it. A file that SQLite has open must not be opened here as well: closing it would take away the locks of the whole process, and another
 * process that ends would delete the log that this one still writes to.
 */
function prepareFile(path: string): void {
  makeFolder(dirname(path))
  try {
    // Created here and not by SQLite, which would let others read it; its companion files get the same rights.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EEXIST') throw error
  }
}

async function shareFile(database: DatabaseSync): Promise<void> {
  // In this order: another process may create both in between, at once.
  const tables = numberOf(database, 'select count(*) as tables from sqlite_master', 'tables')
  const id = numberOf(database, 'pragma application_id', 'application_id')
  if (tables > 0 && id !== applicationId) throw brokenFile()
  // Takes effect only while the file is empty, so it comes first.
  database.exec('pragma auto_vacuum = incremental')
  for (let attempt = 0; ; attempt++) {
    try {
      database.exec('pragma journal_mode = wal')
      break
    } catch (error) {
      // SQLite does not wait when two processes change the mode of a new file at once.
      if (!isBusy(error) || attempt === 100) throw error
      await setTimeout(50)
    }
  }
  // A checkpoint costs as much as thousands of requests, and a log of 16 MB costs nothing.
  database.exec('pragma wal_autocheckpoint = 4000; pragma journal_size_limit = 67108864')
  database.exec('pragma cache_size = -16000; pragma secure_delete = fast')
}

function migrate(database: DatabaseSync, migrations: readonly string[]): void {
  if (knownVersion(database, migrations.length) === migrations.length) return
  database.exec('begin immediate')
  try {
    // Another process may have done it while this one waited.
    const version = knownVersion(database, migrations.length)
    for (const step of migrations.slice(version)) database.exec(step)
    database.exec(`pragma application_id = ${applicationId}; pragma user_version = ${migrations.length}; commit`)
  } catch (error) {
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

function knownVersion(database: DatabaseSync, known: number): number {
  const found = numberOf(database, 'pragma user_version', 'user_version')
  if (found > known) throw newerSchema(found, known)
  return found
}

function numberOf(database: DatabaseSync, sql: string, column: string): number {
  return Number(database.prepare(sql).get()?.[column])
}

function wrap(database: DatabaseSync, log: string, isLimited: boolean): SqliteDatabase {
  const syncing = createSync(log)
  const guarded = <T>(work: () => T): T => {
    try {
      return work()
    } catch (error) {
      throw sqliteError(error, dirname(log), isLimited)
    }
  }
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string) => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const statement = database.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  let durability = 'durable'
  /** SQLite would sleep longer and longer while another thread or process writes: it misses the moments in between. */
  const beginWriting = () => {
    prepared('pragma busy_timeout = 0').get()
    try {
      for (const until = process.uptime() * 1000 + patience; ; sleep(1)) {
        try {
          return void prepared('begin immediate').run()
        } catch (error) {
          if (!isBusy(error) || process.uptime() * 1000 > until) throw error
        }
      }
    } finally {
      prepared(`pragma busy_timeout = ${patience}`).get()
    }
  }
  const within = <T>(begin: () => void, work: () => T): T =>
    guarded(() => {
      begin()
      try {
        const result = work()
        prepared('commit').run()
        return result
      } catch (error) {
        // A full disk ends the transaction on its own.
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    })
  return {
    row: (sql, ...values) => guarded(() => prepared(sql).get(...values)),
    rows: (sql, ...values) => guarded(() => prepared(sql).all(...values)),
    run: (sql, ...values) => guarded(() => Number(prepared(sql).run(...values).changes)),
    read: (work) => within(() => prepared('begin').run(), work),
    write: (wanted, work) => {
      if (durability !== wanted) {
        guarded(() => database.exec(`pragma synchronous = ${wanted === 'durable' ? 'full' : 'normal'}`))
        durability = wanted
      }
      return within(beginWriting, work)
    },
    // Longer than another one sleeps.
    giveWay: () => sleep(3),
    sync: () => syncing.sync(),
    async close() {
      if (database.isOpen) database.close()
      await syncing.close()
    },
  }
}

/** Whether another thread or process has the lock. */
function isBusy(error: unknown): boolean {
  return ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === 5
}

/** Stops this thread. */
function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

/** The log is there for as long as the database is open, so it is opened once. */
function createSync(path: string) {
  let log: Promise<FileHandle> | null = null
  return {
    async sync(): Promise<void> {
      try {
        log ??= open(path, 'r+')
        await (await log).datasync()
      } catch (error) {
        log = null
        // A disk that cannot share memory has no log: there every write is durable.
        if ((error as { readonly code?: unknown }).code !== 'ENOENT') throw sqliteError(error, dirname(path))
      }
    },
    /** A thread that ends before its file is closed leaves it open in the process. */
    async close(): Promise<void> {
      await log?.then((file) => file.close()).catch(() => undefined)
    },
  }
}

/** Node's SQLite, without the warning that Node prints for it. */
export function loadSqlite(): { readonly DatabaseSync: typeof DatabaseSync } {
  const emitWarning: unknown = Reflect.get(process, 'emitWarning')
  // Node warns once, while the module loads in this call: no other warning can be lost.
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    Reflect.set(process, 'emitWarning', emitWarning)
  }
}

/** An error of SQLite or of the file system as a `StoreError`; any other is a bug and stays unchanged. */
function sqliteError(error: unknown, folder: string, isLimited = false): unknown {
  if (error instanceof StoreError || !(error instanceof Error)) return error
  const { code, errcode } = error as { readonly code?: unknown; readonly errcode?: unknown }
  if (code === 'ERR_INVALID_STATE') return new StoreError('unreachable', 'The store is closed.')
  if (typeof errcode === 'number') return fromNumber(errcode, folder, isLimited)
  if (typeof code !== 'string' || !/^(?:E[A-Z0-9]+|ERR_INVALID_ARG_VALUE)$/.test(code)) return error
  if (['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code)) return full()
  if (code === 'EROFS') return readOnly(code)
  return code === 'EIO' ? failing(code) : notAllowed(code)
}

function brokenFile(): StoreError {
  return new StoreError(
    'broken',
    "The store's file is damaged or not a Plimsoll store. It was not changed. Move it away, or choose another file.",
  )
}

// https://www.sqlite.org/rescode.html: the low byte is the primary code.
function fromNumber(number: number, folder: string, isLimited: boolean): StoreError {
  if (roomless.has(number)) return hasRoom(folder) ? unwritable(number) : full()
  switch (number & 0xff) {
    case 11:
    case 26:
      return brokenFile()
    case 13:
      // A system that cannot read which blocks are free says that there are none.
      return !isLimited && hasRoom(folder) ? unwritable(number) : full()
    case 5:
    case 6:
      return new StoreError(
        'unreachable',
        "The store's file is locked by another process. Try again when that process has finished.",
      )
    case 3:
    case 14:
      return notAllowed(`SQLite error ${number}`)
    case 8:
      return readOnly(`SQLite error ${number}`)
    case 10:
      return failing(`SQLite error ${number}`)
    case 18:
      return new StoreError('full', 'A value is too large for the store. Nothing was written.')
    default:
      return new StoreError('unreachable', `The store's file cannot be used (SQLite error ${number}). Check its disk.`)
  }
}

// A disk without room shows in these too: writing, growing a file, and growing the memory that processes share. So does one that fails.
const roomless: ReadonlySet<number> = new Set([778, 1546, 4874])

/** Whether the disk of a folder takes more. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize, files, ffree } = statfsSync(folder)
    return bavail * bsize > plentyOfBytes && (files === 0 || ffree > 0)
  } catch {
    return false
  }
}

/** More than one write needs. */
const plentyOfBytes = 1_000_000

function full(): StoreError {
  return new StoreError('full', 'The store is full. Nothing was written. Free disk space, or lower gateway.keep_days.')
}

function readOnly(code: string): StoreError {
  return new StoreError(
    'unreachable',
    `The store's file, its folder or its disk is read-only (${code}). Nothing was written. Make it writable, or choose another file.`,
  )
}

function failing(code: string): StoreError {
  return new StoreError('unreachable', `The disk of the store reports errors (${code}). Nothing was written. Check the disk.`)
}

function unwritable(number: number): StoreError {
  const why = 'the disk reports errors, or a quota or a limit on the size of files is reached'
  const message = `The store's file cannot be written although its disk has room (SQLite error ${number}): ${why}. Nothing was written.`
  return new StoreError('unreachable', message)
}

function notAllowed(code: string): StoreError {
  return new StoreError(
    'unreachable',
    `The store's file cannot be opened or written (${code}). Check that the folder exists and that you may write there.`,
  )
}
