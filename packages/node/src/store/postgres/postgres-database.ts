import { setTimeout } from 'node:timers/promises'
import { Pool, type PoolConfig } from 'pg'
import { StoreError } from '../gateway-store.ts'

/** Connections to one PostgreSQL. Its calls reject with `StoreError`. */
export interface PostgresDatabase {
  /** The rows of one statement. It may run again when its connection is lost, so it has to be one that can. */
  readonly rows: (sql: string, values?: readonly unknown[]) => Promise<readonly unknown[]>
  /** Runs a statement; how many rows it changed. */
  readonly run: (sql: string, values?: readonly unknown[]) => Promise<number>
  readonly close: () => Promise<void>
}

/** Connects with the first call, and again whenever a connection is lost. */
export function openPostgresDatabase(url: string): PostgresDatabase {
  const pool = new Pool({
    ...connectionOptions(url),
    max: maxConnections,
    idleTimeoutMillis: 60_000,
    statement_timeout: 15_000,
    // If the network loses the answer, the server's own limit would never arrive.
    query_timeout: 20_000,
    allowExitOnIdle: true,
  })
  // An idle connection that breaks is replaced at its next use.
  pool.on('error', () => {})
  let closed: Promise<void> | null = null
  const query = async (sql: string, values: readonly unknown[] = []) => {
    if (closed !== null) throw new StoreError('unreachable', 'The store is closed.')
    for (let attempt = 1; ; attempt++) {
      try {
        return await pool.query(sql, [...values])
      } catch (error) {
        if (attempt === attempts || !isTransient(error)) throw postgresError(error)
        // If the server ended one connection, it ended others too; meanwhile the pool notices.
        await setTimeout(50 * attempt)
      }
    }
  }
  return {
    rows: async (sql, values) => (await query(sql, values)).rows,
    run: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    close: () => {
      closed ??= pool.end()
      return closed
    },
  }
}

const maxConnections = 8
/** All connections may be lost, and each is noticed only by the call that uses it. */
const attempts = maxConnections + 1

/** Options for a URL; TLS as the URL says. */
export function connectionOptions(url: string): PoolConfig {
  return { connectionString: url, connectionTimeoutMillis: 5000, keepAlive: true, application_name: 'plimsoll' }
}

/** An error of PostgreSQL as a `StoreError`, with its code only: messages of drivers and servers name addresses, users and values. */
export function postgresError(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const code = codeOf(error)
  const suffix = code === '' ? '' : ` (${code})`
  if (fullCodes.has(code)) {
    return new StoreError(
      'full',
      `The PostgreSQL store is full${suffix}. Nothing was written. Free space, or lower gateway.keep_days.`,
    )
  }
  if (code === '25006' || code === '42501') {
    return new StoreError(
      'unreachable',
      `This user may not write to the PostgreSQL store${suffix}. Grant it the schema plimsoll, on a server that is not a replica.`,
    )
  }
  if (/^28|^3D/.test(code)) {
    return new StoreError(
      'unreachable',
      `PostgreSQL rejected the connection${suffix}. Check user, password and database in the store's URL.`,
    )
  }
  if (/^(?:42|3F|22|23|XX00[12])/.test(code)) {
    return new StoreError(
      'broken',
      `The schema plimsoll in PostgreSQL is damaged or does not belong to Plimsoll${suffix}. It was not changed.`,
    )
  }
  return new StoreError(
    'unreachable',
    `The PostgreSQL store does not respond${suffix}. Check that it is running and that the store's URL is right.`,
  )
}

/** Whether a call may be repeated at once: its connection was lost, or two calls blocked each other. */
export function isTransient(error: unknown): boolean {
  if (transientCodes.has(codeOf(error))) return true
  return error instanceof Error && lostMessages.has(error.message)
}

// No room on the disk, a limit that was configured, a value larger than the server takes.
const fullCodes: ReadonlySet<string> = new Set(['53100', '53400', '54000'])
const transientCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'EPIPE',
  // The server shuts down or ended this connection; a deadlock; a failed serialisation.
  '57P01',
  '57P02',
  '08003',
  '08006',
  '40P01',
  '40001',
])
const lostMessages: ReadonlySet<string> = new Set([
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
])

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? code : ''
}
